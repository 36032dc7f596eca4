# SPDX-License-Identifier: BSD-3-Clause
# run_script.sh: an explained error is shown without CMake's report, any other is shown whole; the exit code says which.
cmake_minimum_required(VERSION 3.25)
include("${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake")
function(run content)
  file(WRITE "${TSB_TEST_DIR}/a script.cmake" "cmake_minimum_required(VERSION 3.25)\n${content}")
  execute_process(
    COMMAND
      sh "${TSB_SOURCE_DIR}/cmake/detail/run_script.sh" "${CMAKE_COMMAND}" "-DDETAIL=${TSB_SOURCE_DIR}/cmake/detail" -P
      "${TSB_TEST_DIR}/a script.cmake"
    RESULT_VARIABLE code
    OUTPUT_VARIABLE standard
    ERROR_VARIABLE error
  )
  set(code "${code}" PARENT_SCOPE)
  set(standard "${standard}" PARENT_SCOPE)
  set(error "${error}" PARENT_SCOPE)
endfunction()

run(
  "include(\"\${DETAIL}/tsb_fail.cmake\")\nmessage(NOTICE \"before\")\ntsb_fail(\"it broke; so\" \"mend a;b\" \"or c\")\n"
)
tsb_expect("exit code" EQUAL "${code}" 1)
tsb_expect("what is said" EQUAL "${error}" "before\nerror: it broke; so\n       mend a;b\n       or c\n")

run(
  "message(STATUS \"on the way\")\nfunction(f)\nmessage(FATAL_ERROR \"a mistake in the script\")\nendfunction()\nf()\n"
)
tsb_expect("exit code" EQUAL "${code}" 1)
tsb_expect("standard output" CONTAINS "${standard}" "-- on the way")
tsb_expect("what is said" CONTAINS "${error}" "CMake Error at")
tsb_expect("what is said" CONTAINS "${error}" "a mistake in the script")
tsb_expect("what is said" CONTAINS "${error}" "Call Stack")

run("message(WARNING \"mind this\")\nmessage(STATUS \"done\")\n")
tsb_expect("exit code" EQUAL "${code}" 0)
tsb_expect("what is said" CONTAINS "${error}" "mind this")
tsb_expect("standard output" CONTAINS "${standard}" "-- done")
