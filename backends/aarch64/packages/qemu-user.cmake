# SPDX-License-Identifier: BSD-3-Clause
include("${CMAKE_CURRENT_LIST_DIR}/../../official-aarch64/packages/qemu-user.cmake")
