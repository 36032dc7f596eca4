# SPDX-License-Identifier: BSD-3-Clause
# The sample of presets of one's own does what it says.
include(${CMAKE_CURRENT_LIST_DIR}/project.cmake)
file(COPY_FILE ${TSB_SOURCE_DIR}/docs/CMakeUserPresets.example.json "${project}/CMakeUserPresets.json")
expect_settings(my-wheel cu124 ${pytorch} openblas wheel-py311-large)
expect_settings(my-pair cpu ${pytorch} "" "libtorch-shared-with-deps;wheel-py312")
list_presets(--workflow --list-presets)
tsb_expect("the workflow" CONTAINS "${output}" "\"my-wheel\" - A large wheel for CUDA 12.4, with OpenBLAS")
tsb_expect("the workflow of two" CONTAINS "${output}" "\"my-pair\" - Two artifacts from one compile")
list_presets(--build --preset my-wheel)
