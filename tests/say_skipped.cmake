# SPDX-License-Identifier: BSD-3-Clause
# The last lines of ctest: what was not checked, and why. ctest itself names the tests only. It runs this script
# (CTEST_CUSTOM_POST_TEST) in the build folder, before the log has its final name.
set(log Testing/Temporary/LastTest.log.tmp)
if(NOT EXISTS "${log}")
  set(log Testing/Temporary/LastTest.log)
endif()
file(STRINGS "${log}" lines REGEX "^([0-9]+/[0-9]+ Test: |SKIP: )")
foreach(line IN LISTS lines)
  if(line MATCHES " Test: (.+)$")
    set(test "${CMAKE_MATCH_1}")
  elseif(line MATCHES "^SKIP: (.*)$")
    message("not checked: ${test}: ${CMAKE_MATCH_1}")
  endif()
endforeach()
