# SPDX-License-Identifier: BSD-3-Clause
# Docs, comments and messages have none of the phrases in english.txt, which says what to write instead. A phrase may
# run over the end of a line.
include(${CMAKE_CURRENT_LIST_DIR}/files_of_project.cmake)
files_of_project(files "\\.(md|cmake|cpp|h|py|sh|json)$|(^|/)CMakeLists\\.txt$|^\\.ci/run$")
# Not what faults_are_found.cmake makes, other projects and their stand-ins, and results.
list(
  FILTER files EXCLUDE REGEX
  "^(tests/(fixtures/.*/|cmake/style/faults_are_found)|(releases|third_party|bench/results)/.*json$)"
)
file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/english.txt rules REGEX "^[^#]")

set(found "")
foreach(file IN LISTS files)
  file(READ "${TSB_SOURCE_DIR}/${file}" text)
  # One line, without the marks of comments.
  string(REGEX REPLACE "\n[ \t]*(#+|//+|[*])?[ \t]*" " " text " ${text} ")
  foreach(rule IN LISTS rules)
    if(NOT rule MATCHES "^(.*[^ ]) -> (.*)$")
      message(FATAL_ERROR "english.txt: this line is not a phrase, ' -> ' and a suggestion: ${rule}")
    endif()
    set(instead "${CMAKE_MATCH_2}")
    set(phrase "[^A-Za-z0-9_/-](${CMAKE_MATCH_1})[^A-Za-z0-9_/-]")
    if(instead STREQUAL "allowed")
      string(REGEX REPLACE "${phrase}" " ... " text "${text}")
      continue()
    endif()
    set(rest "${text}")
    while(rest MATCHES "${phrase}")
      string(FIND "${rest}" "${CMAKE_MATCH_0}" at)
      string(SUBSTRING "${rest}" ${at} 60 context)
      string(APPEND found "  ${file}: '${context}...': ${instead}\n")
      math(EXPR at "${at} + 1")
      string(SUBSTRING "${rest}" ${at} -1 rest)
    endwhile()
  endforeach()
endforeach()
if(found)
  message(FATAL_ERROR "these phrases are not plain English; write what is suggested behind them:\n${found}")
endif()
