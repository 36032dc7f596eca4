# SPDX-License-Identifier: BSD-3-Clause
# A real pip and an index with other files of the pinned names and versions: none of it is installed.
include(${CMAKE_CURRENT_LIST_DIR}/machine.cmake)
find_program(python python3 REQUIRED)
execute_process(COMMAND "${python}" -m pip --version RESULT_VARIABLE no_pip OUTPUT_QUIET ERROR_QUIET)
if(no_pip)
  message("SKIP: pip is not installed")
  return()
endif()
# Not a script of pyenv's, which needs more than the invented machine has.
execute_process(
  COMMAND "${python}" -c "import sys; print(sys.executable, end='')" OUTPUT_VARIABLE python COMMAND_ERROR_IS_FATAL ANY
)
tools_of_all_kinds()
tool(apt-get)
tool(apt-cache)
tool(python3 "exec '${python}' \"$@\"")

file(READ "${copy}/tools/style_tools.txt" text)
string(REGEX MATCHALL "[a-z-]+==[0-9.]+" pins "${text}")
foreach(pin IN LISTS pins)
  string(REGEX MATCH "^([^=]+)==(.+)$" ignored "${pin}")
  set(info ${CMAKE_MATCH_1}-${CMAKE_MATCH_2}.dist-info)
  set(tree "${TSB_TEST_DIR}/${CMAKE_MATCH_1}")
  file(WRITE "${tree}/from_another.py" "")
  file(WRITE "${tree}/${info}/METADATA" "Metadata-Version: 2.1\nName: ${CMAKE_MATCH_1}\nVersion: ${CMAKE_MATCH_2}\n")
  file(WRITE "${tree}/${info}/WHEEL" "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
  file(WRITE "${tree}/${info}/RECORD" "from_another.py,,\n${info}/METADATA,,\n${info}/WHEEL,,\n${info}/RECORD,,\n")
  file(MAKE_DIRECTORY "${TSB_TEST_DIR}/wheels")
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E tar cf "${TSB_TEST_DIR}/wheels/${CMAKE_MATCH_1}-${CMAKE_MATCH_2}-py3-none-any.whl"
            --format=zip from_another.py ${info} WORKING_DIRECTORY "${tree}" COMMAND_ERROR_IS_FATAL ANY
  )
endforeach()
file(REMOVE_RECURSE "${copy}/build")
set(ENV{PIP_NO_INDEX} 1)
set(ENV{PIP_FIND_LINKS} "${TSB_TEST_DIR}/wheels")
bootstrap(--install-only --test)
tsb_expect_end(0 "DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE" "bootstrap.sh: could not install cmake==")
tsb_expect("nothing is installed" ABSENT "${style_folder}")
