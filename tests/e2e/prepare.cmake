# SPDX-License-Identifier: BSD-3-Clause
# Makes the stand-in's mirror and the first copy of the tree, in a folder with a blank in its name. It is reached
# through a link, as a home folder on another disk is, and its build folder is a link too, as to a scratch disk.
include(${CMAKE_CURRENT_LIST_DIR}/stand_in.cmake)
file(REMOVE_RECURSE "${WORK}")
execute_process(
  COMMAND ${CMAKE_COMMAND} "-DTSB_OUTPUT=${WORK}/stand-in" -P ${TSB_SOURCE_DIR}/tests/fixtures/make_mirror.cmake
          COMMAND_ERROR_IS_FATAL ANY
)
# The libraries that make wheels and conda packages are the real ones, from pip's index. Without them those tests are
# skipped.
find_program(python python3 REQUIRED)
execute_process(
  COMMAND
    "${python}" -I -B "${TSB_SOURCE_DIR}/engine" "${TSB_SOURCE_DIR}/packaging/libraries/fetch_wheels.py" --cache
    "${WORK}/stand-in/mirror/wheels" --target "${WORK}/python-tools" --tools
    "${TSB_SOURCE_DIR}/packaging/libraries/requirements.txt"
)
copy_tree("${WORK}/a tree" "${TSB_SOURCE_DIR}") # a shorter name: gcc takes that one then
file(CREATE_LINK "a tree" "${first}" SYMBOLIC)
file(MAKE_DIRECTORY "${WORK}/a disk")
file(CREATE_LINK "../a disk" "${first}/build" SYMBOLIC)
tsb_expect("the copy" EXISTS "${first}/CMakePresets.json")
