# SPDX-License-Identifier: BSD-3-Clause
# libtorch with CUDA, out of the official wheel. NVIDIA's libraries are packages of their own: for a zip, and for conda
# packages, which look at what they depend on. A wheel is made without them.
set(of_cpu "${CMAKE_CURRENT_LIST_DIR}/../../official-cpu/packages/pytorch")
set(depends "")
foreach(package IN ITEMS cuda-toolkit cudnn cusparselt nccl nvshmem)
  if(libraries_${package}_sources AND artifacts_ROWS MATCHES "libtorch")
    list(APPEND depends ${package})
  endif()
endforeach()
tsb_declare_package(
  pytorch
  DESCRIPTION "libtorch with CUDA, out of the official wheel"
  SOURCE torch-cuda
  DEPENDS ${depends}
  PROVIDES Torch Caffe2 ATen
  BUILD_SYSTEM none
  PATCH_SCRIPTS "${of_cpu}/collect_licences.cmake"
  STAGE_SCRIPTS "${of_cpu}/check_requirements.cmake" "${of_cpu}/copy_from_wheel.cmake"
  LICENSE_FILES LICENSE THIRD_PARTY_LICENSES
)
