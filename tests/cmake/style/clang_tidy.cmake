# SPDX-License-Identifier: BSD-3-Clause
# None of our C++ sources has what .clang-tidy asks for. In: BUILD_DIR, the build whose compile_commands.json says how
# they are compiled.
cmake_minimum_required(VERSION 3.25)
# It takes many minutes (measured: 20 CPU seconds for a small source, 45 for one with GoogleTest
# and JSON), hence only when it is asked for.
if(NOT "$ENV{TSB_CLANG_TIDY}")
  message("SKIP: it takes many minutes of processor time; TSB_CLANG_TIDY=ON in the environment runs it")
  return()
endif()
include(${CMAKE_CURRENT_LIST_DIR}/clang_tool.cmake)
clang_tool(clang_tidy clang-tidy)
set(database ${BUILD_DIR}/compile_commands.json)
if(NOT EXISTS ${database})
  message("SKIP: this build has no ${database}; the generators for Ninja and make write one")
  return()
endif()
file(READ ${database} commands)
string(JSON count LENGTH "${commands}")
set(files "")
if(count GREATER 0)
  math(EXPR last "${count} - 1")
  foreach(index RANGE ${last})
    string(JSON file GET "${commands}" ${index} file)
    cmake_path(IS_PREFIX TSB_SOURCE_DIR "${file}" NORMALIZE ours)
    cmake_path(IS_PREFIX BUILD_DIR "${file}" NORMALIZE generated)
    if(ours AND NOT generated)
      string(APPEND files "${file}\n")
    endif()
  endforeach()
endif()
if(files STREQUAL "")
  message(FATAL_ERROR "${database} names none of our sources: nothing would be checked")
endif()
# Without the compiler's precompiled header, which clang cannot read.
file(READ "${database}" commands)
string(REGEX REPLACE " -Winvalid-pch -include [^\"]*cmake_pch\\.hxx" "" commands "${commands}")
file(WRITE ${TSB_TEST_DIR}/compile_commands.json "${commands}")
# One process a file, all processors at work. The summaries of what was suppressed are of no use.
file(WRITE ${TSB_TEST_DIR}/files.txt "${files}")
cmake_host_system_information(RESULT jobs QUERY NUMBER_OF_LOGICAL_CORES)
execute_process(
  COMMAND tr "\\n" "\\0"
  COMMAND xargs -0 -n 1 -P ${jobs} ${clang_tidy} --quiet -p ${TSB_TEST_DIR}
  INPUT_FILE ${TSB_TEST_DIR}/files.txt
  RESULT_VARIABLE status
  OUTPUT_VARIABLE output
  ERROR_QUIET
)
if(NOT status EQUAL 0)
  message("${output}")
  message(FATAL_ERROR "fix what is named above, or switch a check off in .clang-tidy and say why")
endif()
