# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../z_tsb_pack_named_file.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../z_tsb_pack_zip.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../z_tsb_staged_trees.cmake)

# z_tsb_pack_conda(<out-var of the files> <artifact json> <stage> <dist> <torchpkg>): the package,
# dist/<platform>/<name>-<version>-<build>.conda, and its debug zip.
function(z_tsb_pack_conda out artifact stage dist torchpkg)
  z_tsb_json_take(artifact debug_file)
  set(placeholder "")
  if(EXISTS "${stage}/placeholder.txt")
    file(READ "${stage}/placeholder.txt" text)
    set(placeholder --placeholder "${text}")
  endif()
  if(debug_file)
    z_tsb_staged_trees(tree debug "${artifact}")
    z_tsb_pack_zip("${torchpkg}" "${debug}" "${dist}/${debug_file}")
  endif()
  z_tsb_pack_named_file(
    file "[^/\n]+/[^/\n]+\\.conda" "${torchpkg}" pack conda --root "${stage}/prefix" --output "${dist}" ${placeholder}
  )
  set(${out} ${file} ${debug_file} PARENT_SCOPE)
endfunction()
