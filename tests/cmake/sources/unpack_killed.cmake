# SPDX-License-Identifier: BSD-3-Clause
# kill -9 while unpacking leaves no destination, or the one of before; the next run is not disturbed by the remains.
include(${CMAKE_CURRENT_LIST_DIR}/fixture.cmake)
make_archive("${box}/demo.tar" demo-1.0)
set(out "${box}/out")
file(SHA256 "${box}/demo.tar" hash)
set(entry "{\"status\": \"ok\", \"kind\": \"archive\", \"strip\": 1, \"sha256\": \"${hash}\"}")
string(JSON entry SET "${entry}" archive "\"${box}/demo.tar\"")
# The archive is a pipe here, so that unpacking waits for more and can be killed for certain.
execute_process(COMMAND mkfifo "${box}/pipe" COMMAND_ERROR_IS_FATAL ANY)
string(JSON waiting SET "${entry}" archive "\"${box}/pipe\"")
file(WRITE "${result_file}" "{\"sources\": {\"demo\": ${entry}, \"waiting\": ${waiting}}}")
execute_process(
  COMMAND setsid sh -c "echo $$ >\"$1\"; shift; exec \"$@\" >/dev/null 2>&1 &" sh "${box}/group" ${sources_command}
          unpack --sources "${result_file}" --name waiting --destination "${out}"
)
foreach(attempt RANGE 200)
  if(EXISTS "${out}.unpacking/content")
    break()
  endif()
  execute_process(COMMAND sleep 0.05)
endforeach()
tsb_expect("the folder beside" EXISTS "${out}.unpacking/content")
file(WRITE "${out}.unpacking/content/half.txt" "half")
file(STRINGS "${box}/group" group)
execute_process(COMMAND sh -c "kill -s KILL -- -${group}" COMMAND_ERROR_IS_FATAL ANY)
tsb_expect("the destination" ABSENT "${out}")

unpack(demo "${out}")
tsb_expect("the source" EXISTS "${out}/hello.txt")
tsb_expect("the remains" ABSENT "${out}/half.txt")
tsb_expect("the folder beside" ABSENT "${out}.unpacking")
