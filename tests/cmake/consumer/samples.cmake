# SPDX-License-Identifier: BSD-3-Clause
# What the cases of consumer_check are made of: a package of one library, its debug package and a consumer of one file.
# They lie in the folders ${package}, ${debug} and ${consumer}, and are packed as ${zip} and ${debug_zip}.

# make_package(): the library is compiled when the package is made: a package has to bring it along.
function(make_package)
  file(
    WRITE "${TSB_TEST_DIR}/torch.cpp"
    "#include <string>\nint length(const std::string& text) { return static_cast<int>(text.size()); }\n"
  )
  file(WRITE "${package}/include/torch.h" "#pragma once\n#include <string>\nint length(const std::string& text);\n")
  file(WRITE "${package}/build-version" "2.6.0+cpu\n")
  file(
    WRITE "${package}/manifest.json" "{\"deps\": \"with-deps\", \"features\": {\"MKLDNN\": {\"enabled\": true},
    \"FBGEMM\": {\"enabled\": false, \"reason\": \"none\"}}, \"packages\": [{\"name\": \"mkl\"}]}\n"
  )
  file(
    WRITE "${package}/share/cmake/Torch/TorchConfig.cmake"
    [[
get_filename_component(prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
add_library(torch SHARED IMPORTED)
set_target_properties(torch PROPERTIES
  IMPORTED_LOCATION "${prefix}/lib/libtorch.so" INTERFACE_INCLUDE_DIRECTORIES "${prefix}/include")
set(TORCH_LIBRARIES torch)
]]
  )
  file(MAKE_DIRECTORY "${package}/lib")
  execute_process(
    COMMAND c++ -shared -fPIC -Wl,-soname,libtorch.so "${TSB_TEST_DIR}/torch.cpp" -o "${package}/lib/libtorch.so"
            COMMAND_ERROR_IS_FATAL ANY
  )
endfunction()

# make_static(<compile option>): the same package with a static library.
function(make_static option)
  file(REMOVE "${package}/lib/libtorch.so")
  execute_process(
    COMMAND c++ -c ${option} "${TSB_TEST_DIR}/torch.cpp" -o "${TSB_TEST_DIR}/torch.o" COMMAND_ERROR_IS_FATAL ANY
  )
  execute_process(COMMAND ar rcs "${package}/lib/libtorch.a" "${TSB_TEST_DIR}/torch.o" COMMAND_ERROR_IS_FATAL ANY)
  file(READ "${config}" text)
  string(REPLACE "SHARED" "STATIC" text "${text}")
  string(REPLACE "libtorch.so" "libtorch.a" text "${text}")
  file(WRITE "${config}" "${text}")
  file(READ "${package}/manifest.json" text)
  string(JSON text SET "${text}" linkage "\"static\"")
  file(WRITE "${package}/manifest.json" "${text}")
endfunction()

# make_consumer(): one file, for all the programs that consumer_check asks for.
function(make_consumer)
  file(
    WRITE "${consumer}/CMakeLists.txt"
    [[
cmake_minimum_required(VERSION 3.18)
project(consumer LANGUAGES CXX)
find_package(Torch REQUIRED)
foreach(program torch_consumer right_abi wrong_abi)
  add_executable(${program} main.cpp)
  target_link_libraries(${program} "${TORCH_LIBRARIES}")
endforeach()
set_target_properties(wrong_abi PROPERTIES EXCLUDE_FROM_ALL ON)
target_compile_definitions(wrong_abi PRIVATE _GLIBCXX_USE_CXX11_ABI=0)
set_target_properties(torch_consumer PROPERTIES POSITION_INDEPENDENT_CODE ON)
add_library(torch_consumer_library SHARED EXCLUDE_FROM_ALL library.cpp)
target_link_libraries(torch_consumer_library "${TORCH_LIBRARIES}")
add_executable(torch_consumer_by_library EXCLUDE_FROM_ALL by_library.cpp)
target_link_libraries(torch_consumer_by_library torch_consumer_library)
]]
  )
  file(WRITE "${consumer}/library.cpp" "#define main run\n#include \"main.cpp\"\n")
  file(
    WRITE "${consumer}/by_library.cpp"
    "int run(int, char**);\nint main(int argc, char** argv) { return run(argc, argv); }\n"
  )
  # Tells what it was given, so that the test sees it in the log.
  file(
    WRITE "${consumer}/main.cpp"
    [[
#include <torch.h>
#include <stdio.h>
#include <stdlib.h>
extern char** environ;
int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) printf("[%s]", argv[i]);
  for (char** one = environ; *one != nullptr; ++one) printf("\nenvironment %s", *one);
  printf("\n1 checks, 0 failed\n");
  return length("four") == 4 ? 0 : 1;
}
]]
  )
endfunction()

# skip_without_gpu(<status>): lets torch_consumer skip a check, say so in its output and JSON, and end with this status.
function(skip_without_gpu status)
  file(READ "${consumer}/main.cpp" text)
  string(REPLACE "int main(" "static int skip();\nint main(" text "${text}")
  # The other programs have no arguments.
  string(
    REPLACE "return length(\"four\") == 4 ? 0 : 1;" "return length(\"four\") == 4 && argc > 1 ? skip() : 0;" text
            "${text}"
  )
  string(
    APPEND
    text
    [[
static int skip() {
  puts("skip cuda::attention: this machine has no NVIDIA driver");
  FILE* json = fopen("checks.json", "w");
  fputs("{\"checks\": [{\"name\": \"cuda::attention\", \"verdict\": \"skip\"}]}", json);
]]
    "  return fclose(json) + ${status};\n}\n"
  )
  file(WRITE "${consumer}/main.cpp" "${text}")
endfunction()

# make_debug(): adds a library with debug information, which goes into ${debug}.
function(make_debug)
  file(
    WRITE "${TSB_TEST_DIR}/show_config.cpp"
    "#include <string>\nnamespace at { std::string show_config() { return {}; } }\n"
  )
  set(library "${package}/lib/libtorch_cpu.so")
  set(file "${debug}/lib/.debug/libtorch_cpu.so.debug")
  set(id 0123456789abcdef0123456789abcdef01234567)
  file(MAKE_DIRECTORY "${debug}/lib/.debug/.build-id/01")
  foreach(
    command IN
    ITEMS
      "c++ -g1 -shared -fPIC -Wl,--build-id=0x${id} -ffile-prefix-map=${TSB_TEST_DIR}=/usr/src/sample ${TSB_TEST_DIR}/show_config.cpp -o ${library}"
      "objcopy --only-keep-debug ${library} ${file}"
      "objcopy --strip-unneeded --add-gnu-debuglink=${file} ${library}"
  )
    separate_arguments(command UNIX_COMMAND "${command}")
    execute_process(COMMAND ${command} WORKING_DIRECTORY "${TSB_TEST_DIR}" COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
  string(SUBSTRING ${id} 2 -1 rest)
  file(CREATE_LINK "../../libtorch_cpu.so.debug" "${debug}/lib/.debug/.build-id/01/${rest}.debug" SYMBOLIC)
endfunction()

function(make_debug_zip)
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -E tar cf "${debug_zip}" --format=zip libtorch
    WORKING_DIRECTORY "${TSB_TEST_DIR}/debug" COMMAND_ERROR_IS_FATAL ANY
  )
endfunction()

function(make_zip)
  file(REMOVE "${zip}")
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -E tar cf "${zip}" --format=zip libtorch WORKING_DIRECTORY "${TSB_TEST_DIR}/tree"
                                                                                          COMMAND_ERROR_IS_FATAL ANY
  )
endfunction()
