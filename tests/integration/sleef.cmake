# SPDX-License-Identifier: BSD-3-Clause
# Builds SLEEF as the preset does, with a store of its own, and a program that links it. The source comes from wherever
# this machine has it (TSB_SOURCES, TSB_SOURCE_MIRROR and other providers, as for a real build).
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)
set(build "${TSB_TEST_DIR}/build")
set(
  environment env "TSB_STORE=${TSB_TEST_DIR}/store" "TSB_DIST=${TSB_TEST_DIR}/dist" "TSB_TORCHPKG=${TORCHPKG}"
              --unset=TSB_PINS_FILE --unset=TSB_SUPERBUILD_DIR TSB_DOCTOR_SKIP=disk,memory
)

# run(<command>...): sets status and output.
function(run)
  tsb_run(status output IN "${TSB_SOURCE_DIR}" ${environment} ${ARGN})
  set(status "${status}" PARENT_SCOPE)
  set(output "${output}" PARENT_SCOPE)
endfunction()
macro(good what)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${what}: it ended with ${status}:\n${output}")
  endif()
endmacro()

run(${CMAKE_COMMAND} --preset cpu-libtorch-shared -B "${build}" -DTSB_PACKAGES=sleef)
good("configure")
run(${CMAKE_COMMAND} --build "${build}" --target fetch)
if(NOT status EQUAL 0)
  # Only a machine that cannot reach any provider is excused: what was reached and turned out wrong is a fault.
  if(output MATCHES "fetch: [0-9]+ required sources are missing" AND NOT output MATCHES "wrong sha256")
    string(REGEX REPLACE "\n +" " " reasons "${output}")
    string(REGEX MATCH "sleef [^\n]*needed by [^\n]*" reason "${reasons}")
    message("SKIP: no provider of the source can be reached: ${reason}")
    return()
  endif()
  message(FATAL_ERROR "fetch: it ended with ${status}:\n${output}")
endif()
run(${CMAKE_COMMAND} --build "${build}" --target sleef)
good("build")
tsb_expect("the phases" CONTAINS "${output}" "-- sleef patch" "-- sleef configure" "-- sleef build" "-- sleef stage")
file(GLOB licences "${build}/packages/sleef/licenses/*")
file(GLOB stored "${TSB_TEST_DIR}/store/sleef/*/manifest.json")
if(NOT licences OR NOT stored)
  message(FATAL_ERROR "sleef has no licence or is not in the store: ${licences} ${stored}")
endif()
tsb_expect("PyTorch" ABSENT "${build}/packages/pytorch")

# What a package that depends on it does.
run(
  ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/program -B "${TSB_TEST_DIR}/program" -G Ninja
  -DCMAKE_BUILD_TYPE=Release "-DCMAKE_PREFIX_PATH=${build}/packages/sleef/install"
)
good("configuring the program")
run(${CMAKE_COMMAND} --build "${TSB_TEST_DIR}/program")
good("building the program")
run("${TSB_TEST_DIR}/program/program")
good("the program")
message("${output}")
tsb_expect("what it says" CONTAINS "${output}" "exp(1) = 2.718281828459")
if(NOT output MATCHES "so not 4 at once")
  tsb_expect("SLEEF's kernels" CONTAINS "${output}" "4 at once")
endif()

# Another build folder takes it from the store.
run(${CMAKE_COMMAND} --preset cpu-libtorch-shared -B "${TSB_TEST_DIR}/again" -DTSB_PACKAGES=sleef)
good("the second folder")
run(${CMAKE_COMMAND} --build "${TSB_TEST_DIR}/again" --target sleef)
good("the second folder")
tsb_expect("the second folder" CONTAINS "${output}" "sleef: taken from the store")
tsb_expect("the second folder" LACKS "${output}" "-- sleef build")
