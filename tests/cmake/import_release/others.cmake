# SPDX-License-Identifier: BSD-3-Clause
# A tarball with a list of commits, and a tree that says nothing about submodules: nothing is made up.
include(${CMAKE_CURRENT_LIST_DIR}/fixture.cmake)
git("${tree}" submodule status --recursive)
file(WRITE "${TSB_TEST_DIR}/status.txt" "${output}\n")
execute_process(
  COMMAND tar -czf pytorch-v9.9.0.tar.gz --exclude=.git "--transform=s,^a tree,pytorch-v9.9.0," "a tree"
  WORKING_DIRECTORY "${TSB_TEST_DIR}" COMMAND_ERROR_IS_FATAL ANY
)
file(SHA256 "${TSB_TEST_DIR}/pytorch-v9.9.0.tar.gz" sha256)
import(0 --source "${TSB_TEST_DIR}/pytorch-v9.9.0.tar.gz" --submodules "${TSB_TEST_DIR}/status.txt")
tsb_expect("a commit of the list" CONTAINS "${output}" "third_party/moved: ${commit_of_moved}, was ${ones}")
file(READ "${releases}/9.9.0/sources.json" pins)
string(JSON value GET "${pins}" sources pytorch candidates 0)
tsb_expect("the tarball's hash" CONTAINS "${value}" "${sha256}")
tsb_expect("an address" LACKS "${value}" "url")

file(REMOVE_RECURSE "${releases}/9.9.0")
import(0 --source "${TSB_TEST_DIR}/pytorch-v9.9.0.tar.gz")
tsb_expect("unknown commits" CONTAINS "${output}" "third_party/moved: the pin is the last release's")
tsb_expect("an unknown commit" CONTAINS "${output}" "third_party/fresh: commit not known of")
file(READ "${releases}/9.9.0/sources.json" pins)
tsb_expect("no pin without a commit" LACKS "${pins}" "\"fresh\"")
tsb_expect("the last release's pin" CONTAINS "${pins}" "moved.tar")

file(REMOVE_RECURSE "${releases}/9.9.0" "${tree}/.git" "${tree}/.gitmodules")
import(0 --source "${tree}")
tsb_expect("no submodules" CONTAINS "${output}" "there is no .gitmodules and no list (--submodules)")
tsb_expect("no pin of PyTorch" CONTAINS "${output}" "PyTorch's own pin: the source is neither a checkout nor a tarball")
tsb_expect_file("the pins stay" CONTAINS "${releases}/9.9.0/sources.json" "third_party/gone")
