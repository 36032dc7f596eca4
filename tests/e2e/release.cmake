# SPDX-License-Identifier: BSD-3-Clause
# A made-up release whose folder is found through TSB_ADDITIONS and nothing else: its options, features, Pythons, C++ standard
# and names of files are those of the folder, and what it makes passes its checks.
include(${CMAKE_CURRENT_LIST_DIR}/stand_in.cmake)
set(tree "${WORK}/release")
copy_tree("${tree}")
set(additions "${WORK}/additions of a release")
file(COPY "${TSB_SOURCE_DIR}/tests/fixtures/additions-release/" DESTINATION "${additions}")
# Its pins are the stand-in's, whose hashes the mirror has.
file(COPY "${WORK}/stand-in/pins/" DESTINATION "${additions}/releases/9.9.0")
foreach(file IN ITEMS sources.json components.json)
  file(READ "${additions}/releases/9.9.0/${file}" json)
  string(JSON json SET "${json}" release "\"9.9.0\"")
  if(file STREQUAL "sources.json")
    string(JSON json SET "${json}" sources pytorch candidates 0 version "\"9.9.0\"")
  endif()
  file(WRITE "${additions}/releases/9.9.0/${file}" "${json}\n")
endforeach()
file(COPY "${WORK}/stand-in/mirror/pytorch/${pytorch}/" DESTINATION "${WORK}/stand-in/mirror/pytorch/9.9.0")

find_usable_python(python tag)
set(artifacts libtorch-shared-with-deps)
if(NOT tag STREQUAL "")
  list(APPEND artifacts wheel-py${tag})
endif()
set(environment "TSB_ADDITIONS=${additions}" TSB_PINS_FILE= PIP_NO_INDEX=1 "TSB_PYTHON_${tag}=${python}")
set(build "${tree}/build/of-9.9.0")
file(
  WRITE "${tree}/CMakeUserPresets.json"
  "{\"version\": 6, \"configurePresets\": [{\"name\": \"of-9.9.0\", \"inherits\": \"cpu-libtorch-shared\",
  \"cacheVariables\": {\"TSB_PYTORCH_VERSION\": \"9.9.0\", \"TSB_ARTIFACTS\": \"${artifacts}\"}}]}"
)

# step("<what>" <command>...): a step of the workflow.
macro(step what)
  run_in("${tree}" ENVIRONMENT ${environment} COMMAND ${ARGN})
  good("${what}")
endmacro()
step("configure" "${CMAKE_COMMAND}" --preset of-9.9.0)
step("build" "${CMAKE_COMMAND}" --build "${build}")
step("test" "${CMAKE_CTEST_COMMAND}" --test-dir "${build}")
step("pack" "${CMAKE_CPACK_COMMAND}" --config "${build}/CPackConfig.cmake")
step("check" "${CMAKE_COMMAND}" --build "${build}" --target check)
set(checked "${output}")

set(zip "${tree}/dist/libtorch-shared-with-deps-9.9.0+cpu.zip")
tsb_expect("the zip" CONTAINS "${checked}" "${zip} has passed all checks")
file(STRINGS "${build}/packages/pytorch/build/CMakeCache.txt" options REGEX "^(USE|BUILD)_[A-Z_]+:")
tsb_expect("an option of this release" CONTAINS "${options}" "USE_NEW_THING:UNINITIALIZED=ON")
tsb_expect("an option of another release" LACKS "${options}" "USE_XPU")
file(ARCHIVE_EXTRACT INPUT "${zip}" DESTINATION "${TSB_TEST_DIR}/out")
set(root "${TSB_TEST_DIR}/out/libtorch")
file(READ "${root}/manifest.json" manifest)
string(JSON features GET "${manifest}" features)
string(JSON reason GET "${features}" FBGEMM reason)
tsb_expect("a feature of this release" EQUAL "${reason}" "this release does without")
tsb_expect("a feature of another release" LACKS "${features}" KINETO)
file(READ "${root}/share/cmake/Caffe2/Caffe2Targets.cmake" targets)
tsb_expect("the C++ standard" CONTAINS "${targets}" cxx_std_20)
if(NOT tag STREQUAL "")
  file(GLOB wheel "${tree}/dist/torch-9.9.0+cpu-cp${tag}-cp${tag}-*.whl")
  tsb_expect("the wheel" CONTAINS "${checked}" "${wheel} has passed all checks")
endif()

# Its Pythons are its own.
run_in(
  "${tree}" ENVIRONMENT ${environment} TSB_DOCTOR_SKIP=disk,memory,pythons COMMAND "${CMAKE_COMMAND}" --preset of-9.9.0
                                                                                   -DTSB_ARTIFACTS=wheel-py39
)
tsb_expect("the Pythons" CONTAINS "${output}" "there is no package 'pytorch-py39'; declared are:")
tsb_expect("the Pythons" CONTAINS "${output}" pytorch-py315)
