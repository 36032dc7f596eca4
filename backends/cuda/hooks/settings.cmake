# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../cmake/tsb_cuda_size.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/slices.cmake)

# z_tsb_cuda_arch_fault(<out-var> <architecture>): why the release or this CUDA cannot compile it, or nothing. Which
# ones nvcc knows besides is the doctor's question.
function(z_tsb_cuda_arch_fault out entry)
  string(REGEX MATCH "^([0-9.]+)([af]?)" arch "${entry}")
  set(number "${CMAKE_MATCH_1}")
  set(letter "${CMAKE_MATCH_2}")
  set(lowest "")
  foreach(version IN LISTS release_backends_cuda)
    list(GET release_backends_cuda_${version}_archs 0 first)
    if(NOT lowest OR first VERSION_LESS lowest)
      set(lowest ${first})
    endif()
  endforeach()
  set(since "${versions_architectures_since_${number}}")
  set(dropped "${versions_architectures_dropped_${number}}")
  set(fault "")
  set(knows_a 12.0)
  set(knows_f 12.9)
  if(lowest AND number VERSION_LESS lowest)
    set(fault "has ${arch}, but ${lowest} is the lowest that upstream makes PyTorch ${release_folder} for: remove it")
  elseif(since AND backend_version VERSION_LESS since)
    set(fault "has ${arch}, which CUDA knows from ${since} on: remove it, or take a preset of a newer CUDA")
  elseif(dropped AND backend_version VERSION_GREATER_EQUAL dropped)
    set(fault "has ${arch}, which CUDA does not know from ${dropped} on: remove it, or take a preset of an older CUDA")
  elseif(letter AND NOT letter IN_LIST release_cuda_arch_letters) # PyTorch's own parser refuses others
    set(fault "has ${arch}, but PyTorch ${release_folder} knows none with an ${letter}: write ${number}")
  elseif(letter AND backend_version VERSION_LESS knows_${letter})
    set(fault "has ${arch}, which CUDA ${backend_version} does not know: write ${number}")
  endif()
  set(${out} "${fault}" PARENT_SCOPE)
endfunction()

# z_tsb_cuda_size_fault(<out-var>): what to do where the library, or a program with the static libraries inside, which
# must be possible as well, would come near 2 GiB, where relocations no longer reach across it. Else nothing.
function(z_tsb_cuda_size_fault out)
  tsb_cuda_size(size)
  list(LENGTH backend_configured_cmake_archs count)
  set(what "a libtorch_cuda.so")
  set(linked ${size})
  set(remedies "")
  if(TSB_ARTIFACTS MATCHES "static|^all$")
    set(what "a program with the static libraries inside")
    math(EXPR linked "${size} + ${versions_device_code_cpu} - ${count} * ${versions_device_code_nccl}")
    if(NOT size GREATER 1930)
      set(remedies "; or take a preset of shared libraries: a libtorch_cuda.so of about ${size} MB can be linked")
    endif()
  endif()
  if(backend_version VERSION_GREATER_EQUAL 12.8 AND NOT "-compress-mode=size" IN_LIST backend_configured_compression)
    set(driver 550.54.14)
    string(
      APPEND remedies "; or set TSB_CUDA_LOWEST_DRIVER=${driver}, which compresses more: older drivers cannot load it"
    )
  endif()
  set(fault "")
  if(linked GREATER 1930) # 2 GiB less a tenth, since it is an estimate
    string(
      CONCAT
        fault
        "has ${count} architectures, which need about ${linked} MB, and ${what} cannot exceed 2147 MB (relocation "
        "truncated): name fewer, since those of one major number run the code of its lower minor ones${remedies}"
    )
  endif()
  set(${out} "${fault}" PARENT_SCOPE)
endfunction()

function(z_tsb_cuda_settings out)
  set(faults "")
  z_tsb_cuda_size_fault(fault)
  foreach(arch IN LISTS backend_configured_archs)
    z_tsb_cuda_arch_fault(of_arch ${arch})
    if(of_arch)
      set(fault "${of_arch}")
      break()
    endif()
  endforeach()
  z_tsb_refuse_setting(TSB_CUDA_ARCHS "${fault}")
  if(fault STREQUAL "")
    z_tsb_cuda_slices_fault(fault)
    z_tsb_refuse_setting(TSB_CUDA_SLICES "${fault}")
  endif()
  set(${out} "${faults}" PARENT_SCOPE)
endfunction()
