# SPDX-License-Identifier: BSD-3-Clause
# include/: the headers in the wheel, which is one of many that have the same.
cmake_minimum_required(VERSION 3.25)
file(COPY "${TSB_SOURCE_DIR}/numpy/_core/include" DESTINATION "${TSB_INSTALL_DIR}")
