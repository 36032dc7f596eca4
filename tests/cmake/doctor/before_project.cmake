# SPDX-License-Identifier: BSD-3-Clause
# As a CMakeLists.txt uses it: before project(), and with an ending that shows no frames of functions.
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)
file(
  WRITE ${TSB_TEST_DIR}/CMakeLists.txt
  "
cmake_minimum_required(VERSION 3.25)
include(\"${TSB_SOURCE_DIR}/cmake/doctor/tsb_doctor.cmake\")
tsb_doctor(CHECKS cmake memory MEMORY_MB 99999999 RESULT_ERROR error)
if(error)
  message(FATAL_ERROR \"\${error}\")
endif()
project(nothing CXX)
"
)
tsb_run(status output ${CMAKE_COMMAND} -S ${TSB_TEST_DIR} -B ${TSB_TEST_DIR}/b -G Ninja)
tsb_expect_end(
  1 "memory: 99999999 MB are needed,"
  "problems with this machine: 1, listed above with their remedies; nothing was built"
)
tsb_expect("the report" LACKS "${output}" "Call Stack" "CXX compiler identification")
