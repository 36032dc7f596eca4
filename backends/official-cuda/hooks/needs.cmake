# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

function(z_tsb_cuda_needs result debug_info artifacts)
  list(LENGTH artifacts count)
  # Estimates, which no run has measured: the wheels of 2.15.0 unpack to 4.0 GB, which are there once more installed and
  # in the store; each artifact has 4.0 GB staged and 2.5 GB packed. Nothing large is compiled.
  math(EXPR build "9000 + 7000 * ${count}")
  set(${result} ${build} 5000 PARENT_SCOPE)
endfunction()
