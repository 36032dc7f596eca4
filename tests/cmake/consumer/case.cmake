# SPDX-License-Identifier: BSD-3-Clause
# One case of consumer_check: makes a package and a consumer, spoils one of them, runs the check and reads what it says.
cmake_minimum_required(VERSION 3.25)
include("${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/samples.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/run_check.cmake")
make_package()
make_consumer()
set(config "${package}/share/cmake/Torch/TorchConfig.cmake")

if(CASE STREQUAL "good")
  make_zip()
  check(good)
  file(READ "${TSB_TEST_DIR}/result.json" result)
  string(JSON verdict GET "${result}" verdict)
  tsb_expect("verdict" EQUAL "${verdict}" ok)
  string(JSON rows LENGTH "${result}" rows)
  tsb_expect("rows" EQUAL "${rows}" 12)
  tsb_expect("unpacked package" ABSENT "${TSB_TEST_DIR}/scratch/first")
  tsb_expect("unpacked package" ABSENT "${TSB_TEST_DIR}/scratch/second place")
elseif(CASE STREQUAL "static")
  make_static(-fPIC)
  make_zip()
  check(good)
  tsb_expect(
    "output" CONTAINS "${output}" "ok first, g++, bfd, fixed address: 1 checks, 0 failed; 0 MB"
    "ok first, g++, bfd, position-independent, gc-sections: 1 checks, 0 failed; 0 MB"
    "ok first, g++, bfd, shared library: 1 checks, 0 failed; 0 MB"
  )
  foreach(compiler IN ITEMS g++ clang++)
    find_program(present ${compiler} NO_CACHE)
    if(present)
      tsb_expect(
        "output" CONTAINS "${output}" "first, ${compiler}, bfd" "first, ${compiler}, lld" "first, ${compiler}, mold"
      )
    endif()
    unset(present)
  endforeach()
  tsb_expect("the second place" LACKS "${output}" "second place, g++")
elseif(CASE STREQUAL "static_without_pic")
  # Links into a program at a fixed address, and nowhere else.
  file(APPEND "${TSB_TEST_DIR}/torch.cpp" "int table[9];\nint* of_table() { return table; }\n")
  make_static(-fno-pic)
  append(
    "${config}"
    "set_target_properties(torch PROPERTIES INTERFACE_LINK_OPTIONS \"$<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>\")\n"
  )
  bad("ok first, g++, bfd, fixed address" "cannot be used: link g++, bfd, shared library at first" "relocation")
elseif(CASE STREQUAL "debugger")
  make_debug()
  make_zip()
  make_debug_zip()
  check(good "-DTSB_DEBUG_PACKAGE=${debug_zip}")
  tsb_expect(
    "output" CONTAINS "${output}" "ok first, gdb, beside: Line 2 of \"/usr/src/sample/show_config.cpp\""
    "ok first, gdb, by build ID: Line 2 of \"/usr/src/sample/show_config.cpp\""
  )
elseif(CASE STREQUAL "debugger_finds_nothing")
  make_debug()
  file(REMOVE "${debug}/lib/.debug/libtorch_cpu.so.debug")
  make_debug_zip()
  bad("gdb, beside at first: gdb knows no source line")
elseif(CASE STREQUAL "debugger_no_build_id")
  make_debug()
  file(REMOVE_RECURSE "${debug}/lib/.debug/.build-id")
  make_debug_zip()
  bad("ok first, gdb, beside" "gdb, by build ID at first: gdb knows no source line")
elseif(CASE STREQUAL "no_debug_package")
  make_zip()
  check(bad "-DTSB_DEBUG_PACKAGE=${TSB_TEST_DIR}/none.zip")
  tsb_expect("output" CONTAINS "${output}" "error: consumer_check: there is no package ${TSB_TEST_DIR}/none.zip")
elseif(CASE STREQUAL "empty_environment")
  make_zip()
  check(good)
  file(STRINGS "${TSB_TEST_DIR}/scratch/log/first-run.log" lines REGEX "^environment ")
  # What this machine may have set for its GPUs is handed on.
  list(FILTER lines EXCLUDE REGEX "^environment (CUDA_VISIBLE_DEVICES|NCCL_|NVSHMEM_|TORCH_SYMM_MEM_)")
  list(LENGTH lines length)
  tsb_expect("variables (${lines})" EQUAL "${length}" 2)
  file(READ "${TSB_TEST_DIR}/scratch/log/first-run_OMP_NUM_THREADS=1.log" text)
  tsb_expect("second run" CONTAINS "${text}" "environment OMP_NUM_THREADS=1")
