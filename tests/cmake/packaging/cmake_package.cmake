# SPDX-License-Identifier: BSD-3-Clause
# A consumer in a folder of another name: find_package twice and in two folders, no warning, no folder of the build
# machine; the program has PyTorch's definitions, and what libtorch_cpu registers is registered, once, although the
# program names none of its symbols and has libtorch by several ways.
#
# In: LINKAGE, shared or static; DEPS, with or without: whether the library libhelp, which static libraries need, is
# inside; CUDA, of static ones only: whether there are those of CUDA, which register themselves after the CPU's.
include("${CMAKE_CURRENT_LIST_DIR}/package.cmake")
set(root "${TSB_TEST_DIR}/made here/libtorch")
if(DEPS STREQUAL "without")
  set(host_library libhost.so.7)
endif()
set(names c10 torch_cpu)
set(files_wanted 6)
set(registered "operators registered\n")
if(CUDA)
  list(APPEND names c10_cuda torch_cuda torch_cuda_linalg)
  set(files_wanted 7)
  string(APPEND registered "those of CUDA\nlinear algebra\n")
  foreach(name IN LISTS names)
    file(WRITE "${root}/lib/lib${name}.a" "") # which of them there are decides
  endforeach()
endif()
make_package("${root}" ${LINKAGE} ${host_library})
file(GLOB_RECURSE files "${root}/share/*" "${root}/lib/pkgconfig/*")
list(LENGTH files count)
tsb_expect("files of the package" EQUAL ${count} ${files_wanted})
foreach(file IN LISTS files)
  tsb_expect_file("${file}" LACKS "${file}" "${TSB_TEST_DIR}" "/build/machine" protobuf "@TSB")
endforeach()

file(WRITE "${TSB_TEST_DIR}/c10.cpp" "int c10_number() { return 10; }\n")
file(
  WRITE "${TSB_TEST_DIR}/torch_cpu.cpp"
  "#include <math.h>\n#include <stdio.h>\nint c10_number();\nint help();\nint host();\nstatic double registered = pow(printf(\"operators registered\\n\"), 0.5) + c10_number()"
)
file(WRITE "${TSB_TEST_DIR}/c10_cuda.cpp" "int c10_number_of_cuda() { return 12; }\n")
set(text "#include <stdio.h>\nint c10_number_of_cuda();\nint cholesky();\nstatic int registered = ")
file(WRITE "${TSB_TEST_DIR}/torch_cuda.cpp" "${text}printf(\"those of CUDA\\n\") + c10_number_of_cuda();\n")
file(
  WRITE "${TSB_TEST_DIR}/torch_cuda_linalg.cpp"
  "${text}printf(\"linear algebra\\n\");\nint cholesky() { return registered; }\n"
)
file(MAKE_DIRECTORY "${root}/lib")
# make_shared(<source> <file>)
function(make_shared source file)
  get_filename_component(name "${file}" NAME)
  run(good c++ -shared -fPIC "-Wl,-soname,${name}" "${source}" -o "${file}")
endfunction()
if(LINKAGE STREQUAL "static")
  # libhelp is inside, libhost is the machine's.
  file(APPEND "${TSB_TEST_DIR}/torch_cpu.cpp" " + help()")
  file(WRITE "${TSB_TEST_DIR}/help.cpp" "int help() { return 1; }\n")
  make_shared("${TSB_TEST_DIR}/help.cpp" "${root}/lib/libhelp-01234567.so.1")
  if(host_library)
    file(APPEND "${TSB_TEST_DIR}/torch_cpu.cpp" " + host()")
    file(WRITE "${TSB_TEST_DIR}/host.cpp" "int host() { return 1; }\n")
    file(MAKE_DIRECTORY "${TSB_TEST_DIR}/of the host")
    make_shared("${TSB_TEST_DIR}/host.cpp" "${TSB_TEST_DIR}/of the host/libhost.so.7")
    set(ENV{LIBRARY_PATH} "${TSB_TEST_DIR}/of the host")
    set(ENV{LD_LIBRARY_PATH} "${TSB_TEST_DIR}/of the host")
  endif()
endif()
file(APPEND "${TSB_TEST_DIR}/torch_cpu.cpp" ";\n")
foreach(library IN LISTS names)
  file(REMOVE "${root}/lib/lib${library}.a")
  if(LINKAGE STREQUAL "static")
    run(good c++ -c -fPIC "${TSB_TEST_DIR}/${library}.cpp" -o "${TSB_TEST_DIR}/${library}.o")
    run(good ar rcs "${root}/lib/lib${library}.a" "${TSB_TEST_DIR}/${library}.o")
  else()
    make_shared("${TSB_TEST_DIR}/${library}.cpp" "${root}/lib/lib${library}.so")
  endif()
endforeach()
set(libraries torch)
if(CUDA)
  list(APPEND libraries c10_cuda)
endif()
set(library libtorch_cpu.a)
if(LINKAGE STREQUAL "shared")
  file(WRITE "${TSB_TEST_DIR}/torch.cpp" "\n")
  make_shared("${TSB_TEST_DIR}/torch.cpp" "${root}/lib/libtorch.so")
