# SPDX-License-Identifier: BSD-3-Clause
# Step check: unpacks the packed file, and `torchpkg check` on its files.
include("${CMAKE_CURRENT_LIST_DIR}/../../cmake/python/tsb_call_python.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/../z_tsb_check_package.cmake")

macro(z_tsb_inputs_of_artifact_check)
  z_tsb_inputs_of_packed_files()
  z_tsb_step_file(inputs "torchpkg" "${torchpkg}")
  z_tsb_step_scripts(inputs steps/check.cmake z_tsb_check_package.cmake unpack.py)
endmacro()

# z_tsb_unpack(<out-var of the folder> <archive> <folder>): unpacks a zip, a wheel or the outside of a conda package
# into <folder>. The result is the only folder in there, if there is nothing beside it.
function(z_tsb_unpack out archive folder)
  file(MAKE_DIRECTORY "${folder}")
  tsb_call_python("${artifact_build_folder}" unpack.py "${archive}" "${folder}")
  file(GLOB found LIST_DIRECTORIES true "${folder}/*")
  list(LENGTH found count)
  if(count EQUAL 1 AND IS_DIRECTORY "${found}")
    set(folder "${found}")
  endif()
  set(${out} "${folder}" PARENT_SCOPE)
endfunction()

# z_tsb_unpack_conda(<archive> <folder>): the two tars of a conda package, one over the other as in a prefix.
function(z_tsb_unpack_conda archive folder)
  z_tsb_unpack(outer "${archive}" "${folder}.outer")
  file(GLOB tars "${outer}/*.tar.zst")
  foreach(tar IN LISTS tars)
    file(ARCHIVE_EXTRACT INPUT "${tar}" DESTINATION "${folder}")
  endforeach()
endfunction()

function(z_tsb_run_check)
  z_tsb_packed_files(file debug)
  set(unpacked "${work}/unpacked")
  file(REMOVE_RECURSE "${unpacked}")
  set(debug_folder "")
  if(product STREQUAL "conda")
    # Its libraries have been checked, with their debug information, in the staged tree.
    z_tsb_unpack_conda("${file}" "${unpacked}/prefix")
    set(folder "${unpacked}/prefix")
  else()
    z_tsb_unpack(folder "${file}" "${unpacked}/package")
    if(debug)
      z_tsb_unpack(debug_folder "${debug}" "${unpacked}/debug")
    endif()
  endif()
  z_tsb_check_package("${file}" "${folder}" "${debug_folder}" "${work}/check.json")
  file(REMOVE_RECURSE "${unpacked}")
endfunction()
