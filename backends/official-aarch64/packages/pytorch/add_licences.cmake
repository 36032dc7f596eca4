# SPDX-License-Identifier: BSD-3-Clause
# The texts of libraries beside PyTorch's own, which the wheel does not have.
cmake_minimum_required(VERSION 3.25)
file(GLOB texts "${CMAKE_CURRENT_LIST_DIR}/../../licences/*")
file(COPY ${texts} DESTINATION "${TSB_SOURCE_DIR}")
