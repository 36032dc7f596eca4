# SPDX-License-Identifier: BSD-3-Clause
# Runs the program that tries a package, where this machine has no qemu-aarch64 that is new enough. It is one static
# program.
tsb_declare_package(
  qemu-user
  DESCRIPTION "the emulator that runs programs for aarch64"
  SOURCE qemu-user
  BUILD_ONLY
  BUILD_SYSTEM none
  STAGE_SCRIPTS "${CMAKE_CURRENT_LIST_DIR}/qemu-user/copy_program.cmake"
  LICENSE_FILES LICENSE
)
