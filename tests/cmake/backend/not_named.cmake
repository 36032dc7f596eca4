# SPDX-License-Identifier: BSD-3-Clause
# CMake code knows neither CUDA nor a processor: that is in backends/ and targets/. Comments may name them.
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)
file(
  GLOB_RECURSE files RELATIVE "${TSB_SOURCE_DIR}"
  "${TSB_SOURCE_DIR}/cmake/*.cmake" "${TSB_SOURCE_DIR}/packaging/*.cmake" "${TSB_SOURCE_DIR}/superbuild/*.cmake"
)
# PeachPy's own folder.
list(REMOVE_ITEM files superbuild/nnpack-generator/copy_modules.cmake)
set(found "")
foreach(file IN LISTS files ITEMS CMakeLists.txt)
  file(READ "${TSB_SOURCE_DIR}/${file}" text)
  string(FIND "${text}" "#[[" begin)
  string(FIND "${text}" "#]]" end)
  if(NOT begin EQUAL -1)
    string(SUBSTRING "${text}" ${end} -1 text)
  endif()
  string(REGEX REPLACE "#[^\n]*" "" text "${text}")
  string(TOLOWER "${text}" text)
  string(REGEX MATCHALL "[^\n]*(cuda|nvidia|cudnn|nccl|rocm|x86.64|aarch64|linux-64)[^\n]*" lines "${text}")
  if(lines)
    list(APPEND found "${file}: ${lines}")
  endif()
endforeach()
tsb_expect("lines that name a backend or a processor" EQUAL "${found}" "")