endif()
file(WRITE "${root}/include/c10/number.h" "int c10_number();\n")
file(WRITE "${root}/include/torch/csrc/api/include/torch/torch.h" "#include <c10/number.h>\n")
file(RENAME "${TSB_TEST_DIR}/made here" "${TSB_TEST_DIR}/unpacked there")
set(root "${TSB_TEST_DIR}/unpacked there/libtorch")
if(LINKAGE STREQUAL "shared")
  set(libraries "torch;torch_library;${root}/lib/libc10.so")
  set(library libtorch.so)
endif()

file(
  WRITE "${TSB_TEST_DIR}/project/CMakeLists.txt"
  [[
cmake_minimum_required(VERSION 3.18)
project(consumer LANGUAGES CXX)
find_package(Torch 2.5 REQUIRED)
find_package(Torch REQUIRED COMPONENTS c10 torch_cpu torch ${LINKAGE})
find_package(Caffe2 REQUIRED)
add_executable(app main.cpp)
target_link_libraries(app PRIVATE ${TORCH_LIBRARIES})
add_subdirectory(below)
# By several ways at once: a static library that uses it, all targets, the variable.
add_library(middle STATIC middle.cpp)
target_link_libraries(middle PUBLIC torch)
add_executable(several main.cpp)
target_link_libraries(several PRIVATE middle torch_cpu c10 torch_library torch ${TORCH_LIBRARIES} middle)
if(TARGET torch_cuda)
  target_link_libraries(several PRIVATE torch_cuda c10_cuda)
  target_link_libraries(app PRIVATE torch_cuda) # for its definitions
  target_compile_definitions(app PRIVATE CUDA)
endif()
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
file(WRITE "${TSB_TEST_DIR}/project/middle.cpp" "#include <torch/torch.h>\nint middle() { return c10_number(); }\n")
file(
  WRITE "${TSB_TEST_DIR}/project/main.cpp"
  [[
#include <torch/torch.h>
#include <cstdio>
#if !defined(USE_ONE) || USE_TWO != 2 || _GLIBCXX_USE_CXX11_ABI != 1 || __cplusplus < 201703L
#error definitions are missing
#endif
#if defined(CUDA) && !defined(USE_THREE)
#error definitions of CUDA are missing
#endif
int main() { return std::printf("%d\n", c10_number()) < 0; }
]]
)
run(
  good "${CMAKE_COMMAND}" -S "${TSB_TEST_DIR}/project" -B "${TSB_TEST_DIR}/build" -G Ninja
  "-DCMAKE_PREFIX_PATH=${root}" "-DLINKAGE=${LINKAGE}"
  -DCMAKE_EXE_LINKER_FLAGS=-Wl,--as-needed # as Ubuntu's compilers do unasked
)
tsb_expect("configure" LACKS "${output}" "Warning")
tsb_expect_file(
  "variables"
  EQUAL
  "${TSB_TEST_DIR}/build/variables.txt"
  "TORCH_FOUND=TRUE
TORCH_INSTALL_PREFIX=${root}
TORCH_INCLUDE_DIRS=${root}/include;${root}/include/torch/csrc/api/include
TORCH_LIBRARIES=${libraries}
TORCH_LIBRARY=${root}/lib/${library}
TORCH_CXX_FLAGS=-D_GLIBCXX_USE_CXX11_ABI=1
Torch_VERSION=2.6.0\n"
)
run(good "${CMAKE_COMMAND}" --build "${TSB_TEST_DIR}/build")
foreach(program IN ITEMS app below/below several)
  run(good "${TSB_TEST_DIR}/build/${program}")
  tsb_expect("${program}" EQUAL "${output}" "${registered}10\n")
endforeach()

# Libraries of the other linkage, and a component that nobody knows.
set(other static)
if(LINKAGE STREQUAL "static")
  set(other shared)
endif()
foreach(component IN ITEMS ${other} python)
  run(
    bad "${CMAKE_COMMAND}" -S "${TSB_TEST_DIR}/project" -B "${TSB_TEST_DIR}/build of ${component}" -G Ninja
    "-DCMAKE_PREFIX_PATH=${root}" "-DLINKAGE=${component}"
  )
  tsb_expect("component" CONTAINS "${output}" "(missing: ${component})")
endforeach()

# The same program by hand, with pkg-config.
set(ENV{PKG_CONFIG_PATH} "${root}/lib/pkgconfig")
run(good pkg-config --modversion torch)
tsb_expect("version" EQUAL "${output}" "2.6.0\n")
run(
  good sh -c
  "eval c++ -std=c++17 '\"$1/project/main.cpp\"' -o '\"$1/by hand\"' \"$(pkg-config --cflags --libs torch)\"" sh
  "${TSB_TEST_DIR}"
)
run(good "${CMAKE_COMMAND}" -E env "LD_LIBRARY_PATH=${root}/lib:$ENV{LD_LIBRARY_PATH}" "${TSB_TEST_DIR}/by hand")
tsb_expect("by hand" EQUAL "${output}" "${registered}10\n")
