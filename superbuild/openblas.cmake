# SPDX-License-Identifier: BSD-3-Clause
# OpenBLAS: the free choice of BLAS and LAPACK (TSB_BLAS=openblas). One library for all processors of the kind, threaded
# by OpenMP so that a process keeps a single pool of threads. LAPACK is the reference one in Fortran, with OpenBLAS's
# own kernels where it has them; what is linked with it needs libgfortran, whose static form cannot go into a shared
# library.
tsb_declare_package(
  openblas
  DESCRIPTION "BLAS and LAPACK, static"
  SOURCE openblas
  PROVIDES OpenBLAS
  SYSTEM Threads OpenMP gfortran quadmath omp # clang's OpenMP
  OPTIONS
    BUILD_SHARED_LIBS=OFF BUILD_STATIC_LIBS=ON CMAKE_POSITION_INDEPENDENT_CODE=ON
    CMAKE_Fortran_COMPILER=${target_cross}gfortran BUILD_TESTING=OFF NO_LAPACKE=ON # PyTorch calls LAPACK itself
    DYNAMIC_ARCH=ON NUM_THREADS=128 USE_OPENMP=ON USE_THREAD=ON ${target_openblas_options}
  STAGE_SCRIPTS "${CMAKE_CURRENT_LIST_DIR}/../packaging/sbom/record_linked.cmake"
  LICENSE_FILES LICENSE GotoBLAS_00License.txt
  MEMORY_PER_JOB_MB 400
)
