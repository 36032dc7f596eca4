# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_cuda_archs
--------------

Gives a list of GPU architectures in the forms that packages want. ::

  tsb_cuda_archs(<prefix> <architecture>...)

Each is ``major.minor``, perhaps with ``a`` (code for this very architecture) and ``+PTX`` (which newer GPUs can compile
for themselves). Sets for the caller:

=======================  ===============================================================================================
``<prefix>archs``        as PyTorch's ``TORCH_CUDA_ARCH_LIST`` wants it, in ascending order: ``8.6;9.0+PTX``
``<prefix>cmake_archs``  as ``CMAKE_CUDA_ARCHITECTURES``: ``86-real;90-real;90-virtual``
=======================  ===============================================================================================
#]]
include_guard(GLOBAL)

function(tsb_cuda_archs prefix)
  set(archs ${ARGN})
  set(without ${archs})
  list(FILTER without INCLUDE REGEX "PTX$")
  list(TRANSFORM without REPLACE "\\+PTX$" "")
  list(REMOVE_ITEM archs ${without})
  list(REMOVE_DUPLICATES archs)
  list(SORT archs COMPARE NATURAL)
  list(TRANSFORM archs REPLACE "[.]" "" OUTPUT_VARIABLE cmake_archs)
  list(TRANSFORM cmake_archs REPLACE "^([^+]+)$" "\\1-real")
  list(TRANSFORM cmake_archs REPLACE "^(.+)\\+PTX$" "\\1-real;\\1-virtual")
  set(${prefix}archs "${archs}" PARENT_SCOPE)
  set(${prefix}cmake_archs "${cmake_archs}" PARENT_SCOPE)
endfunction()
