# SPDX-License-Identifier: BSD-3-Clause
# A dist/ that cannot be written to is reported before anything is built, and also by packing.
include(${CMAKE_CURRENT_LIST_DIR}/stand_in.cmake)
file(WRITE "${TSB_TEST_DIR}/file" "")
# Even root cannot make a folder below a file.
workflow("${first}" ENVIRONMENT "TSB_DIST=${TSB_TEST_DIR}/file/dist")
bad(
  "a dist below a file" "folder ${TSB_TEST_DIR}/file/dist: cannot be written to" "remove it, or choose another one"
  "nothing was built"
)
tsb_expect("no build" LACKS "${output}" "Executing workflow step 2")
workflow("${first}" ENVIRONMENT TSB_DIST=/proc/dist)
bad(
  "a dist where nothing can be made" "folder /proc/dist: cannot be written to: /proc:"
  "make it writable, or choose another one"
)
tsb_expect_file("the file" EQUAL "${TSB_TEST_DIR}/file" "")
workflow("${first}")
good("with a dist again")
same_zip("with a dist again" "${first}")
