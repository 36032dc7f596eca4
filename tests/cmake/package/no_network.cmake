# SPDX-License-Identifier: BSD-3-Clause
# A package that downloads: in each phase and by each of the usual means it ends at once, with one message that names
# what it asked for. The proxy alone refuses, so that a leak would reach the server of this machine; tests/cmake/runner
# has the guard itself.
include("${CMAKE_CURRENT_LIST_DIR}/fixture.cmake")
find_program(python python3 REQUIRED)
file(WRITE "${box}/served/six.txt" "six\n")
set(server_log "${box}/server.log")
execute_process(
  COMMAND sh -c "timeout 600 \"$0\" -u -m http.server --bind 127.0.0.1 --directory \"$1\" 0 >\"$2\" 2>&1 & echo $!"
          "${python}" "${box}/served" "${server_log}" OUTPUT_VARIABLE server_process OUTPUT_STRIP_TRAILING_WHITESPACE
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
file(DOWNLOAD "${server}/six.txt" "${box}/got.txt" STATUS status)
tsb_expect("a download without the guard" CONTAINS "${status}" "No error")
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
set(ENV{TSB_NETWORK_NAMESPACE} OFF)
configure()
make(good a)
set(configure_log "${build}/packages/a/log/configure.log")
tsb_expect_file(
  "the guard" CONTAINS "${configure_log}" "a configure: no network: a proxy that refuses downloads, no namespace"
)

# How it downloads, in which phase, and what it asks for.
foreach(
  row IN
  ITEMS
    "checked configure ${server}/six.txt" "project build ${server}/six.txt"
    "content configure six from ${server}/six.txt" "git configure a git repository by http for six"
    "python configure ${server}/six.txt"
)
  string(REGEX MATCH "^([^ ]+) ([^ ]+) (.+)$" row "${row}")
  set(how "${CMAKE_MATCH_1}")
  set(phase "${CMAKE_MATCH_2}")
  set(wanted "${CMAKE_MATCH_3}")
  downloads(${how} bad)
  tsb_expect(
    "${how}" CONTAINS "${output}" "error: package a: the ${phase} phase failed"
    "a ${phase} tried to download, but only fetch uses the network: ${wanted}"
    "remedy: pin what it wants, or switch it off:"
  )
endforeach()
downloads(unchecked good)
tsb_expect("unchecked" CONTAINS "${output}" "a configure tried to download and continued without: ${server}/six.txt")
downloads(placed good)
tsb_expect("sources in their place" LACKS "${output}" "download,")

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

# What goes past any proxy: a namespace holds it up. The guard is not an input.
unset(ENV{TSB_NETWORK_NAMESPACE})
declare("${declaration_of_a})" a)
configure()
downloads(socket bad)
execute_process(COMMAND kill ${server_process})
file(READ "${configure_log}" log)
if(NOT log MATCHES "a configure: no network: a namespace of its own")
  message("SKIP: this user may have no network namespace")
  return()
endif()
tsb_expect("the log" CONTAINS "${output}" "Connection refused")
write_trees()
add_source(a 4.0)
make(good a)
recorded_inputs(inputs a configure)
tsb_expect("the inputs" CONTAINS "${inputs}" "http://@PROXY@")
