# SPDX-License-Identifier: BSD-3-Clause
# Each way to be given the wrong thing, what is said then, and that nothing is written.
include(${CMAKE_CURRENT_LIST_DIR}/fixture.cmake)

# error(<what> <what to do> <argument>...)
function(error what remedy)
  import(2 ${ARGN})
  tsb_expect("the error" CONTAINS "${output}" "error: ${what}\n  ${remedy}")
  tsb_expect("the folder" ABSENT "${releases}/9.9.0")
endfunction()

error("there is no ${TSB_TEST_DIR}/none" "name PyTorch's source tree or its tarball" --source "${TSB_TEST_DIR}/none")
error("${TSB_TEST_DIR}/upstream has no CMakeLists.txt" "name PyTorch's source tree" --source "${TSB_TEST_DIR}/upstream")
error(
  "${tree}/version.txt is neither a folder nor a tarball" "name PyTorch's source tree or its tarball" --source
  "${tree}/version.txt"
)
error("${releases} has no release 9.1.0" "name one of them with --last: 9.7.10, 9.8.0" --source "${tree}" --last 9.1.0)
file(WRITE "${TSB_TEST_DIR}/list.txt" "third_party/same 1.0\n")
error(
  "'third_party/same 1.0' is not a line of `git submodule status`"
  "write the list with: git submodule status --recursive" --source "${tree}" --submodules "${TSB_TEST_DIR}/list.txt"
)
error(
  "there is no ${TSB_TEST_DIR}/RECORD" "name a wheel, its RECORD, or a list of files" --source "${tree}" --files
  "${TSB_TEST_DIR}/RECORD"
)
file(WRITE "${tree}/third_party/same/more" "")
git("${tree}/third_party/same" add .)
git("${tree}/third_party/same" commit -q -m more)
error("third_party/same is not at the commit that the tree records" "run: git submodule update" --source "${tree}")
file(WRITE "${tree}/version.txt" "none")
error("${tree} has no version.txt that begins with three numbers" "name PyTorch's source tree" --source "${tree}")
file(WRITE "${tree}/version.txt" "9.8.0")
import(2 --source "${tree}")
tsb_expect(
  "a release that is there" CONTAINS "${output}" "error: ${releases}/9.8.0 is there already\n  remove it, or name"
)
