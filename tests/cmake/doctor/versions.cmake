# SPDX-License-Identifier: BSD-3-Clause
include(${CMAKE_CURRENT_LIST_DIR}/machine.cmake)
tool(ninja "echo 1.9.0.git")
tool(patchelf "echo patchelf 0.12.20200827.8d3a16e")
doctor(ARGUMENTS CHECKS ninja patchelf)
fails(
  2 "ninja: ${bin}/ninja is 1.9.0, 1.10 or newer is needed"
  "patchelf: ${bin}/patchelf is 0.12.20200827.8, 0.14 or newer is needed"
)

tool(ninja "exit 3")
doctor(ARGUMENTS CHECKS ninja)
fails(1 "ninja: ${bin}/ninja does not run (3)")

file(RENAME ${bin}/ninja ${bin}/ninja-build)
tool(ninja-build "echo 1.12.1")
doctor(ARGUMENTS CHECKS ninja)
passes("-- ninja-build 1.12.1")
