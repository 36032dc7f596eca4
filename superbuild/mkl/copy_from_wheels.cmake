# SPDX-License-Identifier: BSD-3-Clause
# Takes out of the two wheels what PyTorch links: headers and five archives.
cmake_minimum_required(VERSION 3.25)
file(GLOB libraries_folder "${TSB_SOURCE_DIR}/mkl_static-*.data/data/lib")
file(GLOB headers_folder "${TSB_SOURCE_DIR}/mkl-include/mkl_include-*.data/data/include")
foreach(name IN ITEMS mkl_intel_lp64 mkl_gnu_thread mkl_intel_thread mkl_core mkl_sequential)
  file(COPY "${libraries_folder}/lib${name}.a" DESTINATION "${TSB_INSTALL_DIR}/lib")
endforeach()
file(COPY "${headers_folder}/" DESTINATION "${TSB_INSTALL_DIR}/include")
