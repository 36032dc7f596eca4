# SPDX-License-Identifier: BSD-3-Clause
# Builds SLEEF and protobuf as the preset does, with a store of their own, and a program that links both. The sources
# come from wherever this machine has them (TSB_SOURCES, TSB_SOURCE_MIRROR and other providers, as for a real build).
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

run(${CMAKE_COMMAND} --preset cpu-libtorch-shared -B "${build}" "-DTSB_PACKAGES=sleef\;protobuf")
good("configure")
run(${CMAKE_COMMAND} --build "${build}" --target fetch)
if(NOT status EQUAL 0)
  # Only a machine that cannot reach any provider is excused: what was reached and turned out wrong is a fault.
  if(output MATCHES "fetch: [0-9]+ required sources are missing" AND NOT output MATCHES "wrong sha256")
    string(REGEX REPLACE "\n +" " " reasons "${output}")
    string(REGEX MATCHALL "(sleef|protobuf) [^\n]*needed by [^\n]*" reasons "${reasons}")
    list(JOIN reasons " / " reasons)
    message("SKIP: no provider of the sources can be reached: ${reasons}")
    return()
  endif()
  message(FATAL_ERROR "fetch: it ended with ${status}:\n${output}")
endif()
run(${CMAKE_COMMAND} --build "${build}" --target sleef protobuf)
good("build")
foreach(phase IN ITEMS patch configure build stage)
  tsb_expect("the phases" CONTAINS "${output}" "-- sleef ${phase}" "-- protobuf ${phase}")
endforeach()
foreach(package IN ITEMS sleef protobuf)
  file(GLOB licences "${build}/packages/${package}/licenses/*")
  if(NOT licences)
    message(FATAL_ERROR "${package} has no licences")
  endif()
  file(GLOB stored "${TSB_TEST_DIR}/store/${package}/*/manifest.json")
  if(NOT stored)
    message(FATAL_ERROR "${package} is not in the store")
  endif()
endforeach()
tsb_expect("PyTorch" ABSENT "${build}/packages/pytorch")

run(nm --defined-only "${build}/packages/protobuf/install/lib/libprotobuf.a")
good("nm")
tsb_expect("protobuf's namespace" CONTAINS "${output}" _ZN12google_torch8protobuf)
tsb_expect("protobuf's namespace" LACKS "${output}" 6google8protobuf)

# What a package that depends on both does.
run(
  ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/program -B "${TSB_TEST_DIR}/program" -G Ninja
  -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS=-Dgoogle=google_torch # symbols.json of the release
  "-DCMAKE_PREFIX_PATH=${build}/packages/sleef/install\;${build}/packages/protobuf/install"
)
good("configuring the program")
run(${CMAKE_COMMAND} --build "${TSB_TEST_DIR}/program")
good("building the program")
run("${TSB_TEST_DIR}/program/program")
good("the program")
message("${output}")
tsb_expect("what it says" CONTAINS "${output}" "exp(1) = 2.718281828459" "x: 2.5")
if(NOT output MATCHES "so not 4 at once")
  tsb_expect("SLEEF's kernels" CONTAINS "${output}" "4 at once")
endif()

# Another build folder takes both from the store.
run(${CMAKE_COMMAND} --preset cpu-libtorch-shared -B "${TSB_TEST_DIR}/again" "-DTSB_PACKAGES=sleef\;protobuf")
good("the second folder")
run(${CMAKE_COMMAND} --build "${TSB_TEST_DIR}/again" --target sleef protobuf)
good("the second folder")
foreach(package IN ITEMS sleef protobuf)
  tsb_expect("the second folder" CONTAINS "${output}" "${package}: taken from the store")
  tsb_expect("the second folder" LACKS "${output}" "-- ${package} build")
endforeach()
