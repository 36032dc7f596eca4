# SPDX-License-Identifier: BSD-3-Clause
# Makes the stand-in's mirror and the first copy of the tree, in a folder with a blank in its name.
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
    "${python}" -I -B "${TSB_SOURCE_DIR}/packaging/tools/fetch_wheels.py" --cache "${WORK}/stand-in/mirror/wheels"
    --target "${WORK}/python-tools" --tools "${TSB_SOURCE_DIR}/packaging/tools/requirements.txt"
)
copy_tree("${first}" "${TSB_SOURCE_DIR}")
tsb_expect("the copy" EXISTS "${first}/CMakePresets.json")
