# SPDX-License-Identifier: BSD-3-Clause
# The headers of NumPy, the same for every Python, so that none of them has to have it installed. An extension that is
# compiled with the headers of 2.0 works with NumPy 1.19 and newer.
# https://numpy.org/doc/2.0/dev/depending_on_numpy.html#adding-a-dependency-on-numpy
tsb_declare_package(
  numpy
  DESCRIPTION "Headers of NumPy, for the Python layer"
  SOURCE numpy
  BUILD_SYSTEM none
  STAGE_SCRIPTS "${CMAKE_CURRENT_LIST_DIR}/numpy/copy_headers.cmake"
  LICENSE_FILES LICENSE
)
