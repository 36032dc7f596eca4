# SPDX-License-Identifier: BSD-3-Clause
include(${CMAKE_CURRENT_LIST_DIR}/machine.cmake)
tool_of_machine(mktemp)
doctor(ARGUMENTS CHECKS folders SOURCE_DIR "/a b/(c) 'd' & +e$" BUILD_DIR "/x y/z%@" WRITABLE "${TSB_TEST_DIR}/a b")
tsb_expect("blanks and the like" EQUAL "${status}" 0)
tsb_expect("no trace" ABSENT "${TSB_TEST_DIR}/a b")
foreach(case IN ITEMS "colon=:" "quote=\"" "backslash=\\" "hash=#" "bracket=[x]" "comma=,")
  string(REGEX MATCH "^[a-z]+" name "${case}")
  string(REGEX REPLACE "^[a-z]+=" "" character "${case}")
  doctor(ARGUMENTS CHECKS folders SOURCE_DIR "/a${character}b" BUILD_DIR /c)
  tsb_expect("status" EQUAL "${status}" 1)
  tsb_expect(
    "${name}" CONTAINS "${output}" "source folder: CMake or the linker takes its path apart (${name}): /a${character}b"
  )
endforeach()
doctor(ARGUMENTS CHECKS folders WRITABLE /proc/dist)
tsb_expect("status" EQUAL "${status}" 1)
tsb_expect("read-only" CONTAINS "${output}" "folder /proc/dist: cannot be written to: /proc: ")
file(WRITE ${TSB_TEST_DIR}/dist "a file")
doctor(ARGUMENTS CHECKS folders WRITABLE ${TSB_TEST_DIR}/dist)
tsb_expect(
  "a file" CONTAINS "${output}"
  "folder ${TSB_TEST_DIR}/dist: cannot be written to: ${TSB_TEST_DIR}/dist: it is not a folder"
)
doctor(ARGUMENTS CHECKS folders WRITABLE "${TSB_TEST_DIR}/a[x]")
tsb_expect("brackets" CONTAINS "${output}" "folder ${TSB_TEST_DIR}/a[x]: CMake takes its path for a pattern (bracket)")
