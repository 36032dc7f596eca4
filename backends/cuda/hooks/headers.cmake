# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# The toolkit's headers are compiled into libtorch_cuda. Their licence is the runtime's.
function(z_tsb_cuda_headers out)
  file(GLOB runtime "${artifact_build_folder}/packages/cuda-toolkit/install/lib/libcudart.so.[0-9]*")
  if(NOT runtime)
    tsb_fail("package cuda-toolkit has no libcudart.so" "see the log of its stage phase")
  endif()
  list(SORT runtime COMPARE NATURAL)
  list(GET runtime 0 runtime)
  set(${out} "cuda-toolkit=${runtime}" PARENT_SCOPE)
endfunction()
