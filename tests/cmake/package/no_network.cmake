# SPDX-License-Identifier: BSD-3-Clause
# A package that downloads: by each of the usual means it ends at once, with one message that names what it asked for.
# The proxy alone refuses, so that a leak would reach the server of this machine; tests/cmake/runner has the guard.
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

write_trees()
file(APPEND "${box}/trees/a/CMakeLists.txt" "set(SERVER ${server})\ninclude(\"${trees}/downloads.cmake\")\n")
add_source(a 1.0)
file(WRITE "${box}/stage.cmake" "set(HOW checked)\nset(SERVER ${server})\ninclude(\"${trees}/downloads.cmake\")\n")

# downloads(<how> <good|bad> <part of the output>... [STAGE]): the end of the package a, which downloads in this way.
function(downloads how expected)
  cmake_parse_arguments(PARSE_ARGV 2 arg "STAGE" "" "")
  set(scripts "")
  if(arg_STAGE)
    set(scripts "STAGE_SCRIPTS \"${box}/stage.cmake\"")
  endif()
  declare("${declaration_of_a} MODULES Git OPTIONS HOW=${how} ${scripts})" a)
  configure()
  make(${expected} a)
  tsb_expect("${how}" CONTAINS "${output}" ${arg_UNPARSED_ARGUMENTS})
  return(PROPAGATE output)
endfunction()

set(ENV{TSB_NETWORK_NAMESPACE} OFF)
set(refused "tried to download, but only fetch uses the network:")
set(remedy "remedy: pin what it wants, or switch it off:")
downloads(
  unchecked good
  "a configure tried to download and continued without: ${server}/six.txt, a git repository by http for six ${remedy}"
)
recorded_inputs(inputs a configure)
tsb_expect("the inputs" CONTAINS "${inputs}" "http://@PROXY@")
downloads(
  content bad "package a: the configure phase failed" "a configure ${refused} six from ${server}/six.txt ${remedy}"
)
downloads(project bad "package a: the build phase failed" "a build ${refused} ${server}/six.txt ${remedy}")
downloads(git-project bad "package a: the build phase failed" "a build ${refused} ${server}/six.git ${remedy}")
downloads(placed bad "package a: the stage phase failed" "a stage ${refused} ${server}/six.txt ${remedy}" STAGE)
tsb_expect("sources in their place" LACKS "${output}" "a configure tried" "a build tried")
set(configure_log "${build}/packages/a/log/configure.log")
tsb_expect_file(
  "the guard" CONTAINS "${configure_log}" "a configure: no network: a proxy that refuses downloads, no namespace"
)
file(STRINGS "${server_log}" after REGEX "GET ")
tsb_expect("requests that reached the server" EQUAL "${after}" "${before}")

# What goes past any proxy: a namespace holds it up. The guard is not an input.
unset(ENV{TSB_NETWORK_NAMESPACE})
downloads(socket bad "package a: the configure phase failed")
execute_process(COMMAND kill ${server_process})
file(READ "${configure_log}" log)
if(NOT log MATCHES "a configure: no network: an empty network namespace")
  message("SKIP: this user may have no network namespace")
  return()
endif()
tsb_expect("the log" CONTAINS "${output}" "Connection refused")
