# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# z_tsb_cxx11_abi(<out-var> <pytorch's install tree>): 1, or 0 for libraries with libstdc++'s old ABI, such as those of
# official wheels up to 2.6. Upstream's CMake package says so, up to 2.7.
function(z_tsb_cxx11_abi out install)
  set(${out} 1 PARENT_SCOPE)
  set(config "${install}/share/cmake/Torch/TorchConfig.cmake")
  if(EXISTS "${config}")
    file(STRINGS "${config}" old REGEX "-D_GLIBCXX_USE_CXX11_ABI=0" LIMIT_COUNT 1)
    if(old)
      set(${out} 0 PARENT_SCOPE)
    endif()
  endif()
endfunction()
