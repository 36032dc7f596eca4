# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# nvcc, and as c++ the compiler that it hands the host's code to: both halves of a library come from the same.
function(z_tsb_cuda_make_tools out)
  z_tsb_expand(nvcc "@PREFIX_cuda-toolkit@/bin/nvcc")
  # Where nvcc keeps its intermediate files: see the hook compile_options.
  z_tsb_write_tool(nvcc "" ${settings_compiler_cache} "${nvcc}" "\"$@\"" --objdir-as-tempdir)
  set(tools "NVCC=${TSB_PACKAGE_DIR}/tools/nvcc")
  if(backend_configured_host_compiler)
    list(APPEND tools "CXX=${backend_configured_host_compiler}")
  endif()
  set(${out} "${tools}" PARENT_SCOPE)
endfunction()
