# SPDX-License-Identifier: BSD-3-Clause
# None of our C++ sources has what .clang-tidy asks for. In: BUILD_DIR, the build whose compile_commands.json says how
# they are compiled.
#
# A source takes 20 CPU seconds, with GoogleTest and JSON 45 (measured). So, unless TSB_CLANG_TIDY=ON is in the
# environment, only those are looked at that have changed since the commit at which this test passed last,
# build/clang-tidy-passed, else since the last commit; and, for a changed header, the first that includes it.
cmake_minimum_required(VERSION 3.25)
set(most 6)
set(all "TSB_CLANG_TIDY=ON in the environment looks at all")
set(passed ${TSB_SOURCE_DIR}/build/clang-tidy-passed)
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
      list(APPEND files "${file}")
    endif()
  endforeach()
endif()
if(files STREQUAL "")
  message(FATAL_ERROR "${database} names none of our sources: nothing would be checked")
endif()
function(git out)
  execute_process(
    COMMAND git -C ${TSB_SOURCE_DIR} ${ARGN}
    OUTPUT_VARIABLE text
    OUTPUT_STRIP_TRAILING_WHITESPACE
    RESULT_VARIABLE status
    ERROR_QUIET
  )
  string(REPLACE "\n" ";" text "${text}")
  set(${out} "${text}" PARENT_SCOPE)
  set(git_status ${status} PARENT_SCOPE)
endfunction()

if(NOT "$ENV{TSB_CLANG_TIDY}")
  set(since HEAD^)
  if(EXISTS ${passed})
    file(READ ${passed} since)
  endif()
  git(changed diff --name-only ${since} -- *.cpp *.h)
  if(NOT git_status EQUAL 0)
    message("SKIP: git does not know what has changed since ${since}; ${all}")
    return()
  endif()
  git(new ls-files --others --exclude-standard -- *.cpp *.h)
  set(chosen "")
  foreach(file IN LISTS changed new)
    if("${TSB_SOURCE_DIR}/${file}" IN_LIST files)
      list(APPEND chosen "${TSB_SOURCE_DIR}/${file}")
    elseif(file MATCHES "[.]h$")
      get_filename_component(name ${file} NAME)
      foreach(source IN LISTS files)
        file(STRINGS ${source} included REGEX "^#include .*[/\"]${name}\"" LIMIT_COUNT 1)
        if(included)
          list(APPEND chosen ${source})
          break()
        endif()
      endforeach()
    endif()
  endforeach()
  list(REMOVE_DUPLICATES chosen)
  list(LENGTH chosen count)
  if(count GREATER most)
    message("SKIP: ${count} sources have changed since ${since}, which takes many minutes; ${all}")
    return()
  endif()
  message("looked at, as changed since ${since}: ${chosen}")
  set(files ${chosen})
endif()
list(JOIN files "\n" files)
# Without the compiler's precompiled header, which clang cannot read.
file(READ "${database}" commands)
string(REGEX REPLACE " -Winvalid-pch -include [^\"]*cmake_pch\\.hxx" "" commands "${commands}")
file(WRITE ${TSB_TEST_DIR}/compile_commands.json "${commands}")
# One process a file, all processors at work. The summaries of what was suppressed are of no use.
file(WRITE ${TSB_TEST_DIR}/files.txt "${files}")
cmake_host_system_information(RESULT jobs QUERY NUMBER_OF_LOGICAL_CORES)
execute_process(
  COMMAND tr "\\n" "\\0"
  COMMAND xargs -0 -r -n 1 -P ${jobs} ${clang_tidy} --quiet -p ${TSB_TEST_DIR}
  INPUT_FILE ${TSB_TEST_DIR}/files.txt
  RESULT_VARIABLE status
  OUTPUT_VARIABLE output
  ERROR_QUIET
)
if(NOT status EQUAL 0)
  message("${output}")
  message(FATAL_ERROR "fix what is named above, or switch a check off in .clang-tidy and say why")
endif()
git(head rev-parse HEAD)
if(git_status EQUAL 0)
  file(WRITE ${passed} "${head}")
endif()
