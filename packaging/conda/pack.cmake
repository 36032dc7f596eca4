# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/../../cmake/python/tsb_call_python.cmake")

# z_tsb_pack_conda(<out-var of the files> <stage> <folder> <torchpkg>): the package,
# <platform>/<name>-<version>-<build>.conda.
function(z_tsb_pack_conda out stage folder torchpkg)
  set(placeholder "")
  if(EXISTS "${stage}/placeholder.txt")
    file(READ "${stage}/placeholder.txt" text)
    set(placeholder --placeholder "${text}")
  endif()
  tsb_call_python(
    "${artifact_build_folder}" conda/pack_conda.py --root "${stage}/prefix" --output "${folder}" ${placeholder}
    WITH_TOOLS
  )
  file(READ "${stage}/prefix/info/index.json" index)
  tsb_set_record(index index)
  set(${out} "${index_subdir}/${index_name}-${index_version}-${index_build}.conda" PARENT_SCOPE)
endfunction()
