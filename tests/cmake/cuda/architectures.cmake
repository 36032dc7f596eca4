# SPDX-License-Identifier: BSD-3-Clause
# On which GPUs the program that tries a package uses it: where it has code for them, as it was compiled, and as it was
# cut. On others what needs a GPU is skipped, since the package is not wrong.
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)
file(
  WRITE "${TSB_TEST_DIR}/main.cpp"
  "#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>
bool has_code_for(const std::string& flags, int capability);
bool is_cut_to(const std::vector<std::string>& archs, int capability);
int main(int count, char** words) {
  const int gpu = std::atoi(words[1]);
  std::cout << has_code_for(words[2], gpu) << is_cut_to({words + 3, words + count}, gpu);
}
"
)
set(ask "${TSB_TEST_DIR}/ask")
set(source "${TSB_SOURCE_DIR}/backends/cuda/consumer/architectures.cpp")
execute_process(COMMAND c++ -std=c++17 "${TSB_TEST_DIR}/main.cpp" "${source}" -o "${ask}" COMMAND_ERROR_IS_FATAL ANY)
set(flags "-gencode;arch=compute_80,code=sm_80;-gencode;arch=compute_90a,code=sm_90a;-gencode")
string(APPEND flags ";arch=compute_100f,code=sm_100f;-gencode;arch=compute_120,code=compute_120")
foreach(
  # the GPU, what it was cut to; whether it has code for the GPU as it was compiled, and as it was cut
  case IN ITEMS "75 =01" "80 =11" "89 8.6=11" "90 9.0=11" "103 10.0 12.0=11" "120 8.0 9.0=10" "121 9.0 9.0+PTX=11"
                "86 9.0=10" "80 8.6+PTX=10" "91 9.0=01"
)
  string(REGEX MATCH "^(.*)=(.)(.)$" ignored "${case}")
  set(expected "${CMAKE_MATCH_2}${CMAKE_MATCH_3}")
  separate_arguments(words UNIX_COMMAND "${CMAKE_MATCH_1}")
  list(POP_FRONT words gpu)
  execute_process(COMMAND "${ask}" ${gpu} "${flags}" ${words} OUTPUT_VARIABLE found COMMAND_ERROR_IS_FATAL ANY)
  tsb_expect("${case}" EQUAL "${found}" "${expected}")
endforeach()
