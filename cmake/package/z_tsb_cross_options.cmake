# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
z_tsb_cross_options
-------------------

What a package is compiled for, and with which options for another processor than this machine's. ::

  z_tsb_package_target(<out-var> <package json>) # the target (tsb_read_target)
  z_tsb_cross_options(<out-var> <package json>)  # <NAME>=<value>; nothing for this machine's processor

A package with ``BUILD_ONLY`` is for this machine: its programs run while others are built.

The compilers are gcc's for the target, by their names. Programs are this machine's. Libraries, headers and packages are
only searched for in ``/usr/<triplet>`` and in what our packages install, so that nothing of this machine gets in.
https://cmake.org/cmake/help/latest/manual/cmake-toolchains.7.html#cross-compiling

Errors: a package with ``BUILD_SYSTEM make`` for another processor; its makefile would get this machine's compilers.
#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../detail/z_tsb_json.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../target/tsb_read_target.cmake)

function(z_tsb_package_target out package)
  set(target "${TSB_TARGET}")
  z_tsb_json_take(package build_only)
  z_tsb_json_take(target cross)
  if(cross AND build_only)
    tsb_read_target(target)
  endif()
  set(${out} "${target}" PARENT_SCOPE)
endfunction()

function(z_tsb_cross_options out package)
  z_tsb_package_target(target "${package}")
  z_tsb_json_take(target cross triplet processor title c_compiler cxx_compiler)
  z_tsb_json_take(package name build_system)
  set(options "")
  if(cross AND build_system STREQUAL "make")
    message(
      FATAL_ERROR
        "  package ${name} is built with make, which is not done for ${title} here\n  leave it out for this backend"
    )
  elseif(cross AND build_system STREQUAL "cmake")
    set(
      options
      CMAKE_SYSTEM_NAME=Linux
      CMAKE_SYSTEM_PROCESSOR=${processor}
      CMAKE_C_COMPILER=${c_compiler}
      CMAKE_CXX_COMPILER=${cxx_compiler}
      "CMAKE_FIND_ROOT_PATH=/usr/${triplet}\;@PACKAGES_DIR@"
      CMAKE_FIND_ROOT_PATH_MODE_PROGRAM=NEVER
      CMAKE_FIND_ROOT_PATH_MODE_LIBRARY=ONLY
      CMAKE_FIND_ROOT_PATH_MODE_INCLUDE=ONLY
      CMAKE_FIND_ROOT_PATH_MODE_PACKAGE=ONLY
    )
  endif()
  set(${out} "${options}" PARENT_SCOPE)
endfunction()
