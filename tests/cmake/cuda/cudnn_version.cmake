# SPDX-License-Identifier: BSD-3-Clause
# The program that tries a package asks the cuDNN that is loaded for its version, not PyTorch.
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)
file(WRITE "${TSB_TEST_DIR}/cudnn.c" "#include <stddef.h>\nsize_t cudnnGetVersion(void) { return 91002; }\n")
file(
  WRITE "${TSB_TEST_DIR}/main.cpp"
  "#include <iostream>\nstd::string cudnn_version_of_library();\nint main() { std::cout << cudnn_version_of_library(); }\n"
)
set(library "${TSB_TEST_DIR}/libcudnn.so.9")
execute_process(COMMAND cc -shared -fPIC "${TSB_TEST_DIR}/cudnn.c" -o "${library}" COMMAND_ERROR_IS_FATAL ANY)
set(sources "${TSB_TEST_DIR}/main.cpp" "${TSB_SOURCE_DIR}/backends/cuda/consumer/cudnn_version.cpp")
foreach(case IN ITEMS "-Wl,--no-as-needed,${library}=9.10.2" "-Wl,--as-needed=")
  string(REGEX MATCH "^(.*)=(.*)$" ignored "${case}")
  execute_process(
    COMMAND c++ -std=c++17 ${sources} ${CMAKE_MATCH_1} "-Wl,-rpath,${TSB_TEST_DIR}" -ldl -o "${TSB_TEST_DIR}/ask"
            COMMAND_ERROR_IS_FATAL ANY
  )
  execute_process(COMMAND "${TSB_TEST_DIR}/ask" OUTPUT_VARIABLE found COMMAND_ERROR_IS_FATAL ANY)
  tsb_expect("with ${CMAKE_MATCH_1}" EQUAL "${found}" "${CMAKE_MATCH_2}")
endforeach()
