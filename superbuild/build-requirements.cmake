# SPDX-License-Identifier: BSD-3-Clause
# What PyTorch's code generators import, and what building a Python layer does (PEP 518: build requirements), so that no
# Python has to have it installed.
tsb_declare_package(
  build-requirements
  DESCRIPTION "Python modules that building PyTorch imports"
  SOURCE setuptools
  SOURCES pyyaml typing-extensions packaging
  BUILD_SYSTEM none
  BUILD_ONLY
  STAGE_SCRIPTS "${CMAKE_CURRENT_LIST_DIR}/build-requirements/copy_from_wheels.cmake"
  LICENSE_FILES LICENSE
)
