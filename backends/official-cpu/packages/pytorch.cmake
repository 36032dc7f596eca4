# SPDX-License-Identifier: BSD-3-Clause
# libtorch for the CPU, out of the official CUDA wheel, whose libtorch_cpu.so needs nothing of CUDA but two small
# libraries (cuda-libraries).
tsb_declare_package(
  pytorch
  DESCRIPTION "libtorch for the CPU, out of the official wheel"
  SOURCE torch-cpu
  DEPENDS cuda-libraries
  PROVIDES Torch Caffe2 ATen
  BUILD_SYSTEM none
  PATCH_SCRIPTS "${CMAKE_CURRENT_LIST_DIR}/pytorch/collect_licences.cmake"
  STAGE_SCRIPTS "${CMAKE_CURRENT_LIST_DIR}/pytorch/copy_from_wheel.cmake"
  LICENSE_FILES LICENSE THIRD_PARTY_LICENSES
)
