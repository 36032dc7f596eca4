# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../z_tsb_framework.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../../../model/tsb_read_record.cmake)

# z_tsb_machine_folder_options(<out-var> <package>...): GCC writes where a system header really is, not the link in a
# package's install/, and the machine may have that package in the user's folders: a toolkit in build/. Folders such as
# /usr, /usr/local/cuda-12.4 and /opt/rocm say nothing of the user.
function(z_tsb_machine_folder_options out)
  set(options "")
  foreach(name IN LISTS ARGN)
    tsb_read_record("${TSB_PACKAGE_DIR}/../${name}/package.json" dependency)
    if(dependency_machine_home AND NOT dependency_machine_home MATCHES "^(/usr|/usr/local|/opt)(/[^/]*)?$")
      file(REAL_PATH "${dependency_machine_home}" home)
      list(APPEND options "-ffile-prefix-map=${home}=/usr/src/torch-superbuild/${name}/install")
    endif()
  endforeach()
  set(${out} "${options}" PARENT_SCOPE)
endfunction()

# z_tsb_compile_options(<out-var> <package>...): the framework's options for compilers of C, C++ and assembler with C's
# preprocessor, with the debug information that TSB_DEBUG_INFO asks for. <package>...: what this one needs.
function(z_tsb_compile_options out)
  z_tsb_expand(options "${TSB_FRAMEWORK_COMPILE_OPTIONS}")
  z_tsb_machine_folder_options(of_machine ${ARGN})
  list(APPEND options ${of_machine})
  if(package_debug_info STREQUAL "lines")
    list(APPEND options -g1)
  elseif(package_debug_info STREQUAL "full")
    list(APPEND options -g)
  endif()
  set(${out} "${options}" PARENT_SCOPE)
endfunction()
