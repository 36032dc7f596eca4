# SPDX-License-Identifier: BSD-3-Clause
# cuDNN of this machine, which the doctor has found (TSB_CUDNN), as a prefix of links.
if(NOT TSB_CUDNN)
  return()
endif()
tsb_declare_package(
  cudnn
  DESCRIPTION "cuDNN of this machine"
  BUILD_SYSTEM none
  MACHINE "${TSB_CUDNN_FILE}"
  OPTIONS "CUDNN_VERSION=${TSB_CUDNN_version}"
  PROVIDES CUDNN
  STAGE_SCRIPTS "${CMAKE_CURRENT_LIST_DIR}/cuda-toolkit/link_library.cmake"
)
