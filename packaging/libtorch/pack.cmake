# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/python/tsb_python_command.cmake)

# z_tsb_pack_libtorch(<out-var of the files> <stage> <dist> <torchpkg>): the zip and, beside it, its bills of materials,
# <zip without .zip>.spdx.json and .cdx.json: the same files as in the zip.
function(z_tsb_pack_libtorch out stage dist torchpkg)
  z_tsb_pack_zip("${torchpkg}" "${stage}/libtorch" "${dist}/${artifact_file}")
  tsb_python_command(copy "${settings_python}" "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../cmake/sources/partial_file.py")
  set(files ${artifact_file})
  string(REGEX REPLACE "\\.zip$" "" base "${artifact_file}")
  foreach(kind IN ITEMS spdx cdx)
    if(EXISTS "${stage}/libtorch/sbom.${kind}.json")
      execute_process(
        COMMAND ${copy} "${stage}/libtorch/sbom.${kind}.json" "${dist}/${base}.${kind}.json"
        RESULT_VARIABLE result
        ERROR_VARIABLE text
        ERROR_STRIP_TRAILING_WHITESPACE
      )
      if(NOT result EQUAL 0)
        tsb_fail("${text}" "free space on the disk, or set TSB_DIST to a folder that can be written")
      endif()
      list(APPEND files ${base}.${kind}.json)
    endif()
  endforeach()
  set(${out} ${files} PARENT_SCOPE)
endfunction()
