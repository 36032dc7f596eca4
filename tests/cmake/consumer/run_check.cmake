# SPDX-License-Identifier: BSD-3-Clause
# Where the cases of consumer_check have their package and consumer, and how they run the check.
set(package "${TSB_TEST_DIR}/tree/libtorch")
set(consumer "${TSB_TEST_DIR}/consumer")
set(zip "${TSB_TEST_DIR}/libtorch-shared-with-deps.zip")
set(debug "${TSB_TEST_DIR}/debug/libtorch")
set(debug_zip "${TSB_TEST_DIR}/debug-libtorch-shared-with-deps.zip")

# check(<expected status: good or bad>): sets `output`.
function(check expected)
  tsb_run(
    status output "${CMAKE_COMMAND}" -E env CPATH=/nowhere LD_LIBRARY_PATH=/nowhere CMAKE_PREFIX_PATH=/nowhere sh
    "${TSB_SOURCE_DIR}/cmake/detail/run_script.sh" "${CMAKE_COMMAND}" "-DTSB_PACKAGE=${zip}"
    "-DTSB_CONSUMER=${consumer}" "-DTSB_WORK=${TSB_TEST_DIR}/scratch" "-DTSB_RESULT=${TSB_TEST_DIR}/result.json"
    ${ARGN} -P "${TSB_SOURCE_DIR}/packaging/libtorch/consumer_check.cmake"
  )
  tsb_expect("end of the check" ENDS "${status}" ${expected})
  # One of CMake's in the shown lines of a log is marked.
  if(output MATCHES "(^|\n)(Call Stack|CMake Error)")
    message(FATAL_ERROR "the user sees where in the script it failed")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

function(append file text)
  file(APPEND "${file}" "${text}")
endfunction()

# bad(<part>...): packs, checks, and expects these words and a result that says FAIL.
function(bad)
  make_zip()
  set(debug_option "")
  if(EXISTS "${debug_zip}")
    set(debug_option "-DTSB_DEBUG_PACKAGE=${debug_zip}")
  endif()
  check(bad ${debug_option})
  tsb_expect("output" CONTAINS "${output}" ${ARGN})
  file(READ "${TSB_TEST_DIR}/result.json" result)
  string(JSON verdict GET "${result}" verdict)
  tsb_expect("verdict" EQUAL "${verdict}" FAIL)
endfunction()
