# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# z_tsb_pack_conda(<out-var of the files> <artifact json> <stage> <dist> <torchpkg>): the package,
# dist/<platform>/<name>-<version>-<build>.conda.
function(z_tsb_pack_conda out artifact stage dist torchpkg)
  set(placeholder "")
  if(EXISTS "${stage}/placeholder.txt")
    file(READ "${stage}/placeholder.txt" text)
    set(placeholder --placeholder "${text}")
  endif()
  z_tsb_pack_named_file(
    file "[^/\n]+/[^/\n]+\\.conda" "${torchpkg}" pack conda --root "${stage}/prefix" --output "${dist}" ${placeholder}
  )
  set(${out} ${file} PARENT_SCOPE)
endfunction()
