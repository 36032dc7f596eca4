# SPDX-License-Identifier: BSD-3-Clause
# kill -9 in a download: nothing counts as whole, and the next run goes on where it ended.
include(${CMAKE_CURRENT_LIST_DIR}/fixture.cmake)
make_archive("${box}/www/demo.tar" demo-1.0 300000)
start_server("${box}/www")
set(
  candidate
  "{\"version\": \"1.0\", \"filename\": \"demo.tar\", \"sha256\": \"${sha256}\", \"size\": ${size}, \"strip\": 1}"
)
string(JSON candidate SET "${candidate}" url "[\"${server}/slow/demo.tar\"]")
add_pin(demo "${candidate}")
set(asked "[{\"name\": \"demo\", \"required\": true}]")
write_request("${asked}")

# In a process group of its own, which is killed as a whole.
execute_process(
  COMMAND setsid sh -c "echo $$ >\"$1\"; shift; exec \"$@\" >/dev/null 2>&1 &" sh "${box}/group" ${sources_command}
          fetch --request "${box}/request.json" --result "${result_file}"
)
set(part "${cache}/demo/1.0/demo.tar.part")
set(have 0)
foreach(attempt RANGE 200)
  if(EXISTS "${part}")
    file(SIZE "${part}" have)
  endif()
  if(have GREATER 0)
    break()
  endif()
  execute_process(COMMAND sleep 0.05)
endforeach()
file(STRINGS "${box}/group" group)
execute_process(COMMAND sh -c "kill -s KILL -- -${group}" COMMAND_ERROR_IS_FATAL ANY)
if(NOT have GREATER 0)
  message(FATAL_ERROR "the download did not begin")
endif()
tsb_expect("the file" ABSENT "${cache}/demo/1.0/demo.tar")
file(SIZE "${part}" have)
file(GLOB left "${box}/scratch/fetch-*")
tsb_expect("what the killed run left" EXISTS "${left}")

fetch(code text "${asked}")
stop_server()
tsb_expect("exit code" EQUAL ${code} 0)
file(SHA256 "${cache}/demo/1.0/demo.tar" got)
tsb_expect("sha256" EQUAL "${got}" "${sha256}")
tsb_expect("the rest of the download" ABSENT "${part}")
file(READ "${server_log}" log)
tsb_expect("what was asked the second time" CONTAINS "${log}" "/slow/demo.tar bytes=${have}-")
