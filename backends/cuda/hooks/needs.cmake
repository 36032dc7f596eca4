# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

function(z_tsb_cuda_needs result debug_info artifacts)
  list(LENGTH backend_configured_cmake_archs further) # with +PTX, which is code of its own
  math(EXPR further "${further} - 1")
  list(LENGTH artifacts count)
  set(with_nvidia 0)
  foreach(row IN LISTS artifacts)
    if(artifact_rows_${row}_deps STREQUAL "with-deps" AND NOT "${artifact_rows_${row}_style}" STREQUAL "small")
      math(EXPR with_nvidia "${with_nvidia} + 1")
    endif()
  endforeach()
  # Measured: cu124-libtorch-shared for 9.0 alone, with line numbers, leaves 16 GB and a store of 4.0 GB; while the
  # packed file is checked it lies unpacked there, too, 3.4 GB. What that is more than on the CPU is divided here: 6 GB
  # are NVIDIA's libraries, 2.7 GB as they are staged, and in the packed file.
  # Measured: cu124-all for 9.0 with one Python, nine artifacts, comes to 46 GB while the large wheel is checked:
  # packages 12.5, staged trees 20.8, packed files 8.3, the check 4.1; its store to 3.8 GB. It had 22 GB when libtorch
  # was compiled.
  # Computed: a further architecture is 160 MB of libtorch_cuda.so, as objects, linked, installed and unpacked for the
  # check, and in each artifact staged and packed; 0.4 GB of NCCL and 0.2 GB of MAGMA.
  math(EXPR build "10000 + 6000 * ${with_nvidia} + ${further} * (1600 + 430 * ${count})")
  math(EXPR store "5300 + 530 * ${further}")
  set(${result} ${build} ${store} PARENT_SCOPE)
endfunction()
