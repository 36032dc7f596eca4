# SPDX-License-Identifier: BSD-3-Clause
# Two fetches into one cache at once: both succeed, and the file was downloaded once.
include(${CMAKE_CURRENT_LIST_DIR}/fixture.cmake)
make_archive("${box}/www/demo.tar" demo-1.0 300000)
start_server("${box}/www")
add_pin(
  demo "{\"version\": \"1.0\", \"filename\": \"demo.tar\", \"sha256\": \"${sha256}\", \"strip\": 1,
  \"url\": [\"${server}/good/demo.tar\"]}"
)
write_request("[{\"name\": \"demo\", \"required\": true}]")
set(run ${sources_command} fetch --request "${box}/request.json")
execute_process(
  COMMAND sh -c "exec \"$@\" >\"${box}/1.log\" 2>&1" sh ${run} --result "${box}/1.json"
  COMMAND sh -c "exec \"$@\" >\"${box}/2.log\" 2>&1" sh ${run} --result "${box}/2.json" RESULTS_VARIABLE codes
)
stop_server()
tsb_expect("exit codes" EQUAL "${codes}" "0;0")
foreach(number 1 2)
  file(READ "${box}/${number}.json" result)
  string(JSON got GET "${result}" sources demo sha256)
  tsb_expect("result ${number}" EQUAL "${got}" "${sha256}")
endforeach()
file(STRINGS "${server_log}" lines REGEX "demo.tar")
list(LENGTH lines count)
tsb_expect("downloads" EQUAL ${count} 1)
