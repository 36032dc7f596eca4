# SPDX-License-Identifier: BSD-3-Clause
# A package that downloads: in each phase and by each of the usual means it ends at once, with one message that names
# what it asked for. A server of this machine has all of it, so that a leak would succeed. MODE: namespace, or proxy,
# where a user may not have a network namespace.
include("${CMAKE_CURRENT_LIST_DIR}/fixture.cmake")
if(MODE STREQUAL "proxy")
  set(ENV{TSB_NETWORK_NAMESPACE} OFF)
endif()
find_program(git git REQUIRED)
find_program(python python3 REQUIRED)

# What the server has: a file and a git repository.
set(served "${box}/served")
file(WRITE "${served}/six.txt" "six\n")
execute_process(
  COMMAND
    sh -c
    "\"$0\" init -q work && cd work && \"$0\" -c user.name=a -c user.email=a@b.c commit -q --allow-empty -m six && \"$0\" clone -q --bare . ../six.git && cd ../six.git && \"$0\" update-server-info"
    "${git}"
  WORKING_DIRECTORY "${served}" COMMAND_ERROR_IS_FATAL ANY
)
set(server_log "${box}/server.log")
execute_process(
  COMMAND sh -c "timeout 600 \"$0\" -u -m http.server --bind 127.0.0.1 --directory \"$1\" 0 >\"$2\" 2>&1 & echo $!"
          "${python}" "${served}" "${server_log}" OUTPUT_VARIABLE server_process OUTPUT_STRIP_TRAILING_WHITESPACE
)
set(port "")
foreach(attempt RANGE 200)
  file(STRINGS "${server_log}" line REGEX "port [0-9]+" LIMIT_COUNT 1)
  if(line MATCHES "port ([0-9]+)")
    set(port "${CMAKE_MATCH_1}")
    break()
  endif()
  execute_process(COMMAND sleep 0.05)
endforeach()
set(server "http://127.0.0.1:${port}")

# Without the guard all of it can be downloaded.
file(DOWNLOAD "${server}/six.txt" "${box}/got.txt" STATUS status)
tsb_expect("a download without the guard" CONTAINS "${status}" "No error")
execute_process(COMMAND "${git}" clone -q "${server}/six.git" "${box}/clone" COMMAND_ERROR_IS_FATAL ANY)
file(STRINGS "${server_log}" before REGEX "GET ")

# downloads(<how> <good|bad>): the package a ends in this way, after fetch.
set(number 0)
macro(downloads how expected)
  math(EXPR number "${number} + 1")
  write_trees()
  file(
    APPEND "${box}/trees/a/CMakeLists.txt"
    "set(HOW ${how})\nset(SERVER ${server})\ninclude(\"${trees}/downloads.cmake\")\n"
  )
  add_source(a 1.${number})
  make(good fetch)
  make(${expected} a)
endmacro()

write_trees()
add_source(a 1.0)
declare("${declaration_of_a} MODULES Git)" a)
configure()
make(good a)
file(READ "${build}/packages/a/log/configure.log" log)
if(MODE STREQUAL "proxy")
  tsb_expect("the guard" CONTAINS "${log}" "a configure: no network: a proxy that refuses downloads, no namespace")
elseif(NOT log MATCHES "a configure: no network: a namespace of its own")
  execute_process(COMMAND kill ${server_process})
  message("SKIP: this user may have no network namespace")
  return()
endif()

# How it downloads, in which phase, and what it asks for.
set(
  table
  "checked configure ${server}/six.txt"
  "unchecked configure ${server}/six.txt"
  "project build ${server}/six.txt"
  "elsewhere build https://example.invalid/six.tar.gz"
  "content configure six from ${server}/six.txt"
  "git-project build ${server}/six.git"
  "git configure a git repository by http for six"
  "python configure ${server}/six.txt"
)
execute_process(COMMAND "${python}" -m pip --version RESULT_VARIABLE no_pip OUTPUT_QUIET ERROR_QUIET)
if(NOT no_pip)
  list(APPEND table "pip configure six==1.11.0")
endif()
foreach(row IN LISTS table)
  string(REGEX MATCH "^([^ ]+) ([^ ]+) (.+)$" row "${row}")
  set(how "${CMAKE_MATCH_1}")
  set(phase "${CMAKE_MATCH_2}")
  set(wanted "${CMAKE_MATCH_3}")
  if(how STREQUAL "unchecked")
    downloads(unchecked good)
    set(message "a ${phase} tried to download and continued without: ${wanted}")
  else()
    downloads(${how} bad)
    tsb_expect("the last words" CONTAINS "${output}" "error: package a: the ${phase} phase failed")
    set(message "a ${phase} tried to download, but only fetch uses the network: ${wanted}")
  endif()
  tsb_expect("${how}" CONTAINS "${output}" "${message}" "remedy: pin what it wants, or switch it off:")
endforeach()
downloads(placed good)
tsb_expect("sources in their place" LACKS "${output}" "download,")
if(MODE STREQUAL "namespace")
  downloads(socket bad)
  tsb_expect("the log" CONTAINS "${output}" "Connection refused")
endif()

# In a stage script.
file(WRITE "${box}/stage.cmake" "set(HOW checked)\nset(SERVER ${server})\ninclude(\"${trees}/downloads.cmake\")\n")
write_trees()
add_source(a 3.0)
declare("${declaration_of_a} STAGE_SCRIPTS \"${box}/stage.cmake\")" a)
configure()
make(bad a)
tsb_expect(
  "the message" CONTAINS "${output}"
  "a stage tried to download, but only fetch uses the network: ${server}/six.txt remedy: pin what it wants"
)
file(STRINGS "${server_log}" after REGEX "GET ")
tsb_expect("requests that reached the server" EQUAL "${after}" "${before}")
execute_process(COMMAND kill ${server_process})

# The guard is not an input.
recorded_inputs(inputs a configure)
tsb_expect("the inputs" CONTAINS "${inputs}" "http://@PROXY@")
