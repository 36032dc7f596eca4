# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

function(z_tsb_cuda_needs result backend pytorch debug_info artifacts)
  list(LENGTH artifacts count)
  # Measured: see docs/official.md. The wheels unpacked and installed, and for each artifact staged and packed.
  math(EXPR build "9000 + 7000 * ${count}")
  set(${result} ${build} 5000 2000 PARENT_SCOPE)
endfunction()
