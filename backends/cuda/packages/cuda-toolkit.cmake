# SPDX-License-Identifier: BSD-3-Clause
# The CUDA toolkit of this machine, which the doctor has found (TSB_CUDA_TOOLKIT), laid out as one folder in NVIDIA's
# own layout: what builds with CUDA is given this prefix, whether the toolkit lies in one place, is spread over a
# distribution's folders, or came with pip. Nothing of it is shipped here; packaging takes the libraries that an
# artifact bundles from it.
set(cuda_code "${CMAKE_CURRENT_LIST_DIR}/../cmake")
tsb_declare_package(
  cuda-toolkit
  DESCRIPTION "CUDA ${TSB_CUDA_TOOLKIT_version} of this machine"
  BUILD_SYSTEM none
  MACHINE "${TSB_CUDA_TOOLKIT_FILE}"
  OPTIONS "NVCC_VERSION=${TSB_CUDA_TOOLKIT_version}"
  PROVIDES CUDA CUDAToolkit
  STAGE_SCRIPTS "${CMAKE_CURRENT_LIST_DIR}/cuda-toolkit/lay_out.cmake"
  INPUTS "${cuda_code}/tsb_lay_out_cuda_toolkit.cmake" "${cuda_code}/detail/z_tsb_correct_cuda_headers.cmake"
         "${cuda_code}/detail/z_tsb_cuda_names.cmake" "${cuda_code}/detail/z_tsb_link_tree.cmake"
)
