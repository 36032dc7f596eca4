# SPDX-License-Identifier: BSD-3-Clause
# Compiles torchpkg, if anything has changed. All presets of a checkout share its folder, so a second run waits for one
# that works in it.
#
#   run cmake -D TSB_BUILD_FOLDER=<folder of the preset> -P build_torchpkg.cmake
cmake_minimum_required(VERSION 3.25)
set(z_tsb_cmake "${CMAKE_CURRENT_LIST_DIR}/../cmake")
include("${z_tsb_cmake}/detail/tsb_fail.cmake")
include("${z_tsb_cmake}/detail/tsb_progress.cmake")
include("${z_tsb_cmake}/jobs/tsb_job_pools.cmake")
include("${z_tsb_cmake}/python/tsb_python_command.cmake")
include("${z_tsb_cmake}/settings/z_tsb_use_settings.cmake")
include("${z_tsb_cmake}/step/tsb_step.cmake")

# In the packages' environment and with their compiler: no CXXFLAGS, CMAKE_PREFIX_PATH or toolchain file of the
# caller's, and no conda environment, takes part.
function(z_tsb_run_for_torchpkg phase)
  execute_process(
    COMMAND ${runner} --package torchpkg --phase ${phase} --log "${folder}/log/${phase}.log" -- env -i
            "PATH=${settings_path}" LANG=C.UTF-8 ${ARGN} RESULT_VARIABLE code
  )
  if(NOT code EQUAL 0)
    tsb_fail("torchpkg: the ${phase} phase failed" "./bootstrap.sh --install-only installs what it needs")
  endif()
endfunction()

function(z_tsb_configure_torchpkg)
  file(REMOVE "${folder}/CMakeCache.txt") # the checkout may have been moved
  z_tsb_run_for_torchpkg(configure "${CMAKE_COMMAND}" -G Ninja -S "${source}" -B "${folder}" ${options})
endfunction()

z_tsb_use_settings("${TSB_BUILD_FOLDER}")
tsb_python_command(runner "${settings_python}" runner)
get_filename_component(source "${CMAKE_CURRENT_LIST_DIR}/torchpkg" ABSOLUTE)
get_filename_component(folder "${settings_torchpkg}" DIRECTORY)
file(MAKE_DIRECTORY "${folder}")
tsb_progress("torchpkg configure")
file(LOCK "${folder}/.lock" TIMEOUT 0 RESULT_VARIABLE busy)
if(NOT busy EQUAL 0)
  tsb_progress("torchpkg configure: waiting for the run that compiles it")
  file(LOCK "${folder}/.lock")
endif()

set(
  options
  "-DCMAKE_MAKE_PROGRAM=${settings_ninja}" "-DCMAKE_CXX_COMPILER=${settings_CMAKE_CXX_COMPILER}"
  "-DCMAKE_CXX_COMPILER_LAUNCHER=${settings_compiler_cache}" "-DTSB_ADDITIONS=${TSB_ADDITIONS}" -DTORCHPKG_WERROR=OFF
)
set(inputs "")
z_tsb_step_value(inputs "options" "${CMAKE_COMMAND};${source};${options}")
set(TSB_STEPS "${folder}/steps")
tsb_step(ran torchpkg configure INPUTS "${inputs}" OUTPUTS "${folder}/CMakeFiles" COMMAND z_tsb_configure_torchpkg)
tsb_job_pools(MEMORY_PER_JOB_MB 1000 RESULT_JOBS jobs)
z_tsb_run_for_torchpkg(build "${settings_ninja}" -C "${folder}" -j ${jobs} torchpkg)
