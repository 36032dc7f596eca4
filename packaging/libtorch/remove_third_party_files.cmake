# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
remove_third_party_archives
---------------------------

Stage script of PyTorch: takes the static libraries of its third-party tree (oneDNN, XNNPACK, fmt, ...) out of the install
tree. What PyTorch needs of them is inside its own libraries, no artifact has them, and they are most of the tree's size:
the store would keep hundreds of megabytes for nobody.
#]]
cmake_minimum_required(VERSION 3.25)
file(GLOB archives "${TSB_INSTALL_DIR}/lib/*.a" "${TSB_INSTALL_DIR}/lib64/*.a")
if(archives)
  file(REMOVE ${archives})
endif()
