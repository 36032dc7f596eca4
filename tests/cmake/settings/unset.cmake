# SPDX-License-Identifier: BSD-3-Clause
# `cmake --build` configures again by itself when a CMake file has changed, perhaps in another environment than the one
# that the folder was configured in. What is no longer set is named; its value is kept nowhere.
cmake_minimum_required(VERSION 3.25)
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)
set(build "${TSB_TEST_DIR}/build")
file(
  WRITE "${TSB_TEST_DIR}/CMakeLists.txt"
  "cmake_minimum_required(VERSION 3.25)
project(demo LANGUAGES NONE)
include(\"${TSB_SOURCE_DIR}/cmake/settings/tsb_check_settings.cmake\")
tsb_check_settings(RESULT_ERROR error)
if(error)
  message(FATAL_ERROR \"\${error}\")
endif()
set(TSB_MEMORY_OF_OURS 1 CACHE INTERNAL \"\")\n"
)
set(preset -DTSB_PRESET=mine -DTSB_BACKEND=cpu -DTSB_ARTIFACTS=libtorch-shared-with-deps)
set(names TSB_LOCAL_demo TSB_SOURCE_MIRROR TSB_JOBS)
list(TRANSFORM names PREPEND "--unset=" OUTPUT_VARIABLE unset)

function(run)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E env ${ARGN} OUTPUT_VARIABLE output ERROR_VARIABLE output COMMAND_ERROR_IS_FATAL ANY
  )
  message("${output}")
  set(output "${output}" PARENT_SCOPE)
endfunction()

set(secret "https://me:secret@mirror")
set(environment "TSB_LOCAL_demo=/a b;TSB_SOURCE_MIRROR=${secret};TSB_JOBS=2")
set(configure ${CMAKE_COMMAND} -S ${TSB_TEST_DIR} -B ${build} -G Ninja ${preset})
run(${unset} ${environment} ${configure})
tsb_expect("the first time" LACKS "${output}" "TSB_")
run(${unset} ${environment} ${configure})
tsb_expect("the same" LACKS "${output}" "TSB_")

file(TOUCH "${TSB_TEST_DIR}/CMakeLists.txt")
run(${unset} TSB_SOURCE_MIRROR=other ${CMAKE_COMMAND} --build ${build})
tsb_expect(
  "without one" CONTAINS "${output}"
  "TSB_LOCAL_demo was set when this folder was configured before, and is not set now: its default is used"
)
tsb_expect("what changes no result" LACKS "${output}" "TSB_JOBS was set")
tsb_expect("what is still set" LACKS "${output}" "TSB_SOURCE_MIRROR was set")
execute_process(COMMAND grep -rl secret ${build} OUTPUT_VARIABLE files)
tsb_expect("the secret" EQUAL "${files}" "")
run(${unset} TSB_SOURCE_MIRROR=other ${configure})
tsb_expect("said once" LACKS "${output}" "TSB_LOCAL_demo")
run(${unset} TSB_JOB=2 TSB_BLAS=openblas TSB_LOCAL_other=/x TSB_PYTHON_311=/x ${configure})
tsb_expect("misspelt" CONTAINS "${output}" "TSB_JOB in the environment has no effect: docs/sources.md does not list it")
tsb_expect("of presets" CONTAINS "${output}" "TSB_BLAS in the environment has no effect: presets set it, or -D")
tsb_expect("of a source" LACKS "${output}" "TSB_LOCAL_other in")
tsb_expect("of a Python" LACKS "${output}" "TSB_PYTHON_311 in")
