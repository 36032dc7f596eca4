# SPDX-License-Identifier: BSD-3-Clause
# The commands of docs/using.md build four programs with the zip, and each runs.
include(${CMAKE_CURRENT_LIST_DIR}/stand_in.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/document.cmake)
set(tree "${TSB_TEST_DIR}/tree")
file(COPY "${first_zip}" DESTINATION "${tree}/dist")
commands_of(script "${TSB_SOURCE_DIR}/docs/using.md")
set(expected 4)
set(tools "${TSB_SOURCE_DIR}/build/test-tools")
if(NOT EXISTS "${tools}/bin/meson")
  message("meson is not there, and not tried: ./bootstrap.sh --test installs it")
  string(REGEX REPLACE "\nmeson setup [^\n]*\nmeson compile [^\n]*\n[^\n]*" "" script "${script}")
  set(expected 3)
endif()
run_in(
  "${tree}" ENVIRONMENT "PATH=${tools}/bin:$ENV{PATH}" "PYTHONPATH=${tools}" LD_LIBRARY_PATH= COMMAND sh -euc
                                                                                                      "${script}"
)
good("the page's commands")
string(REGEX MATCHALL "libtorch ${pytorch}, [0-9]+ threads\n" found "${output}")
list(LENGTH found count)
tsb_expect("programs that have run:\n${output}" EQUAL ${count} ${expected})
