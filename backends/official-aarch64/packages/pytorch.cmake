# SPDX-License-Identifier: BSD-3-Clause
# libtorch for the CPU of aarch64, out of the official wheel: up to 2.10 one for the CPU with OpenBLAS, from 2.11 on one
# for CUDA with NVPL, whose libtorch_cpu.so needs two small libraries of CUDA (cuda-libraries).
set(official "${CMAKE_CURRENT_LIST_DIR}/../../official-cpu/packages/pytorch")
set(here "${CMAKE_CURRENT_LIST_DIR}/pytorch")
set(cuda_libraries cuda-libraries)
set(blas NVPL)
if(NOT nvidia-cuda-runtime-aarch64 IN_LIST model_sources)
  set(cuda_libraries "")
  set(blas OpenBLAS)
endif()
tsb_declare_package(
  pytorch
  DESCRIPTION "libtorch for the CPU of aarch64, out of the official wheel"
  SOURCE torch-cpu-aarch64
  DEPENDS ${cuda_libraries}
  PROVIDES Torch Caffe2 ATen
  BUILD_SYSTEM none
  ENVIRONMENT NO_STRIP=1 # upstream's patchelf has moved parts of them: stripped, those of 2.15.0 crash when loaded
  PATCH_SCRIPTS "${official}/collect_licences.cmake" "${here}/add_licences.cmake"
  STAGE_SCRIPTS "${official}/copy_from_wheel.cmake"
  LICENSE_FILES LICENSE THIRD_PARTY_LICENSES ComputeLibrary ${blas}
)
