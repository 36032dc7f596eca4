# SPDX-License-Identifier: BSD-3-Clause
# A consumer in a folder of another name: find_package twice and in two folders, no warning, no folder of the build
# machine; the program has PyTorch's definitions, and loads libtorch_cpu.so although it names none of its symbols.
include("${CMAKE_CURRENT_LIST_DIR}/package.cmake")
set(root "${TSB_TEST_DIR}/made here/libtorch")
make_package("${root}")
file(GLOB_RECURSE files "${root}/share/*" "${root}/lib/pkgconfig/*")
list(LENGTH files count)
tsb_expect("files of the package" EQUAL ${count} 6)
foreach(file IN LISTS files)
  file(READ "${file}" text)
  foreach(part IN ITEMS "${TSB_TEST_DIR}" "/build/machine" protobuf "@TSB")
    tsb_expect("${file}" LACKS "${text}" "${part}")
  endforeach()
endforeach()

file(WRITE "${TSB_TEST_DIR}/c10.cpp" "int c10_number() { return 10; }\n")
file(
  WRITE "${TSB_TEST_DIR}/torch_cpu.cpp"
  "#include <stdio.h>\nstatic int registered = printf(\"operators registered\\n\");\n"
)
file(WRITE "${TSB_TEST_DIR}/torch.cpp" "\n")
file(MAKE_DIRECTORY "${root}/lib")
foreach(library IN ITEMS c10 torch_cpu torch)
  run(
    good
    c++
    -shared
    -fPIC
    -Wl,-soname,lib${library}.so
    "${TSB_TEST_DIR}/${library}.cpp"
    -o
    "${root}/lib/lib${library}.so"
  )
endforeach()
file(WRITE "${root}/include/c10/number.h" "int c10_number();\n")
file(WRITE "${root}/include/torch/csrc/api/include/torch/torch.h" "#include <c10/number.h>\n")
file(RENAME "${TSB_TEST_DIR}/made here" "${TSB_TEST_DIR}/unpacked there")
set(root "${TSB_TEST_DIR}/unpacked there/libtorch")

file(
  WRITE "${TSB_TEST_DIR}/project/CMakeLists.txt"
  [[
cmake_minimum_required(VERSION 3.18)
project(consumer LANGUAGES CXX)
find_package(Torch 2.5 REQUIRED)
find_package(Torch REQUIRED)
find_package(Caffe2 REQUIRED)
add_executable(app main.cpp)
target_link_libraries(app PRIVATE ${TORCH_LIBRARIES})
add_subdirectory(below)
foreach(variable IN ITEMS TORCH_FOUND TORCH_INSTALL_PREFIX TORCH_INCLUDE_DIRS TORCH_LIBRARIES TORCH_LIBRARY TORCH_CXX_FLAGS Torch_VERSION)
  file(APPEND "${CMAKE_BINARY_DIR}/variables.txt" "${variable}=${${variable}}\n")
endforeach()
]]
)
file(
  WRITE "${TSB_TEST_DIR}/project/below/CMakeLists.txt"
  [[
find_package(Torch REQUIRED)
add_executable(below ../main.cpp)
target_link_libraries(below torch)
]]
)
file(
  WRITE "${TSB_TEST_DIR}/project/main.cpp"
  [[
#include <torch/torch.h>
#include <cstdio>
#if !defined(USE_ONE) || USE_TWO != 2 || _GLIBCXX_USE_CXX11_ABI != 1 || __cplusplus < 201703L
#error definitions are missing
#endif
int main() { return std::printf("%d\n", c10_number()) < 0; }
]]
)
run(
  good
  "${CMAKE_COMMAND}"
  -S
  "${TSB_TEST_DIR}/project"
  -B
  "${TSB_TEST_DIR}/build"
  -G
  Ninja
  "-DCMAKE_PREFIX_PATH=${root}"
)
tsb_expect("configure" LACKS "${output}" "Warning")
file(READ "${TSB_TEST_DIR}/build/variables.txt" text)
tsb_expect(
  "variables"
  EQUAL
  "${text}"
  "TORCH_FOUND=TRUE
TORCH_INSTALL_PREFIX=${root}
TORCH_INCLUDE_DIRS=${root}/include;${root}/include/torch/csrc/api/include
TORCH_LIBRARIES=torch;torch_library;${root}/lib/libc10.so
TORCH_LIBRARY=${root}/lib/libtorch.so
TORCH_CXX_FLAGS=-D_GLIBCXX_USE_CXX11_ABI=1
Torch_VERSION=2.6.0\n"
)
run(good "${CMAKE_COMMAND}" --build "${TSB_TEST_DIR}/build")
foreach(program IN ITEMS app below/below)
  run(good "${TSB_TEST_DIR}/build/${program}")
  tsb_expect("${program}" EQUAL "${output}" "operators registered\n10\n")
endforeach()

# The same program by hand, with pkg-config.
set(ENV{PKG_CONFIG_PATH} "${root}/lib/pkgconfig")
run(good pkg-config --modversion torch)
tsb_expect("version" EQUAL "${output}" "2.6.0\n")
run(
  good
  sh
  -c
  "eval c++ -std=c++17 '\"$1/project/main.cpp\"' -o '\"$1/by hand\"' \"$(pkg-config --cflags --libs torch)\""
  sh
  "${TSB_TEST_DIR}"
)
run(good "${CMAKE_COMMAND}" -E env "LD_LIBRARY_PATH=${root}/lib" "${TSB_TEST_DIR}/by hand")
tsb_expect("by hand" EQUAL "${output}" "operators registered\n10\n")
