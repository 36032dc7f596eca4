# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_cuda_arch_flags
-------------------

Says a list of CUDA architectures, as ``TSB_CUDA_ARCHS`` has it, in the words of compilers and build systems. ::

  tsb_cuda_arch_flags(<arch> ...
    [GENCODE <out-var>]            # nvcc's options, one text: -gencode=arch=compute_90,code=sm_90 ...
    [CMAKE_ARCHITECTURES <out-var>] # CMAKE_CUDA_ARCHITECTURES: 80-real;90-real
    [LOWEST <out-var>])            # the lowest one without its point: 80

An ``<arch>`` is ``9.0``, ``9.0a``, or ``9.0+PTX``: machine code for that architecture alone, with ``+PTX`` also the intermediate
code from which a driver makes that of newer ones. PyTorch's ``TORCH_CUDA_ARCH_LIST`` means the same by it.

Errors: an architecture that is not written so; none at all.
#]]
include_guard(GLOBAL)

function(tsb_cuda_arch_flags)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "GENCODE;CMAKE_ARCHITECTURES;LOWEST" "")
  set(gencode "")
  set(architectures "")
  set(lowest "")
  foreach(arch IN LISTS arg_UNPARSED_ARGUMENTS)
    if(NOT arch MATCHES "^([0-9]+)\\.([0-9])([af]?)(\\+PTX)?$")
      message(FATAL_ERROR "'${arch}' is no CUDA architecture; write it as 9.0 or 9.0+PTX, in TSB_CUDA_ARCHS")
    endif()
    set(number "${CMAKE_MATCH_1}${CMAKE_MATCH_2}")
    set(name "${number}${CMAKE_MATCH_3}")
    list(APPEND gencode "-gencode=arch=compute_${name},code=sm_${name}")
    if(CMAKE_MATCH_4)
      list(APPEND gencode "-gencode=arch=compute_${name},code=compute_${name}")
      list(APPEND architectures "${name}")
    else()
      list(APPEND architectures "${name}-real")
    endif()
    if(lowest STREQUAL "" OR number LESS lowest)
      set(lowest "${number}")
    endif()
  endforeach()
  if(NOT architectures)
    message(FATAL_ERROR "there is no CUDA architecture to compile for; TSB_CUDA_ARCHS is empty")
  endif()
  list(JOIN gencode " " gencode)
  foreach(pair IN ITEMS GENCODE=gencode CMAKE_ARCHITECTURES=architectures LOWEST=lowest)
    string(REPLACE "=" ";" pair "${pair}")
    list(GET pair 0 keyword)
    list(GET pair 1 variable)
    if(arg_${keyword})
      set(${arg_${keyword}} "${${variable}}" PARENT_SCOPE)
    endif()
  endforeach()
endfunction()
