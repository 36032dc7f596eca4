# SPDX-License-Identifier: BSD-3-Clause
# The package nccl on a stand-in with the same makefile: what nvcc gets, and a version that is refused. (e2e.cuda has
# what is installed.)
include("${CMAKE_CURRENT_LIST_DIR}/fixture.cmake")
add_stand_in(nccl 2.21.5)
declare_real(nccl "8.0;9.0+PTX" nccl)
configure()
make(good nccl)
expect_ran("the package" cuda-toolkit-stage nccl-build nccl-stage)
set(package "${build}/packages/nccl")
file(READ "${nvcc_log}" told)
tsb_expect("what nvcc got" CONTAINS "${told}" "-ccbin ${package}/tools/c++")
tsb_expect("what nvcc gets by default" CONTAINS "${told}" "-gencode=arch=compute_90,code=compute_90: -ccbin")
tsb_expect(
  "what nvcc got" CONTAINS "${told}"
  "-gencode=arch=compute_80,code=sm_80 -gencode=arch=compute_90,code=sm_90 -gencode=arch=compute_90,code=compute_90"
)

# Kernels for 10.0 alone, with a CUDA that has them: compiled for the list without it, and no library without them.
file(WRITE "${box}/trees/toolkit/fp8" "")
add_source(toolkit 1.1)
declare_real(nccl "9.0" CUDA 13.0 nccl)
configure()
make(good nccl)
file(READ "${nvcc_log}" told)
tsb_expect("kernels for 10.0" LACKS "${told}" "sm_100")
tsb_expect(
  "kernels for 10.0" CONTAINS "${told}" "-gencode=arch=compute_90,code=sm_90 -c ${package}/build/obj/device/fp8.cu"
)
file(WRITE "${box}/trees/nccl/src/device/fp8.cu" "")
add_source(nccl 2.21.5)
configure()
make(bad nccl)
tsb_expect("output" CONTAINS "${output}" "libnccl.so cannot be loaded: undefined symbol: _Z14ncclStandInFp8i")
file(REMOVE "${box}/trees/toolkit/fp8")
add_source(toolkit 1.2)

# A version that cannot be compiled for one of them is refused before anything is, although the cache has it.
file(READ "$ENV{TSB_PINS_FILE}" all_pins)
string(JSON newer SET "${all_pins}" sources nccl candidates 0 lowest_cuda_arch "\"9.0\"")
file(WRITE "$ENV{TSB_PINS_FILE}" "${newer}")
declare_real(nccl "8.0" nccl)
configure()
make(bad nccl)
tsb_expect("output" CONTAINS "${output}" "nccl, needed by package nccl")
tsb_expect("output" CONTAINS "${output}" "skipped 2.21.5: it does not support architecture 8.0")
expect_ran("with a refused source")

# The library says another version than the header.
file(
  WRITE "${box}/trees/nccl/src/nccl.h.in"
  "#define NCCL_MAJOR 2\n#define NCCL_MINOR 22\n#define NCCL_PATCH 5\nextern \"C\" int ncclGetVersion(int* version);\n#define NCCL_VERSION_CODE 22205\n"
)
add_source(nccl 2.21.6)
configure()
make(bad nccl)
tsb_expect(
  "output" CONTAINS "${output}" "include/nccl.h is of NCCL 2.22.5, but ${package}/install/lib/libnccl.so is 2.21.5"
  "remove packages/nccl of the build folder"
)
