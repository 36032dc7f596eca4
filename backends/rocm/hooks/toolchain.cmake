# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# The compiler has the toolkit's version, except for a distribution's clang.
function(z_tsb_rocm_toolchain out backend)
  z_tsb_json_take(TSB_ROCM_TOOLKIT version clang)
  execute_process(
    COMMAND "${clang}/clang++" -dumpversion OUTPUT_VARIABLE clang_version OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET
  )
  set(inputs "{}")
  z_tsb_json_set_string(inputs ROCM_VERSION "${version}")
  z_tsb_json_set_string(inputs HIP_CLANG_VERSION "${clang_version}")
  set(${out} "${inputs}" PARENT_SCOPE)
endfunction()