elseif(CASE STREQUAL "expectations")
  make_zip()
  check(good)
  file(STRINGS "${TSB_TEST_DIR}/scratch/log/second_place-run.log" text LIMIT_COUNT 1)
  file(REAL_PATH "${TSB_TEST_DIR}/scratch" work)
  tsb_expect(
    "options" EQUAL "${text}" "[--expect-version][2.6.0][--expect-no-feature][FBGEMM][--expect-feature][MKLDNN]\
[--expect-blas][mkl][--expect-prefix][${work}/second place/libtorch][--json][checks.json]"
  )
elseif(CASE STREQUAL "no_arguments")
  set(zip "")
  check(bad)
  tsb_expect(
    "output" CONTAINS "${output}" "error: consumer_check: TSB_PACKAGE is not given usage: cmake -D TSB_PACKAGE=<zip>"
  )
elseif(CASE STREQUAL "no_package")
  check(bad)
  tsb_expect("output" CONTAINS "${output}" "error: consumer_check: there is no package ${zip}")
elseif(CASE STREQUAL "not_a_zip")
  file(WRITE "${zip}" "PK but no zip")
  check(bad)
  tsb_expect("output" CONTAINS "${output}" "libtorch-shared-with-deps.zip cannot be used: unpack at first")
elseif(CASE STREQUAL "no_version")
  file(REMOVE "${package}/build-version")
  bad("unpack at first: there is no libtorch/build-version in it")
elseif(CASE STREQUAL "no_cmake_package")
  file(REMOVE "${config}")
  bad("cannot be used: configure at first" "TorchConfig.cmake")
elseif(CASE STREQUAL "warning")
  append("${config}" "message(WARNING \"static library kineto not found.\")\n")
  bad("configure at first: find_package(Torch) warns" "static library kineto not found")
elseif(CASE STREQUAL "compile_error")
  file(WRITE "${package}/include/torch.h" "int length(;\n")
  bad("cannot be used: build at first" "torch.h")
elseif(CASE STREQUAL "failed_check")
  append(
    "${consumer}/main.cpp"
    "static const int told = (puts(\"FAIL svd: found 1, expected 2\"), fflush(stdout), exit(1), 0);\n"
  )
  file(WRITE "${consumer}/abi.cpp" "int main() {}\n")
  file(READ "${consumer}/CMakeLists.txt" text)
  string(
    REPLACE "foreach(program torch_consumer right_abi wrong_abi)"
            "add_executable(right_abi abi.cpp)\nforeach(program torch_consumer wrong_abi)" text "${text}"
  )
  file(WRITE "${consumer}/CMakeLists.txt" "${text}")
  bad("| FAIL svd: found 1, expected 2" "cannot be used: run at first: it ended with: 1" "log: ")
elseif(CASE STREQUAL "no_checks")
  file(READ "${consumer}/main.cpp" text)
  string(REPLACE "1 checks, 0 failed" "1 checks, 1 failed" text "${text}")
  file(WRITE "${consumer}/main.cpp" "${text}")
  bad("run at first: it ended without having told its checks")
elseif(CASE STREQUAL "space")
  # An unquoted path in a linker option is the classic.
  append(
    "${config}"
    "set_target_properties(torch PROPERTIES INTERFACE_LINK_LIBRARIES \"-Wl,-rpath,\${prefix}/lib -L\${prefix}/lib\")\n"
  )
  bad("ok first, run" "cannot be used: build at second place")
elseif(CASE STREQUAL "points_back")
  # Finds its library where the package was when it was made: gone when the second place is tried.
  append(
    "${config}"
    "set_target_properties(torch PROPERTIES IMPORTED_LOCATION \"${TSB_TEST_DIR}/scratch/first/libtorch/lib/libtorch.so\")\n"
  )
  bad("ok first, run" "cannot be used: build at second place")
elseif(CASE STREQUAL "other_abi_links")
  file(
    WRITE "${TSB_TEST_DIR}/old.cpp"
    "#define _GLIBCXX_USE_CXX11_ABI 0\n#include <string>\nint length(const std::string& text) { return static_cast<int>(text.size()); }\n"
  )
  execute_process(
    COMMAND c++ -shared -fPIC -Wl,-soname,libtorch.so "${TSB_TEST_DIR}/torch.cpp" "${TSB_TEST_DIR}/old.cpp" -o
            "${package}/lib/libtorch.so" COMMAND_ERROR_IS_FATAL ANY
  )
  bad("link wrong_abi at first: a program of the other C++ ABI links")
elseif(CASE STREQUAL "other_abi_fails_otherwise")
  file(READ "${consumer}/main.cpp" text)
  file(WRITE "${consumer}/main.cpp" "${text}\n#if !_GLIBCXX_USE_CXX11_ABI\n#error never compiles\n#endif\n")
  bad("link wrong_abi at first: it failed for another reason than an undefined reference")
else()
  message(FATAL_ERROR "there is no case ${CASE}")
endif()
