# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/../tools/z_tsb_run_python.cmake")

# z_tsb_pack_conda(<out-var of the files> <stage> <folder> <torchpkg>): the package,
# <platform>/<name>-<version>-<build>.conda.
function(z_tsb_pack_conda out stage folder torchpkg)
  set(placeholder "")
  if(EXISTS "${stage}/placeholder.txt")
    file(READ "${stage}/placeholder.txt" text)
    set(placeholder --placeholder "${text}")
  endif()
  z_tsb_run_python(
    output "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/pack_conda.py" --root "${stage}/prefix" --output "${folder}"
    ${placeholder}
  )
  if(NOT result EQUAL 0)
    tsb_fail("packing ${stage}/prefix failed" "see the message above")
  endif()
  file(READ "${stage}/prefix/info/index.json" index)
  tsb_set_record(index index)
  set(${out} "${index_subdir}/${index_name}-${index_version}-${index_build}.conda" PARENT_SCOPE)
endfunction()
