# SPDX-License-Identifier: BSD-3-Clause
# Releases such as 2.8 run torch/utils/data/datapipes/gen_pyi.py with a PYTHONPATH of their own, which hides what
# package build-requirements has for it. Here it gets what PYTHONPATH has at configure as well; and the argument is
# quoted as a whole, which a folder with a blank needs. Where there is no such command, or one that adds to PYTHONPATH
# as in 2.11, nothing changes. A patch file would fit one release only. Error: a command that does so in another way.
cmake_minimum_required(VERSION 3.25)
set(file "${TSB_SOURCE_DIR}/torch/CMakeLists.txt")
file(READ "${file}" text)
string(REPLACE [[PYTHONPATH="${TORCH_ROOT}"]] [["PYTHONPATH=${TORCH_ROOT}:$ENV{PYTHONPATH}"]] kept "${text}")
string(REGEX REPLACE "--modify PYTHONPATH=path_list_[a-z]+:" "" rest "${text}")
if(NOT kept STREQUAL text)
  file(WRITE "${file}" "${kept}")
elseif(rest MATCHES "-E env [^\n]*PYTHONPATH=")
  message(
    FATAL_ERROR
      "torch/CMakeLists.txt runs a generator with a PYTHONPATH of its own, in another way than 2.8: '${CMAKE_MATCH_0}'. \
Extend ${CMAKE_CURRENT_LIST_FILE}"
  )
endif()
