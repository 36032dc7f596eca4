# SPDX-License-Identifier: BSD-3-Clause
# What building a Python layer imports, and the headers of NumPy: the same for every Python, so that none of them has to have
# it installed. An extension that is compiled with the headers of 2.0 works with NumPy 1.19 and newer.
# https://numpy.org/doc/2.0/dev/depending_on_numpy.html#adding-a-dependency-on-numpy
tsb_declare_package(
  build-requirements
  DESCRIPTION "Python modules that building the Python layer imports, and NumPy's headers"
  SOURCE numpy
  SOURCES pyyaml setuptools typing-extensions
  BUILD_SYSTEM none
  STAGE_SCRIPTS "${CMAKE_CURRENT_LIST_DIR}/build-requirements/copy_from_wheels.cmake"
  LICENSE_FILES LICENSE
)
