# SPDX-License-Identifier: BSD-3-Clause
# OpenBLAS: the free choice of BLAS and LAPACK (TSB_BLAS=openblas). One library for all x86-64 processors, threaded by
# OpenMP so that a process keeps a single pool of threads. LAPACK is built from its C translation: no Fortran
# compiler and no libgfortran in the artifact.
tsb_declare_package(
  openblas
  DESCRIPTION "BLAS and LAPACK, static"
  SOURCE openblas
  PROVIDES OpenBLAS
  SYSTEM Threads OpenMP
  OPTIONS
    BUILD_SHARED_LIBS=OFF
    BUILD_STATIC_LIBS=ON
    CMAKE_POSITION_INDEPENDENT_CODE=ON
    BUILD_TESTING=OFF
    BUILD_WITHOUT_CBLAS=OFF
    C_LAPACK=ON
    NOFORTRAN=ON
    DYNAMIC_ARCH=ON
    "DYNAMIC_LIST=HASWELL;SKYLAKEX;ZEN"
    TARGET=HASWELL
    NUM_THREADS=128
    USE_OPENMP=ON
    USE_THREAD=ON
  STAGE_SCRIPT "${CMAKE_CURRENT_LIST_DIR}/../packaging/sbom/record_linked.cmake"
  LICENSE_FILES LICENSE GotoBLAS_00License.txt
  MEMORY_PER_JOB_MB 400
)
