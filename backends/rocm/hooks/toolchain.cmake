# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../../cmake/package/z_tsb_toolchain.cmake)

# The compiler has the toolkit's version, except for a distribution's clang.
function(z_tsb_rocm_toolchain out)
  z_tsb_json_take(TSB_ROCM_TOOLKIT version clang)
  z_tsb_first_words(clang_version "${clang}/clang++" -dumpversion)
  z_tsb_hash_programs(content "${clang}/clang++" CXX)
  set(inputs "{}")
  z_tsb_json_set_string(inputs ROCM_VERSION "${version}")
  z_tsb_json_set_string(inputs HIP_CLANG_VERSION "${clang_version}")
  z_tsb_json_set_string(inputs HIP_CLANG_PROGRAMS "${content}")
  set(${out} "${inputs}" PARENT_SCOPE)
endfunction()
