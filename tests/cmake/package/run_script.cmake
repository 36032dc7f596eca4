# SPDX-License-Identifier: BSD-3-Clause
# run_script.sh: an explained error is shown without CMake's report, any other is shown whole; the exit code says which.
cmake_minimum_required(VERSION 3.25)
include("${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake")
function(run content)
  file(WRITE "${TSB_TEST_DIR}/a script.cmake" "cmake_minimum_required(VERSION 3.25)\n${content}")
  execute_process(
    COMMAND sh "${TSB_SOURCE_DIR}/cmake/detail/run_script.sh" "${CMAKE_COMMAND}"
            "-DDETAIL=${TSB_SOURCE_DIR}/cmake/detail" -P "${TSB_TEST_DIR}/a script.cmake"
    RESULT_VARIABLE code
    OUTPUT_VARIABLE standard
    ERROR_VARIABLE error
  )
  return(PROPAGATE code standard error)
endfunction()

run(
  "include(\"\${DETAIL}/tsb_fail.cmake\")\nmessage(NOTICE \"before\")\ntsb_fail(\"it broke; so\" \"fix a;b\" \"or c\")\n"
)
tsb_expect("exit code" EQUAL "${code}" 1)
tsb_expect("the message" EQUAL "${error}" "before\nerror: it broke; so\n       fix a;b\n       or c\n")

run(
  "message(STATUS \"on the way\")\nfunction(f)\nmessage(FATAL_ERROR \"a mistake in the script\")\nendfunction()\nf()\n"
)
tsb_expect("exit code" EQUAL "${code}" 1)
tsb_expect("standard output" CONTAINS "${standard}" "-- on the way")
tsb_expect("the message" CONTAINS "${error}" "CMake Error at" "a mistake in the script" "Call Stack")

run("message(WARNING \"mind this\")\nmessage(STATUS \"done\")\n")
tsb_expect("exit code" EQUAL "${code}" 0)
tsb_expect("the message" CONTAINS "${error}" "mind this")
tsb_expect("standard output" CONTAINS "${standard}" "-- done")

# What takes long is printed again and again, what shows its own progress is not, and no process of it is left.
set(ENV{TSB_PROGRESS_SECONDS} 1)
set(slow "include(\"\${DETAIL}/tsb_progress.cmake\")\ntsb_progress(\"a patch: unpacking b, 3 of 7\")\n")
string(APPEND slow "execute_process(COMMAND sleep 2.9)\ntsb_progress(\"\")\nexecute_process(COMMAND sleep 2.5)\n")
string(APPEND slow "tsb_progress(\"the end\")\nfile(WRITE \"${TSB_TEST_DIR}/exchange\" \"\$ENV{Z_TSB_PROGRESS_FILE}\")")
run("${slow}")
tsb_expect("exit code" EQUAL "${code}" 0)
if(NOT standard MATCHES "^(-- a patch: unpacking b, 3 of 7 \\([1-9][0-9]* s\\)\n)+$")
  message(FATAL_ERROR "progress is not what was expected:\n${standard}")
endif()
file(READ "${TSB_TEST_DIR}/exchange" exchange)
get_filename_component(exchange "${exchange}" DIRECTORY)
tsb_expect("what was left" ABSENT "${exchange}")
run("message(STATUS \"short\")\n")
tsb_expect("standard output" EQUAL "${standard}" "-- short\n")
unset(ENV{TSB_PROGRESS_SECONDS})
string(TIMESTAMP begin "%s")
run("include(\"\${DETAIL}/tsb_progress.cmake\")\ntsb_progress(x)\n")
string(TIMESTAMP end "%s")
math(EXPR seconds "${end} - ${begin}")
tsb_expect("a script that ends before the first line is not waited for" EQUAL "${standard}" "")
if(seconds GREATER 12)
  message(FATAL_ERROR "run_script.sh took ${seconds} s for a script that does nothing")
endif()
