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

# requests(<what> <number>): how many the server has had.
function(requests what expected)
  file(STRINGS "${server_log}" lines REGEX "GET ")
  list(LENGTH lines count)
  tsb_expect("requests that reached the server, ${what}" EQUAL "${count}" "${expected}")
endfunction()

# Without the guard all of it can be downloaded.
file(DOWNLOAD "${server}/six.txt" "${box}/got.txt" STATUS status)
tsb_expect("a download without the guard" CONTAINS "${status}" "No error")
execute_process(COMMAND "${git}" clone -q "${server}/six.git" "${box}/clone" COMMAND_ERROR_IS_FATAL ANY)
file(STRINGS "${server_log}" lines REGEX "GET ")
list(LENGTH lines before)

# tries(<phase> <good|bad> <what it asks for> <code of its CMakeLists.txt>): the package a, with this code.
set(number 0)
function(tries phase expected wanted code)
  math(EXPR number "${number} + 1")
  set(number "${number}" PARENT_SCOPE)
  write_trees()
  file(APPEND "${box}/trees/a/CMakeLists.txt" "${code}")
  add_source(a 1.${number})
  set(pins "${pins}" PARENT_SCOPE)
  make(good fetch)
  string(TIMESTAMP begin "%s")
  make(${expected} a)
  string(TIMESTAMP end "%s")
  math(EXPR seconds "${end} - ${begin}")
  if(seconds GREATER 60)
    message(FATAL_ERROR "${wanted}: it took ${seconds} s to fail")
  endif()
  requests("${wanted}" ${before})
  set(message "a ${phase} tried to download, but only fetch uses the network: ${wanted}")
  if(expected STREQUAL "good")
    set(message "a ${phase} tried to download and continued without: ${wanted}")
  else()
    tsb_expect("the last words" CONTAINS "${output}" "error: package a: the ${phase} phase failed")
  endif()
  # Two lines of one pipe: one of the other pipe may get between them here.
  tsb_expect("the message" CONTAINS "${output}" "${message}")
  tsb_expect("the remedy" CONTAINS "${output}" "remedy: pin what it wants, or switch it off:")
endfunction()

write_trees()
add_source(a 1.0)
declare("${declaration_of_a})" a)
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

# By CMake: with and without a look at the result, and ExternalProject, which tries again five times.
set(
  download
  "file(DOWNLOAD \"${server}/six.txt\" \"\${CMAKE_BINARY_DIR}/six.txt\" STATUS status)
if(NOT status MATCHES \"^0;\")
  message(FATAL_ERROR \"no six: \${status}\")
endif()\n"
)
tries(configure bad "${server}/six.txt" "${download}")
tries(configure good "${server}/six.txt" "file(DOWNLOAD \"${server}/six.txt\" \"\${CMAKE_BINARY_DIR}/six.txt\")\n")
tries(
  build
  bad
  "${server}/six.txt"
  "include(ExternalProject)
ExternalProject_Add(six URL \"${server}/six.txt\" DOWNLOAD_NO_EXTRACT ON CONFIGURE_COMMAND \"\" BUILD_COMMAND \"\" INSTALL_COMMAND \"\")
add_dependencies(a six)\n"
)
set(address "https://example.invalid/six.tar.gz")
tries(
  build bad "${address}" "include(ExternalProject)
ExternalProject_Add(six URL \"${address}\" CONFIGURE_COMMAND \"\" BUILD_COMMAND \"\" INSTALL_COMMAND \"\")
add_dependencies(a six)\n"
)
tries(
  configure bad "six from ${server}/six.txt"
  "include(FetchContent)\nFetchContent_Declare(six URL \"${server}/six.txt\")\nFetchContent_MakeAvailable(six)\n"
)
write_trees()
file(
  APPEND "${box}/trees/a/CMakeLists.txt"
  "file(MAKE_DIRECTORY \"\${CMAKE_BINARY_DIR}/placed\")
set(FETCHCONTENT_SOURCE_DIR_SIX \"\${CMAKE_BINARY_DIR}/placed\")
include(FetchContent)\nFetchContent_Declare(six URL \"${server}/six.txt\")\nFetchContent_MakeAvailable(six)\n"
)
add_source(a 2.0)
make(good fetch)
make(good a)
tsb_expect("sources in their place" LACKS "${output}" "download,")
# By git, python and pip.
set(
  project
  "include(ExternalProject)
ExternalProject_Add(six GIT_REPOSITORY \"${server}/six.git\" CONFIGURE_COMMAND \"\" BUILD_COMMAND \"\" INSTALL_COMMAND \"\")
add_dependencies(a six)\n"
)
tries(configure bad "a git repository for six" "${project}")
declare("${declaration_of_a} MODULES Git)" a)
configure()
tries(build bad "${server}/six.git" "${project}")
tries(
  configure bad "a git repository by http for six"
  "execute_process(COMMAND \"${git}\" clone \"${server}/six.git\" six COMMAND_ERROR_IS_FATAL ANY)\n"
)
tries(
  configure
  bad
  "${server}/six.txt"
  "execute_process(COMMAND \"${python}\" -c \"from urllib.request import urlopen\\nurlopen('${server}/six.txt')\" COMMAND_ERROR_IS_FATAL ANY)\n"
)
execute_process(COMMAND "${python}" -m pip --version RESULT_VARIABLE no_pip OUTPUT_QUIET ERROR_QUIET)
if(NOT no_pip)
  tries(
    configure
    bad
    "six==1.11.0"
    "execute_process(COMMAND \"${python}\" -m pip download --no-deps --index-url ${server} six==1.11.0 COMMAND_ERROR_IS_FATAL ANY)\n"
  )
endif()
# Past any proxy: only a namespace holds that up.
if(MODE STREQUAL "namespace")
  write_trees()
  file(
    APPEND "${box}/trees/a/CMakeLists.txt"
    "execute_process(COMMAND \"${python}\" -c \"import socket\\nsocket.create_connection(('127.0.0.1', ${port}))\" COMMAND_ERROR_IS_FATAL ANY)\n"
  )
  add_source(a 2.1)
  make(good fetch)
  make(bad a)
  tsb_expect("the log" CONTAINS "${output}" "Connection refused")
endif()

# In a stage script.
file(WRITE "${box}/stage.cmake" "${download}")
write_trees()
add_source(a 3.0)
declare("${declaration_of_a} STAGE_SCRIPTS \"${box}/stage.cmake\")" a)
configure()
make(bad a)
tsb_expect(
  "the message" CONTAINS "${output}"
  "a stage tried to download, but only fetch uses the network: ${server}/six.txt remedy: pin what it wants"
)
requests("at the end" ${before})
execute_process(COMMAND kill ${server_process})

# A namespace is not an input: neither is the proxy's address.
recorded_inputs(inputs a configure)
tsb_expect("the inputs" CONTAINS "${inputs}" "http://@PROXY@")
set(ENV{TSB_NETWORK_NAMESPACE} OFF)
if(MODE STREQUAL "proxy")
  unset(ENV{TSB_NETWORK_NAMESPACE})
endif()
configure()
make(good explain)
tsb_expect("another guard" CONTAINS "${output}" "a: would run from phase stage on")
