# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../z_tsb_framework.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../../z_tsb_package_closure.cmake)

# z_tsb_machine_folder_options(<out-var>): GCC writes where a system header really is, not the link in a package's
# install/, and the machine may have that package in the user's folders: a toolkit in build/.
function(z_tsb_machine_folder_options out)
  set(options "")
  z_tsb_package_closure(closure "${TSB_PACKAGE_DIR}/.." ${package_depends})
  foreach(name IN LISTS closure)
    tsb_read_record("${TSB_PACKAGE_DIR}/../${name}/package.json" dependency)
    if(dependency_machine_home AND NOT dependency_machine_home MATCHES "^/(usr|opt)(/|$)")
      file(REAL_PATH "${dependency_machine_home}" home)
      list(APPEND options "-ffile-prefix-map=${home}=/usr/src/torch-superbuild/${name}/install")
    endif()
  endforeach()
  set(${out} "${options}" PARENT_SCOPE)
endfunction()

# z_tsb_compile_options(<out-var>): the framework's options for compilers of C, C++ and assembler with C's preprocessor,
# with the debug information that TSB_DEBUG_INFO asks for.
function(z_tsb_compile_options out)
  z_tsb_expand(options "${TSB_FRAMEWORK_COMPILE_OPTIONS}")
  z_tsb_machine_folder_options(of_machine)
  list(APPEND options ${of_machine})
  if(package_debug_info STREQUAL "lines")
    list(APPEND options -g1)
  elseif(package_debug_info STREQUAL "full")
    list(APPEND options -g)
  endif()
  set(${out} "${options}" PARENT_SCOPE)
endfunction()
