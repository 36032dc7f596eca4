# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_add_torchpkg
----------------

Configures torchpkg, and adds the target ``torchpkg`` that compiles it. ::

  tsb_add_torchpkg()

Both run as the packages' commands do (:command:`tsb_clean_environment`), with the compiler that they use: no
``CXXFLAGS``, ``CMAKE_PREFIX_PATH`` or toolchain file of the caller's, and no conda environment, takes part.

Errors: what its CMake cannot find, with its own words.
#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/isolation/tsb_clean_environment.cmake)

function(tsb_add_torchpkg)
  set(build "${CMAKE_BINARY_DIR}/packaging/torchpkg")
  tsb_clean_environment(clean "${CMAKE_MAKE_PROGRAM}" "${TSB_COMPILER_CACHE}")
  execute_process(
    COMMAND
      ${clean} "${CMAKE_COMMAND}" -G Ninja -S "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../torchpkg" -B "${build}" -D
      "CMAKE_MAKE_PROGRAM=${CMAKE_MAKE_PROGRAM}" -D "CMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}" -D
      "CMAKE_CXX_COMPILER_LAUNCHER=${TSB_COMPILER_CACHE}" -D TORCHPKG_WERROR=OFF
    OUTPUT_VARIABLE output
    ERROR_VARIABLE output
    RESULT_VARIABLE status
  )
  if(NOT status EQUAL 0)
    message(NOTICE "${output}")
    message(
      FATAL_ERROR "  torchpkg cannot be configured, for the reason above\n  ./bootstrap.sh installs what it needs"
    )
  endif()
  add_custom_target(
    torchpkg
    COMMAND
      sh "${CMAKE_SOURCE_DIR}/cmake/detail/run_script.sh" "${CMAKE_COMMAND}" -D "TORCHPKG_BUILD=${build}" -D
      "NINJA=${CMAKE_MAKE_PROGRAM}" -D "CACHE=${TSB_COMPILER_CACHE}" -P
      "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/build_torchpkg.cmake"
    COMMENT "torchpkg"
    USES_TERMINAL VERBATIM
  )
endfunction()
