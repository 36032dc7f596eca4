# SPDX-License-Identifier: BSD-3-Clause
# Every artifact of the stand-in has the files that it had: file_lists.py.
include(${CMAKE_CURRENT_LIST_DIR}/stand_in.cmake)
find_usable_python()
set(whole "")
if(tag)
  set(whole --whole)
endif()
foreach(pair IN ITEMS all:cpu cuda:cuda rocm:rocm)
  string(REGEX MATCH "^(.*):(.*)$" ignored ${pair})
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -E env "PYTHONPATH=${WORK}/python-tools" "${python}" -B
            "${TSB_SOURCE_DIR}/tests/e2e/file_lists.py" "${WORK}/${CMAKE_MATCH_1}/dist" ${CMAKE_MATCH_2} ${whole}
    OUTPUT_VARIABLE differences RESULT_VARIABLE status
  )
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "artifacts of ${CMAKE_MATCH_2} have other files:\n${differences}")
  endif()
endforeach()
