# SPDX-License-Identifier: BSD-3-Clause
# The tests of a workflow end with it, like all that its configure starts (cmake/lock): they get the name of its run.
file(WRITE "${CMAKE_BINARY_DIR}/run_name.cmake" "set(ENV{TORCH_SUPERBUILD_RUN} [==[$ENV{TORCH_SUPERBUILD_RUN}]==])\n")
set_property(DIRECTORY "${CMAKE_SOURCE_DIR}" APPEND PROPERTY TEST_INCLUDE_FILES "${CMAKE_BINARY_DIR}/run_name.cmake")
