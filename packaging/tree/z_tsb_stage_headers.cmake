# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# z_tsb_stage_headers(<install tree> <root>): copies PyTorch's headers into include/, those of other projects into
# include/third_party/.
#
# A compiler gets the second folder after all others: a program with its distribution's fmt, pybind11 or oneDNN is
# compiled with the headers of the library that it is linked with. Libraries that libtorch exports
# (releases/<version>/symbols.json) stay in front, since libtorch has the functions of just these headers. A wheel keeps
# upstream's layout, on which torch.utils.cpp_extension relies.
function(z_tsb_stage_headers install root)
  set(own ATen c10 caffe2 torch)
  set(exported clog.h cpuinfo.h kineto sleef.h)
  file(GLOB entries RELATIVE "${install}/include" "${install}/include/*")
  foreach(entry IN LISTS entries)
    set(folder include/third_party)
    if(entry IN_LIST own OR entry IN_LIST exported)
      set(folder include)
    endif()
    file(COPY "${install}/include/${entry}" DESTINATION "${root}/${folder}")
  endforeach()
endfunction()
