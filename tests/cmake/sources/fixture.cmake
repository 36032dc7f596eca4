# SPDX-License-Identifier: BSD-3-Clause
# What the tests of fetch share: small sources made on the spot, pins and requests for them, a faulty web server.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/../tsb_expect.cmake)

set(fixture_folder ${CMAKE_CURRENT_LIST_DIR})
set(scripts "${TSB_SOURCE_DIR}/cmake/sources")
set(sources_command python3 -I -S -B -X utf8 "${scripts}")
# A blank in every path that the tests use.
set(box "${TSB_TEST_DIR}/with blank")
set(cache "${box}/cache")
set(result_file "${box}/result.json")
set(sources "{}")
file(MAKE_DIRECTORY "${box}")
foreach(variable http_proxy https_proxy HTTP_PROXY HTTPS_PROXY all_proxy ALL_PROXY)
  unset(ENV{${variable}})
endforeach()

# make_archive(<file> <folder inside> [<bytes of filling>]): an archive with hello.txt; sets sha256 and size.
function(make_archive file inside)
  set(tree "${box}/tree")
  file(REMOVE_RECURSE "${tree}")
  file(WRITE "${tree}/${inside}/hello.txt" "hello from ${inside}\n")
  file(WRITE "${tree}/${inside}/below/deep.txt" "deep\n")
  if(ARGC GREATER 2)
    string(RANDOM LENGTH ${ARGV2} RANDOM_SEED 7 filling)
    file(WRITE "${tree}/${inside}/filling.txt" "${filling}")
  endif()
  get_filename_component(folder "${file}" DIRECTORY)
  file(MAKE_DIRECTORY "${folder}")
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E tar cf "${file}" --format=gnutar ${inside} WORKING_DIRECTORY "${tree}"
                                                                                             COMMAND_ERROR_IS_FATAL ANY
  )
  file(SHA256 "${file}" hash)
  file(SIZE "${file}" bytes)
  set(sha256 ${hash} PARENT_SCOPE)
  set(size ${bytes} PARENT_SCOPE)
endfunction()

# add_pin(<name> <candidate JSON> ...)
function(add_pin name)
  set(pin "{\"license\": \"MIT\", \"homepage\": \"\", \"candidates\": []}")
  set(index 0)
  foreach(candidate IN LISTS ARGN)
    string(JSON pin SET "${pin}" candidates ${index} "${candidate}")
    math(EXPR index "${index} + 1")
  endforeach()
  string(JSON sources SET "${sources}" ${name} "${pin}")
  set(sources "${sources}" PARENT_SCOPE)
endfunction()

# fetch(<out code> <out text> <source entries JSON> [<member> <value JSON>]...): runs the script.
function(write_request entries)
  file(WRITE "${box}/pins.json" "{\"schema\": 1, \"sources\": ${sources}}")
  set(request "{\"mirrors\": [], \"local\": {}}")
  foreach(pair "pins=${box}/pins.json" "cache=${cache}" "work=${box}/scratch")
    string(REGEX MATCH "^([a-z]+)=(.*)$" ignored "${pair}")
    string(JSON request SET "${request}" ${CMAKE_MATCH_1} "\"${CMAKE_MATCH_2}\"")
  endforeach()
  string(JSON request SET "${request}" sources "${entries}")
  while(ARGN)
    list(POP_FRONT ARGN member value)
    string(JSON request SET "${request}" ${member} "${value}")
  endwhile()
  file(WRITE "${box}/request.json" "${request}")
endfunction()

function(fetch out_code out_text entries)
  write_request("${entries}" ${ARGN})
  file(REMOVE "${result_file}")
  tsb_run(code text ${sources_command} fetch --request "${box}/request.json" --result "${result_file}")
  # Whatever happens, a user sees no frames of Python, and nothing half-made stays behind.
  tsb_expect("the words of fetch" LACKS "${text}" "Traceback")
  file(GLOB left "${box}/scratch/fetch-*")
  tsb_expect("what a run leaves in the work folder" EQUAL "${left}" "")
  set(${out_code} ${code} PARENT_SCOPE)
  set(${out_text} "${text}" PARENT_SCOPE)
endfunction()

# unpack(<name> <folder> [<expected exit status>]): unpacks a source of the last result; sets text.
function(unpack name folder)
  set(expected 0)
  if(ARGC GREATER 2)
    set(expected ${ARGV2})
  endif()
  tsb_run(code text ${sources_command} unpack --sources "${result_file}" --name ${name} --destination "${folder}")
  tsb_expect("exit code of unpack: ${text}" EQUAL ${code} ${expected})
  tsb_expect("the words of unpack" LACKS "${text}" "Traceback")
  set(text "${text}" PARENT_SCOPE)
endfunction()

# entry(<out> <source> <member>): a member of a source's entry in the result.
function(entry out source member)
  file(READ "${result_file}" result)
  string(JSON value ERROR_VARIABLE ignored GET "${result}" sources ${source} ${member})
  set(${out} "${value}" PARENT_SCOPE)
endfunction()

# start_server(<folder>): sets server (http://127.0.0.1:port), server_pid and server_log.
macro(start_server folder)
  set(server_log "${box}/server.log")
  file(WRITE "${server_log}" "")
  execute_process(
    COMMAND sh -c "python3 \"$1\" \"$2\" \"$3\" \"$4\" >/dev/null 2>&1 & echo $!" sh "${fixture_folder}/server.py"
            "${folder}" "${box}/port" "${server_log}" OUTPUT_VARIABLE server_pid OUTPUT_STRIP_TRAILING_WHITESPACE
  )
  foreach(attempt RANGE 200)
    if(EXISTS "${box}/port")
      break()
    endif()
    execute_process(COMMAND sleep 0.05)
  endforeach()
  file(READ "${box}/port" port)
  set(server "http://127.0.0.1:${port}")
endmacro()

macro(stop_server)
  execute_process(COMMAND kill ${server_pid})
endmacro()

# An address that nobody answers at, without asking any network.
set(nobody "http://127.0.0.1:1")
