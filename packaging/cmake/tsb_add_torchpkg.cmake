# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_add_torchpkg
----------------

Configures torchpkg, and adds the target ``torchpkg`` that compiles it. ::

  tsb_add_torchpkg()

Both run as the packages' commands do (:command:`tsb_clean_environment`, and their runner), with their compiler: no
``CXXFLAGS``, ``CMAKE_PREFIX_PATH`` or toolchain file of the caller's, and no conda environment, takes part.

Errors: what its CMake cannot find, with its own words.
#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/isolation/tsb_clean_environment.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/jobs/tsb_job_pools.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/python/tsb_python_command.cmake)

function(tsb_add_torchpkg)
  set(build "${CMAKE_BINARY_DIR}/packaging/torchpkg")
  tsb_clean_environment(clean "${CMAKE_MAKE_PROGRAM}" "${TSB_COMPILER_CACHE}")
  execute_process(
    COMMAND
      ${clean} "${CMAKE_COMMAND}" -G Ninja -D "TSB_ADDITIONS=${TSB_ADDITIONS}" -S
      "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../torchpkg" -B "${build}" -D "CMAKE_MAKE_PROGRAM=${CMAKE_MAKE_PROGRAM}" -D
      "CMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}" -D "CMAKE_CXX_COMPILER_LAUNCHER=${TSB_COMPILER_CACHE}" -D
      TORCHPKG_WERROR=OFF
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
  if(NOT TSB_CODEGEN_PYTHON) # the doctor's check was skipped
    set(TSB_CODEGEN_PYTHON python3)
  endif()
  tsb_job_pools(MEMORY_PER_JOB_MB 1000 RESULT_JOBS jobs)
  z_tsb_clean_path(path "${CMAKE_MAKE_PROGRAM}" "${TSB_COMPILER_CACHE}")
  tsb_python_command(runner "${TSB_CODEGEN_PYTHON}" "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../cmake/package/runner")
  add_custom_target(
    torchpkg
    COMMAND ${runner} --package torchpkg --phase build --log "${build}/log/build.log" -- env -i "PATH=${path}"
            LANG=C.UTF-8 "${CMAKE_MAKE_PROGRAM}" -C "${build}" -j ${jobs} torchpkg
    COMMENT "Building torchpkg"
    USES_TERMINAL VERBATIM
  )
endfunction()
