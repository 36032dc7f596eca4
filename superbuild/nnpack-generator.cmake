# SPDX-License-Identifier: BSD-3-Clause
# What NNPACK's assembly is generated with: PeachPy, and six, which PeachPy imports. PyTorch has PeachPy as a submodule,
# and NNPACK's CMake downloads six unless an option says where one is. A package of its own, so that they are the same
# pinned and patched ones whatever tree PyTorch comes from, and that nothing of them is in an artifact.
# https://github.com/Maratyszcza/NNPACK/issues/203
tsb_declare_package(
  nnpack-generator
  DESCRIPTION "Python modules that generate NNPACK's assembly"
  SOURCE python-peachpy
  SOURCES six
  BUILD_SYSTEM none
  BUILD_ONLY
  STAGE_SCRIPTS "${CMAKE_CURRENT_LIST_DIR}/nnpack-generator/copy_modules.cmake"
  LICENSE_FILES LICENSE*
)
