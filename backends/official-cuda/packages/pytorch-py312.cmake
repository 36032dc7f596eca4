# SPDX-License-Identifier: BSD-3-Clause
# The Python layer of the official wheel that is pinned, which is for this Python.
tsb_declare_package(
  pytorch-py312
  DESCRIPTION "Python 3.12 layer of PyTorch, out of the official wheel"
  PYTHON 3.12
  SOURCE torch-cuda
  DEPENDS pytorch
  BUILD_SYSTEM none
  PATCH_SCRIPTS "${CMAKE_CURRENT_LIST_DIR}/../../official-cpu/packages/pytorch/collect_licences.cmake"
  STAGE_SCRIPTS "${CMAKE_CURRENT_LIST_DIR}/pytorch/copy_python_layer.cmake"
  LICENSE_FILES LICENSE THIRD_PARTY_LICENSES
)
