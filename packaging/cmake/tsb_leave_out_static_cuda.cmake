# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_leave_out_static_cuda
-------------------------

There are no static libraries of a CUDA backend yet. ::

  tsb_leave_out_static_cuda(<list-var of artifacts> <out-var of the error> <preset>)

Takes them out of the artifacts of ``<backend>-all`` and says so. A preset that asks for nothing else is an error, which is set,
else empty.
#]]
include_guard(GLOBAL)

function(tsb_leave_out_static_cuda list out_error preset)
  set(tsb_all "${${list}}")
  set(tsb_kept ${tsb_all})
  list(FILTER tsb_kept EXCLUDE REGEX "^libtorch-static-")
  set(error "")
  if(tsb_kept STREQUAL "" AND NOT tsb_all STREQUAL "")
    string(REGEX REPLACE "-.*" "" backend "${preset}")
    set(error "  preset ${preset}: static libraries are not made for CUDA yet\n  take ${backend}-libtorch-shared")
  elseif(NOT tsb_kept STREQUAL tsb_all)
    message(STATUS "${preset}: static libraries are left out, they are not made for CUDA yet")
  endif()
  set(${list} "${tsb_kept}" PARENT_SCOPE)
  set(${out_error} "${error}" PARENT_SCOPE)
endfunction()
