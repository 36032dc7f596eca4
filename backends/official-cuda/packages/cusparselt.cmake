# SPDX-License-Identifier: BSD-3-Clause
include("${CMAKE_CURRENT_LIST_DIR}/../../official-cpu/packages/nvidia/z_tsb_declare_nvidia_package.cmake")
z_tsb_declare_nvidia_package(cusparselt)
