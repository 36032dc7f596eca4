# SPDX-License-Identifier: BSD-3-Clause
# Puts the licence texts of what is compiled in into one file: newer wheels have them in a folder, older ones in
# LICENSE.
cmake_minimum_required(VERSION 3.25)
set(file "${TSB_SOURCE_DIR}/THIRD_PARTY_LICENSES")
file(GLOB folder "${TSB_SOURCE_DIR}/torch-*.dist-info/licenses/third_party")
file(
  WRITE "${file}"
  "libgomp.so.1 is GCC's, under GPL-3.0-or-later WITH GCC-exception-3.1: https://www.gnu.org/licenses/gcc-exception-3.1.html\n"
)
if(NOT folder)
  file(APPEND "${file}" "The licences of what is compiled into PyTorch's libraries are in LICENSE.\n")
  return()
endif()
file(APPEND "${file}" "The licences of what is compiled into PyTorch's libraries follow.\n")
file(GLOB_RECURSE texts RELATIVE "${folder}" "${folder}/*")
foreach(text IN LISTS texts)
  file(READ "${folder}/${text}" content)
  file(APPEND "${file}" "\n==== third_party/${text}\n\n${content}")
endforeach()
