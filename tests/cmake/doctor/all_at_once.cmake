# SPDX-License-Identifier: BSD-3-Clause
# Nothing is there and nothing suffices: one run says all of it, each with a remedy, and then fails once.
include(${CMAKE_CURRENT_LIST_DIR}/machine.cmake)
tool(apt-get "exit 1")
tool_of_machine(df du mktemp)
doctor(
  TSB_PYTHON=${TSB_TEST_DIR}/none ARGUMENTS BUILD_DIR "/a;b" WRITABLE ${TSB_TEST_DIR}/run.cmake/dist DISK
  ${TSB_TEST_DIR}/new 99999999999 MEMORY_MB 99999999
)
fails(
  12
  "ninja: not found, 1.10 or newer is needed -> apt-get install ninja-build"
  "C compiler: none found, gcc 10 or clang 12 or newer is needed -> apt-get install g++"
  "C++ compiler: none found, gcc 10 or clang 12 or newer is needed -> apt-get install g++"
  "TSB_PYTHON is \"${TSB_TEST_DIR}/none\", and there is no such program -> correct TSB_PYTHON or unset it"
  "patchelf: not found, 0.14 or newer is needed -> apt-get install patchelf"
  "tar: not found -> apt-get install tar"
  "patch: not found -> apt-get install patch"
  "xz: not found -> apt-get install xz-utils"
  "build folder: CMake or the linker takes its path apart (semicolon)"
  "folder ${TSB_TEST_DIR}/run.cmake/dist: cannot be written to: ${TSB_TEST_DIR}/run.cmake:"
  "disk: 99999999999 MB are needed,"
  "memory: 99999999 MB are needed,"
  "12, listed above with their remedies; nothing was built"
)

file(REMOVE ${bin}/apt-get)
tool(dnf "exit 1")
doctor(ARGUMENTS CHECKS tools compiler)
tsb_expect_end(1 "xz: not found -> dnf install xz" "-> dnf install gcc-c++")

# Asked where a package needs it, and not elsewhere.
tsb_expect("the report" LACKS "${output}" "gfortran")
doctor(ARGUMENTS CHECKS tools EXTRA_CHECKS fortran)
tsb_expect_end(1 "gfortran: not found -> dnf install gcc-gfortran")
