# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
remove_third_party_files
------------------------

Stage script of PyTorch: takes out of the install tree what its third-party tree installs and no artifact has.

* The static libraries (oneDNN, XNNPACK, fmt, ...). What PyTorch needs of them is inside its own libraries, and they are
  most of the tree's size: the store would keep hundreds of megabytes for nobody.
* The headers of FBGEMM and of its asmjit, up to 2.7. Until then the official packages do not have them either:
  ``package_data`` of PyTorch's ``setup.py``, from which those of the official libtorch come too, names folders, and
  neither of these. Since 2.8 it takes all headers.
#]]
cmake_minimum_required(VERSION 3.25)
file(GLOB archives "${TSB_INSTALL_DIR}/lib/*.a" "${TSB_INSTALL_DIR}/lib64/*.a")
file(REMOVE_RECURSE ${archives})
if(EXISTS "${TSB_SOURCE_DIR}/setup.py") # 2.14 has none
  file(READ "${TSB_SOURCE_DIR}/setup.py" setup)
  string(FIND "${setup}" "include/**/*.h" all)
  if(all EQUAL -1)
    file(REMOVE_RECURSE "${TSB_INSTALL_DIR}/include/asmjit" "${TSB_INSTALL_DIR}/include/fbgemm")
  endif()
endif()
