# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_hide_declarations.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_sleef_header.cmake")

# z_tsb_stage_headers(<install tree> <root>): copies PyTorch's headers into include/, and those of other projects into
# include/third_party/.
#
# A compiler gets the second folder after all others: a program with its distribution's fmt, pybind11 or cpuinfo is
# compiled with the headers of the library that it is linked with. A wheel keeps upstream's layout, on which
# torch.utils.cpp_extension relies.
function(z_tsb_stage_headers install root)
  file(COPY "${install}/include/" DESTINATION "${root}/include/third_party")
  z_tsb_sleef_header("${root}/include/third_party")
  foreach(own IN ITEMS ATen c10 caffe2 torch)
    if(EXISTS "${root}/include/third_party/${own}")
      file(RENAME "${root}/include/third_party/${own}" "${root}/include/${own}")
    endif()
  endforeach()
  if(artifact_linkage STREQUAL "static")
    z_tsb_hide_declarations("${root}/include")
  endif()
endfunction()
