# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# Versions of both compilers.
function(z_tsb_cuda_toolchain out backend)
  set(inputs "{}")
  z_tsb_json_get(version "${TSB_CUDA_TOOLKIT}" version)
  z_tsb_json_set_string(inputs CUDA_COMPILER_VERSION "${version}")
  if(TSB_CUDA_HOST_COMPILER)
    execute_process(
      COMMAND "${TSB_CUDA_HOST_COMPILER}" -dumpfullversion OUTPUT_VARIABLE version OUTPUT_STRIP_TRAILING_WHITESPACE
                                                                                   ERROR_QUIET
    )
    z_tsb_json_set_string(inputs CUDA_HOST_COMPILER_VERSION "${version}")
  endif()
  set(${out} "${inputs}" PARENT_SCOPE)
endfunction()
