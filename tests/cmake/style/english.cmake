# SPDX-License-Identifier: BSD-3-Clause
# Docs, comments and messages have none of the phrases in english.txt, which says what to write instead. A phrase may
# run over the end of a line.
include(${CMAKE_CURRENT_LIST_DIR}/files_of_project.cmake)
files_of_project(files "\\.(md|cmake|cpp|h|py|sh|json)$|(^|/)CMakeLists\\.txt$|^\\.ci/run$")
# Not what faults_are_found.cmake makes, other projects and their stand-ins, and results.
list(
  FILTER files EXCLUDE REGEX
  "^(tests/(fixtures/.*/|cmake/style/faults_are_found)|(releases|third_party|tools/bench/results)/.*json$)"
)
list(JOIN files "\n" files)
file(WRITE ${TSB_TEST_DIR}/files.txt "${files}\n")
execute_process(
  COMMAND python3 ${CMAKE_CURRENT_LIST_DIR}/find_phrases.py ${CMAKE_CURRENT_LIST_DIR}/english.txt
  WORKING_DIRECTORY ${TSB_SOURCE_DIR} INPUT_FILE ${TSB_TEST_DIR}/files.txt COMMAND_ERROR_IS_FATAL ANY
)
