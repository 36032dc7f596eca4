# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../../cmake/package/z_tsb_toolchain.cmake)

# The compiler has the toolkit's version, except for a distribution's clang.
function(z_tsb_rocm_toolchain out)
  set(clang "${TSB_ROCM_TOOLKIT_clang}/clang++")
  set(of_ROCM_VERSION "${TSB_ROCM_TOOLKIT_version}")
  z_tsb_first_words(of_HIP_CLANG_VERSION "${clang}" -dumpversion)
  z_tsb_hash_programs(of_HIP_CLANG_PROGRAMS "${clang}" CXX)
  tsb_json_object(inputs of_ TEXTS ROCM_VERSION HIP_CLANG_VERSION HIP_CLANG_PROGRAMS)
  set(${out} "${inputs}" PARENT_SCOPE)
endfunction()
