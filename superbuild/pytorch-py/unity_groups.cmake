# SPDX-License-Identifier: BSD-3-Clause
# The groups of libtorch_python's sources; how they are used and how they were proven says the file that does it. A list of
# their own, so that a change to it does not build libtorch again.
set(TSB_UNITY_DIR "${CMAKE_CURRENT_LIST_DIR}")
include("${CMAKE_CURRENT_LIST_DIR}/../pytorch/unity_groups.cmake")
