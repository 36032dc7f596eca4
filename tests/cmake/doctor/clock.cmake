# SPDX-License-Identifier: BSD-3-Clause
# Files from the future, as after the clock was set back.
include(${CMAKE_CURRENT_LIST_DIR}/machine.cmake)
file(WRITE "${TSB_TEST_DIR}/build/build.ninja" "")
set(checks ARGUMENTS CHECKS clock SOURCE_DIR "${TSB_TEST_DIR}/source" BUILD_DIR "${TSB_TEST_DIR}/build")
doctor(${checks})
passes()
execute_process(COMMAND touch -d "2100-01-01 12:00" "${TSB_TEST_DIR}/build/build.ninja" COMMAND_ERROR_IS_FATAL ANY)
doctor(${checks})
fails(
  1 "and 1 files are from the future, such as ${TSB_TEST_DIR}/build/build.ninja (2100-01-01 12:00:00)"
  "-> set the clock, or: find '${TSB_TEST_DIR}/build' '${TSB_TEST_DIR}/source' -newermt now -exec touch {} +"
)
