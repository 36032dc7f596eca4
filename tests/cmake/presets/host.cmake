# SPDX-License-Identifier: BSD-3-Clause
# The host is refused with a reason, before the lock or the doctor asks it for what only Linux has.
set(CMAKE_HOST_SYSTEM_NAME Darwin)
include("${TSB_SOURCE_DIR}/CMakeLists.txt")
