# SPDX-License-Identifier: BSD-3-Clause
include(${CMAKE_CURRENT_LIST_DIR}/machine.cmake)
file(WRITE ${TSB_TEST_DIR}/machine/proc/meminfo "MemTotal: 8388608 kB\nMemAvailable: 4194304 kB\n")
doctor(ARGUMENTS CHECKS memory ROOT ${TSB_TEST_DIR}/machine MEMORY_MB 4096)
passes("-- memory: 4096 MB available")
doctor(ARGUMENTS CHECKS memory ROOT ${TSB_TEST_DIR}/machine MEMORY_MB 4097)
fails(1 "memory: 4097 MB are needed, 4096 MB are available")
