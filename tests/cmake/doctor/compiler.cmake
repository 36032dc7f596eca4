# SPDX-License-Identifier: BSD-3-Clause
# Compilers by what they say of themselves, and by CC and CXX.
include(${CMAKE_CURRENT_LIST_DIR}/machine.cmake)
tool(cc "echo '#define __GNUC__ 12'; echo '#define __GNUC_MINOR__ 2'; echo '#define __GNUC_PATCHLEVEL__ 0'")
tool(c++ "echo '#define __GNUC__ 9'; echo '#define __GNUC_MINOR__ 4'; echo '#define __GNUC_PATCHLEVEL__ 0'")
doctor(ARGUMENTS CHECKS compiler)
tsb_expect("status" EQUAL "${status}" 1)
tsb_expect("gcc" CONTAINS "${output}" "C++ compiler: ${bin}/c++ is gcc 9.4.0, 10 or newer is needed")
tsb_expect("gcc" CONTAINS "${output}" "problems with this machine: 1,")

tool(old-clang "echo '#define __GNUC__ 4'; echo '#define __clang_major__ 11'; echo '#define __clang_minor__ 1'")
doctor("CXX=old-clang -stdlib=libc++" ARGUMENTS CHECKS compiler)
tsb_expect(
  "options"
  CONTAINS
  "${output}"
  "C++ compiler: CXX is \"old-clang -stdlib=libc++\", but the packages would be built without what follows the program"
)
tsb_expect(
  "options"
  CONTAINS
  "${output}"
  "-> name the compiler alone (a compiler cache is found by itself), or a script"
)
doctor(CXX=old-clang ARGUMENTS CHECKS compiler)
tsb_expect("clang" CONTAINS "${output}" "C++ compiler: ${bin}/old-clang is clang 11.1, 12 or newer is needed")
tsb_expect("clang" CONTAINS "${output}" "-> set CXX to a newer one, or unset it")

doctor(CC=nothing CXX=cc ARGUMENTS CHECKS compiler)
tsb_expect("CC" CONTAINS "${output}" "C compiler: CC is \"nothing\", but there is no such program")
tsb_expect("CXX" CONTAINS "${output}" "-- C++ compiler gcc 12.2.0 (${bin}/cc)")

tool(c++ "echo 'cannot execute cc1plus' >&2; exit 1")
doctor(ARGUMENTS CHECKS compiler)
tsb_expect(
  "broken"
  CONTAINS
  "${output}"
  "${bin}/c++ is neither gcc nor clang, or does not work: cannot execute cc1plus"
)
