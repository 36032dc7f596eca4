# SPDX-License-Identifier: BSD-3-Clause
include(${CMAKE_CURRENT_LIST_DIR}/machine.cmake)
tool(sccache "echo sccache 0.4.0")
doctor(ARGUMENTS CHECKS compiler_cache)
passes("-- compiler cache: sccache 0.4.0 -- TSB_COMPILER_CACHE is [${bin}/sccache]")
tool(ccache "echo ccache version 4.7.5")
doctor(ARGUMENTS CHECKS compiler_cache)
passes("-- compiler cache: ccache 4.7.5 -- TSB_COMPILER_CACHE is [${bin}/ccache]")
