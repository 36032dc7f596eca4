# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# z_tsb_gpu_environment(<out-var>): the variables with which whoever runs a machine says how its GPUs and the links
# between them may be used (CUDA_VISIBLE_DEVICES, NCCL_NVLS_ENABLE=0, ...), as NAME=VALUE. On a shared machine a program
# that does without them can disturb others. None of them can help to find a library.
function(z_tsb_gpu_environment out)
  execute_process(COMMAND env OUTPUT_VARIABLE all)
  string(
    REGEX MATCHALL "(^|\n)(CUDA_VISIBLE_DEVICES|NCCL_[A-Z0-9_]+|NVSHMEM_[A-Z0-9_]+|TORCH_SYMM_MEM_[A-Z0-9_]+)=[^\n;]*"
          settings "${all}"
  )
  list(TRANSFORM settings STRIP)
  set(${out} "${settings}" PARENT_SCOPE)
endfunction()
