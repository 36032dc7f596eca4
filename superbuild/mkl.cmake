# SPDX-License-Identifier: BSD-3-Clause
# MKL, static, as in the official packages: the LP64 interface, threaded by GNU OpenMP (by LLVM's where clang
# compiles). Intel ships it as binaries, so nothing is compiled; the two sources are the archives and the headers.
tsb_declare_package(
  mkl
  DESCRIPTION "BLAS, LAPACK and FFT from Intel, linked statically"
  SOURCE mkl-static
  SOURCES mkl-include
  PROVIDES MKL
  BUILD_SYSTEM none
  STAGE_SCRIPTS "${CMAKE_CURRENT_LIST_DIR}/mkl/copy_from_wheels.cmake"
  LICENSE_FILES "mkl_static-*.dist-info/LICENSE.txt"
                "mkl-include/mkl_include-*.data/data/share/doc/mkl/licensing/third-party-programs.txt"
)
