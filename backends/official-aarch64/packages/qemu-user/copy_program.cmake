# SPDX-License-Identifier: BSD-3-Clause
cmake_minimum_required(VERSION 3.25)
file(COPY "${TSB_SOURCE_DIR}/qemu-aarch64" DESTINATION "${TSB_INSTALL_DIR}/bin")
