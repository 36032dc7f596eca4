# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
z_tsb_build_needs
-----------------

``z_tsb_build_needs(<prefix> <debug info> <CUDA's version or nothing> <artifact json>...)`` says what a build may take of the machine,
for the doctor: ``<prefix>_BUILD_DISK_MB``, ``<prefix>_STORE_DISK_MB``, ``<prefix>_SOURCES_DISK_MB``, ``<prefix>_MEMORY_MB``.
``TSB_PYTORCH_VERSION`` and ``TSB_CUDA_ARCHS`` of the environment say for which architectures CUDA's code is made; what is wrong with
them is the doctor's business.

This is the one place of these numbers. docs/benchmarks.md has what was measured, or estimated; a third is added to it here.
#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../cuda/tsb_cuda_archs.cmake)

function(z_tsb_build_needs prefix debug_info cuda)
  list(LENGTH ARGN artifacts)
  # Measured: cpu-all, four artifacts, took at most 6.7 GB without debug information and 13.3 GB with line numbers; its store
  # 2.4 GB. With all of it: computed from the sizes of objects.
  set(disk_none "5500 + 1500 * ${artifacts}")
  set(disk_lines "8500 + 2500 * ${artifacts}")
  set(disk_full "25000 + 8000 * ${artifacts}")
  set(build "${disk_${debug_info}}")
  set(store 2500)
  set(memory 4000) # measured: 2.1 GiB in the largest process, and twice that at once

  if(NOT cuda STREQUAL "")
    tsb_cuda_archs(made "$ENV{TSB_CUDA_ARCHS}" PYTORCH "${TSB_PYTORCH_VERSION}" CUDA "${cuda}")
    list(LENGTH made_CMAKE further) # with +PTX, which is code of its own
    if(further GREATER 0)
      math(EXPR further "${further} - 1")
    endif()
    set(with_nvidia 0)
    foreach(artifact IN LISTS ARGN)
      z_tsb_json_take(artifact deps style)
      if(deps STREQUAL "with-deps" AND NOT style STREQUAL "small")
        math(EXPR with_nvidia "${with_nvidia} + 1")
      endif()
    endforeach()
    # Measured: cu124-libtorch-shared for 9.0 alone, with line numbers, leaves 16 GB and a store of 4.0 GB; while the packed file
    # is checked it lies unpacked there, too, 3.4 GB. What that is more than on the CPU is divided here: 6 GB are NVIDIA's
    # libraries, 2.7 GB as they are staged, and in the packed file.
    string(APPEND build " + 10000 + 6000 * ${with_nvidia}")
    set(store 5300)
    # Computed: a further architecture is 160 MB of libtorch_cuda.so, as objects, linked, installed and unpacked for the check,
    # and in each artifact staged and packed; 0.4 GB of NCCL and 0.2 GB of MAGMA.
    string(APPEND build " + ${further} * (1600 + 430 * ${artifacts})")
    math(EXPR store "${store} + 530 * ${further}")
    # Measured: 5.4 GB for one compile, whatever the architectures are: see superbuild/pytorch/cuda_settings.cmake.
    set(memory 7200)
  endif()
  math(EXPR build "${build}")
  set(${prefix}_BUILD_DISK_MB ${build} PARENT_SCOPE)
  set(${prefix}_STORE_DISK_MB ${store} PARENT_SCOPE)
  set(${prefix}_SOURCES_DISK_MB 400 PARENT_SCOPE)
  set(${prefix}_MEMORY_MB ${memory} PARENT_SCOPE)
endfunction()
