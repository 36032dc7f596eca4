# SPDX-License-Identifier: BSD-3-Clause
# kill -9 in the middle of packing leaves no zip that could be taken for a whole one; the next run packs the same bytes.
include(${CMAKE_CURRENT_LIST_DIR}/stand_in.cmake)
set(dist "${first}/dist")

# A torchpkg that dies while it packs: the kernel ends it when its file reaches 16 KiB, then the workflow is killed.
file(
  WRITE "${TSB_TEST_DIR}/torchpkg"
  "#!/bin/sh
case $1 in
  pack) ;;
  *) exec '${TORCHPKG}' \"$@\" ;;
esac
(ulimit -c 0; ulimit -f 32; exec '${TORCHPKG}' \"$@\")
echo $? >'${TSB_TEST_DIR}/died'
ls -A '${dist}' >'${TSB_TEST_DIR}/left'
kill -9 $(cat '${TSB_TEST_DIR}/workflow')
"
)
file(CHMOD "${TSB_TEST_DIR}/torchpkg" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
file(REMOVE "${first_zip}")
workflow(
  "${first}" ENVIRONMENT "TSB_TORCHPKG=${TSB_TEST_DIR}/torchpkg" WITH sh -c "echo $$ >\"$1\" && shift && exec \"$@\""
  sh "${TSB_TEST_DIR}/workflow"
)
if(status EQUAL 0)
  message(FATAL_ERROR "the workflow ended well although it was killed:\n${output}")
endif()
tsb_expect_file("torchpkg's end (SIGXFSZ)" EQUAL "${TSB_TEST_DIR}/died" "153\n")
tsb_expect_file("what it left" CONTAINS "${TSB_TEST_DIR}/left" "${zip_name}.")
tsb_expect("the zip" ABSENT "${first_zip}")

workflow("${first}")
good("the next run")
same_zip("the next run" "${first}")
only_the_zip("${dist}")
