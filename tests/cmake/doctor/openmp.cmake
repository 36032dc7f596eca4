# SPDX-License-Identifier: BSD-3-Clause
# clang's OpenMP runtime is a package of its own.
include(${CMAKE_CURRENT_LIST_DIR}/machine.cmake)
tool_of_machine(sh)
tool(apt-get "")
tool(
  clang++-22
  "case \"$*\" in
*-fopenmp*) echo \"<stdin>:1:10: fatal error: 'omp.h' file not found\" >&2; exit 1;;
*) echo '#define __clang_major__ 22';;
esac"
)
doctor(CXX=clang++-22 ARGUMENTS CHECKS openmp)
fails(1 "OpenMP: ${bin}/clang++-22 -fopenmp does not work: 'omp.h' file not found -> apt-get install libomp-22-dev")
tool(c++ "echo 'c++: error: unrecognized option -fopenmp' >&2; exit 1")
doctor(ARGUMENTS CHECKS openmp)
fails(1 "unrecognized option -fopenmp -> apt-get install g++")

# The machine's own compiler is given a program that it can compile and link.
find_program(compiler c++ NO_CACHE REQUIRED)
doctor("PATH=$ENV{PATH}" CXX=${compiler} ARGUMENTS CHECKS openmp)
passes()
file(REMOVE ${bin}/c++)
doctor(ARGUMENTS CHECKS openmp)
passes() # no compiler: not this check's matter
