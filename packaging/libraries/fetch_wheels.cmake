# SPDX-License-Identifier: BSD-3-Clause
# Gets the pinned wheels of requirements.txt beside, and those that the checks of wheels install, into the source cache,
# and unpacks the first ones into <build folder>/python-tools. A part of the step fetch.
#
#   run cmake -D TSB_BUILD_FOLDER=<folder> [-D TSB_CHECKS=<Python=file;...>] -P fetch_wheels.cmake
cmake_minimum_required(VERSION 3.25)
foreach(file IN ITEMS model/tsb_read_record settings/z_tsb_use_settings step/tsb_step)
  include("${CMAKE_CURRENT_LIST_DIR}/../../cmake/${file}.cmake")
endforeach()
set(TSB_STEPS "${TSB_BUILD_FOLDER}/steps")
set(tools "${CMAKE_CURRENT_LIST_DIR}/requirements.txt")
set(target "${TSB_BUILD_FOLDER}/python-tools")

z_tsb_use_settings("${TSB_BUILD_FOLDER}")
tsb_read_record("${TSB_BUILD_FOLDER}/fetch/request.json" request)
set(words --cache "${request_cache}/wheels" --target "${target}" --tools "${tools}")
if(TSB_OFFLINE OR NOT "python-index" IN_LIST request_providers)
  list(APPEND words --offline)
endif()
foreach(check IN LISTS TSB_CHECKS)
  list(APPEND words --check "${check}")
endforeach()

if(NOT request_python)
  tsb_fail("no Python with pip was found, by which the libraries for wheels are fetched" "install python3-pip")
endif()
execute_process(COMMAND "${request_python}" -I -V OUTPUT_VARIABLE version OUTPUT_STRIP_TRAILING_WHITESPACE)
set(inputs "")
z_tsb_step_value(inputs "options" "${words}")
z_tsb_step_value(inputs "python" "${request_python}, ${version}")
string(REGEX REPLACE "[^;=]+=" "" files "${TSB_CHECKS}")
list(REMOVE_DUPLICATES files)
foreach(file IN LISTS tools files ITEMS "${CMAKE_CURRENT_LIST_DIR}/fetch_wheels.py")
  z_tsb_step_file(inputs "${file}" "${file}")
endforeach()
foreach(mirror IN LISTS request_mirrors)
  list(APPEND words --find-links "${mirror}/wheels") # no input: its address may have a password
endforeach()

function(z_tsb_fetch_wheels)
  file(REMOVE_RECURSE "${target}")
  execute_process(
    COMMAND "${request_python}" -I -B -X utf8 "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../engine"
            "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/fetch_wheels.py" ${words} RESULT_VARIABLE code
  )
  if(NOT code EQUAL 0)
    set(remedy "let pip reach an index (PIP_INDEX_URL)")
    if(TSB_OFFLINE)
      set(remedy "unset TSB_OFFLINE, so that pip may download them")
    endif()
    tsb_fail(
      "the libraries that make and check wheels and conda packages cannot be fetched: see the message above"
      "${remedy}, or put the wheels that ${tools} names into ${request_cache}/wheels"
    )
  endif()
endfunction()

tsb_step(ran wheels fetch INPUTS "${inputs}" OUTPUTS "${target}" COMMAND z_tsb_fetch_wheels)
