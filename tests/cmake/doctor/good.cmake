# SPDX-License-Identifier: BSD-3-Clause
# A machine that has everything, without being asked for much.
include(${CMAKE_CURRENT_LIST_DIR}/machine.cmake)
tool(ninja "echo 1.10.0")
set(or_compile "[ $1 = -dM ] || cp /bin/true \"$3\"")
tool(
  cc "echo '#define __GNUC__ 10'; echo '#define __GNUC_MINOR__ 1'; echo '#define __GNUC_PATCHLEVEL__ 0'\n${or_compile}"
)
tool(
  c++ "echo '#define __GNUC__ 4'; echo '#define __clang_major__ 12'; echo '#define __clang_minor__ 0'\n${or_compile}"
)
tool(python3 "echo '3.9.2||/the/real/python3'")
tool(patchelf "echo patchelf 0.14")
tool(patch "echo GNU patch 2.7")
tool(tar "echo tar 1")
tool(xz "echo 'xz (XZ Utils) 5.4.1'")
tool_of_machine(df mktemp)
doctor(ARGUMENTS SOURCE_DIR ${TSB_TEST_DIR} WRITABLE "${TSB_TEST_DIR}/not yet/there" DISK ${TSB_TEST_DIR} 1 MEMORY_MB 1)
passes(
  "-- ninja 1.10.0" "-- C compiler gcc 10.1.0 (${bin}/cc) -- C++ compiler clang 12.0 (${bin}/c++)"
  "-- git: none (only needed for sources that are given as commits)" "-- compiler cache: none"
  "-- TSB_COMPILER_CACHE is []" "-- TSB_CODEGEN_PYTHON is [/the/real/python3]" "MB free below ${TSB_TEST_DIR}"
)
tsb_expect("no trace" ABSENT "${TSB_TEST_DIR}/not yet")
file(GLOB traces ${TSB_TEST_DIR}/.tsb-doctor*)
tsb_expect("no trace" EQUAL "${traces}" "")

# What the makefiles of NCCL and MAGMA call is asked for with CUDA alone.
tsb_expect("tools of CUDA's packages" LACKS "${output}" "make:")
doctor(BACKEND cuda 12.4 ARGUMENTS CHECKS tools)
tsb_expect_end(1 "make: not found" "which: not found; packages for CUDA 12.4 are built with it")
tool(make "echo GNU Make 4.3")
tool(which "exit 2") # a word for an option that it does not know
doctor(BACKEND cuda 12.4 ARGUMENTS CHECKS tools)
passes("-- which: ${bin}/which")
