# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

function(z_tsb_rocm_needs result debug_info artifacts)
  list(LENGTH backend_configured_archs further)
  math(EXPR further "${further} - 1")
  list(LENGTH artifacts count)
  # Measured: rocm7.2-libtorch-shared for gfx90a alone, without debug information, takes 16.8 GB while its packed file
  # of 2.1 GB is checked, and a store of 2.0 GB. 5.5 GB of it are ROCm's libraries, staged and in the packed file.
  # Computed: a further GPU is 460 MB of libtorch_hip.so, as objects, linked, installed and unpacked for the check, and
  # in each artifact staged and packed; and as much of rocBLAS's and hipBLASLt's kernels in each artifact.
  math(EXPR build "10700 + 7300 * ${count} + ${further} * (3200 + 1900 * ${count})")
  math(EXPR store "2700 + 620 * ${further}")
  set(${result} ${build} ${store} PARENT_SCOPE)
endfunction()
