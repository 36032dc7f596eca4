# SPDX-License-Identifier: BSD-3-Clause
# The CUDA toolkit of this machine, which the doctor has found (TSB_CUDA_TOOLKIT), laid out as one folder in NVIDIA's own
# layout: what builds with CUDA is given this prefix, whether the toolkit lies in one place, is spread over a
# distribution's folders, or came with pip. Nothing of it is shipped here; packaging takes the libraries that an artifact
# bundles from it.
if(NOT TSB_CUDA_VERSION)
  return()
endif()
string(JSON version GET "${TSB_CUDA_TOOLKIT}" version)
tsb_declare_package(
  cuda-toolkit
  DESCRIPTION "CUDA ${TSB_CUDA_VERSION} of this machine"
  BUILD_SYSTEM none
  MACHINE "${TSB_CUDA_TOOLKIT}"
  OPTIONS "NVCC_VERSION=${version}"
  PROVIDES CUDA CUDAToolkit
  STAGE_SCRIPTS "${CMAKE_CURRENT_LIST_DIR}/cuda-toolkit/lay_out.cmake"
)
