# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/detail/tsb_progress.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/z_tsb_bundle.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/z_tsb_slice.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/z_tsb_split_debug_information.cmake)

# z_tsb_libtorch_shared_libraries(<out-var> <pytorch's install tree>): PyTorch's own libraries, by name: its third-party
# tree may install others, such as libuv. Without what only Python needs.
function(z_tsb_libtorch_shared_libraries out install)
  file(GLOB libraries "${install}/lib/*.so" "${install}/lib/*.so.*")
  list(FILTER libraries INCLUDE REGEX "/lib(c10|torch|caffe2)[a-z0-9_]*\\.so")
  list(FILTER libraries EXCLUDE REGEX "/libtorch_python\\.so")
  if(NOT libraries)
    tsb_fail("there are no shared libraries in ${install}/lib" "see the log of PyTorch's stage phase")
  endif()
  set(${out} "${libraries}" PARENT_SCOPE)
endfunction()

# z_tsb_place_libraries(<folder> <debug folder> <library>...): copies libraries, with their links, strips them, and puts
# their debug information into the second folder; empty: nowhere. Libraries of a prebuilt backend are stripped already.
function(z_tsb_place_libraries folder debug_folder)
  file(COPY ${ARGN} DESTINATION "${folder}")
  if(artifact_backend_prebuilt)
    return()
  endif()
  foreach(library IN LISTS ARGN)
    if(NOT IS_SYMLINK "${library}")
      get_filename_component(name "${library}" NAME)
      tsb_progress("moving the debug information out of ${name}")
      z_tsb_split_debug_information("${folder}/${name}" "${debug_folder}")
    endif()
  endforeach()
endfunction()

# z_tsb_stage_shared_libraries(<pytorch's install tree> <root of the staged tree> <report> <debug>)
#
# <root>/lib: shared libraries, with their links, stripped, and with deps the libraries that they need and not every
# host has, and the files that those read. <report> is that of z_tsb_bundle. <debug>/lib/.debug:
# their debug information, when there is a debug package.
function(z_tsb_stage_shared_libraries install root report debug)
  set(debug_folder "")
  if(artifact_debug_file)
    set(debug_folder "${debug}/lib/.debug")
  endif()
  z_tsb_libtorch_shared_libraries(libraries "${install}")
  z_tsb_place_libraries("${root}/lib" "${debug_folder}" ${libraries})
  z_tsb_slice("${root}/lib")
  tsb_progress("bundling what the libraries need")
  z_tsb_bundle("${root}" "${report}")
endfunction()
