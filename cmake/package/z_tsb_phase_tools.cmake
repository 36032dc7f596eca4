# SPDX-License-Identifier: BSD-3-Clause
# What a script has that runs commands of a package: run_phases.cmake, build_in_place.cmake.
include_guard(GLOBAL)
set(z_tsb_cmake "${CMAKE_CURRENT_LIST_DIR}/..")
include("${z_tsb_cmake}/detail/tsb_fail.cmake")
include("${z_tsb_cmake}/detail/tsb_progress.cmake")
include("${z_tsb_cmake}/settings/z_tsb_use_settings.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_phase_inputs.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/phases/configure/configure.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/phases/configure/z_tsb_run.cmake")
