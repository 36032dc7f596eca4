# SPDX-License-Identifier: BSD-3-Clause
# Fortran is compiled in two steps; the source and its licence are found anyway. The build is written down here, so
# that no Fortran compiler is needed.
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)
set(ENV{PYTHONDONTWRITEBYTECODE} 1) # the source tree stays as it is
find_program(python NAMES python3 REQUIRED)
set(package "${TSB_TEST_DIR}/packages/x")
file(WRITE "${package}/source/solve.f" "      SUBROUTINE SOLVE\n      END\n")
file(WRITE "${package}/source/other.f" "      SUBROUTINE OTHER\n      END\n")
file(WRITE "${package}/source/LICENSE" "Permission is hereby granted\n")
file(WRITE "${package}/install/lib/libsolve.a" "")
file(
  WRITE "${package}/build/build.ninja"
  "build x.dir/solve.f-pp.f: Fortran_PREPROCESS ../source/solve.f || order
build x.dir/solve.f.o: Fortran_COMPILE x.dir/solve.f-pp.f || x.dir/Fortran.dd
build x.dir/other.f-pp.f: Fortran_PREPROCESS ../source/other.f
build x.dir/other.f.o: Fortran_COMPILE x.dir/other.f-pp.f
build lib/libsolve.a: Fortran_STATIC_LIBRARY x.dir/solve.f.o
"
)
file(
  WRITE "${TSB_TEST_DIR}/ninja"
  "#!/bin/sh
printf 'x.dir/solve.f-pp.f: #deps 1, deps mtime 1 (VALID)\\n    ../source/solve.f\\n\\n'
printf 'x.dir/other.f-pp.f: #deps 1, deps mtime 1 (VALID)\\n    ../source/other.f\\n\\n'
"
)
file(CHMOD "${TSB_TEST_DIR}/ninja" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
execute_process(
  COMMAND
    "${python}" "${TSB_SOURCE_DIR}/packaging/sbom/record_linked.py" --source "${package}/source" --build
    "${package}/build" --install "${package}/install" --ninja "${TSB_TEST_DIR}/ninja" --output
    "${TSB_TEST_DIR}/linked.json" COMMAND_ERROR_IS_FATAL ANY
)
file(READ "${TSB_TEST_DIR}/linked.json" record)
string(JSON evidence GET "${record}" files solve.f)
tsb_expect("the evidence" EQUAL "${evidence}" "x.dir/solve.f-pp.f")
tsb_expect("what is not linked" LACKS "${record}" "other.f")
