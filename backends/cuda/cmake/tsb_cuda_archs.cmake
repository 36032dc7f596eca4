# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_cuda_archs
--------------

Reads a list of GPU architectures, refuses what cannot be compiled, and gives the list in the forms that packages want.
::

  tsb_cuda_archs(<prefix> <list> CUDA <version> [COMPRESSION speed|size|none] [STATIC])

``<list>``
  A list: ``8.0;9.0``. Each is ``major.minor``, perhaps with ``a`` (code for this very
  architecture) and ``+PTX`` (which newer GPUs can compile for themselves). Empty: what the official packages have
  (:command:`tsb_cuda_release`).
``COMPRESSION``
  What :command:`tsb_cuda_compression` gives, for the estimate of the size; ``speed`` without it.
``STATIC``
  Static libraries are made: a program has to be possible that has them inside, with all that ``libtorch_cpu.so`` has.

Sets for the caller:

=======================  ===============================================================================================
``<prefix>_ARCHS``       as PyTorch's ``TORCH_CUDA_ARCH_LIST`` wants it, in ascending order: ``8.6;9.0+PTX``
``<prefix>_CMAKE``       as ``CMAKE_CUDA_ARCHITECTURES``: ``86-real;90-real;90-virtual``
``<prefix>_GENCODE``     as options of nvcc: ``-gencode=arch=compute_86,code=sm_86;...``
``<prefix>_SIZE_MB``     what ``libtorch_cuda.so`` comes to, estimated from ``device_code`` in ``versions.json``
``<prefix>_PROGRAM_MB``  with ``STATIC`` the same of such a program, else empty
``<prefix>_FAULT``       what is wrong with the list and what to do. Empty when everything is in order
=======================  ===============================================================================================

Faults: an entry that the release of PyTorch is not made for; one with a letter that this CUDA or the release does not
know; a list so long that the library, or with ``STATIC`` the program, would come near 2 GiB,
where relocations no longer reach across it and the linker says ``relocation truncated to fit``.
#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/tsb_cuda_release.cmake)

# z_tsb_cuda_lowest_arch(<result>): the lowest one in the release's official packages.
function(z_tsb_cuda_lowest_arch result)
  set(lowest "")
  foreach(version IN LISTS release_backends_cuda)
    list(GET release_backends_cuda_${version}_archs 0 first)
    if(lowest STREQUAL "" OR first VERSION_LESS lowest)
      set(lowest ${first})
    endif()
  endforeach()
  set(${result} "${lowest}" PARENT_SCOPE)
endfunction()

# z_tsb_cuda_code_MB(<result> <arch> <mode>): what an architecture adds; one that was not measured: the next lower one.
function(z_tsb_cuda_code_MB result arch mode)
  string(REGEX MATCH "^[0-9.]+" number "${arch}")
  set(size ${versions_device_code_${mode}_5.0})
  set(measured ${versions_device_code_${mode}})
  list(SORT measured COMPARE NATURAL)
  foreach(one IN LISTS measured)
    if(one VERSION_LESS_EQUAL number)
      set(size ${versions_device_code_${mode}_${one}})
    endif()
  endforeach()
  set(${result} ${size} PARENT_SCOPE)
endfunction()

# z_tsb_cuda_arch_fault(<fault> <entry> <CUDA>): why this one cannot be compiled.
function(z_tsb_cuda_arch_fault fault entry cuda)
  set(found "")
  string(REGEX REPLACE "\\+PTX$" "" arch "${entry}")
  string(REGEX MATCH "^[0-9.]+" number "${arch}")
  z_tsb_cuda_lowest_arch(lowest)
  if(NOT lowest STREQUAL "" AND number VERSION_LESS lowest)
    set(found "has ${arch}, but ${lowest} is the lowest that upstream makes PyTorch ${release_folder} for: remove it")
  elseif(arch MATCHES "([af])$" AND NOT CMAKE_MATCH_1 IN_LIST release_cuda_arch_letters
  )# PyTorch's own parser refuses others
    set(found "has ${arch}, but PyTorch ${release_folder} knows none with an ${CMAKE_MATCH_1}: write ${number}")
  elseif((arch MATCHES "a$" AND cuda VERSION_LESS 12.0) OR (arch MATCHES "f$" AND cuda VERSION_LESS 12.9))
    set(found "has ${arch}, which CUDA ${cuda} does not know: write ${number}")
  endif()
  set(${fault} "${found}" PARENT_SCOPE)
endfunction()

function(tsb_cuda_archs prefix wish)
  cmake_parse_arguments(PARSE_ARGV 2 arg "STATIC" "CUDA;COMPRESSION" "")
  if(NOT DEFINED arg_COMPRESSION)
    set(arg_COMPRESSION speed)
  endif()
  set(entries ${wish})
  if(NOT entries)
    string(REGEX MATCH "^[0-9]+\\.[0-9]+" cuda_release "${arg_CUDA}")
    tsb_cuda_release(release "${cuda_release}")
    set(entries "${release_ARCHS}")
  endif()
  set(fault "")
  set(archs "")
  set(with_ptx "")
  foreach(entry IN LISTS entries)
    if(fault STREQUAL "")
      z_tsb_cuda_arch_fault(fault "${entry}" "${arg_CUDA}")
    endif()
    string(REGEX REPLACE "\\+PTX$" "" arch "${entry}")
    list(APPEND archs ${arch})
    if(entry MATCHES "\\+PTX$")
      list(APPEND with_ptx ${arch})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES archs)
  list(SORT archs COMPARE NATURAL)
  set(list "")
  set(cmake "")
  set(gencode "")
  set(program "")
  set(size ${versions_device_code_host})
  if(fault STREQUAL "")
    foreach(arch IN LISTS archs)
      string(REPLACE "." "" digits "${arch}")
      z_tsb_cuda_code_mb(code ${arch} ${arg_COMPRESSION})
      math(EXPR size "${size} + ${code} + ${versions_device_code_linked_in}")
      list(APPEND cmake ${digits}-real)
      list(APPEND gencode -gencode=arch=compute_${digits},code=sm_${digits})
      if(arch IN_LIST with_ptx)
        list(APPEND list ${arch}+PTX)
        list(APPEND cmake ${digits}-virtual)
        list(APPEND gencode -gencode=arch=compute_${digits},code=compute_${digits})
        math(EXPR size "${size} + ${code} + ${versions_device_code_linked_in}")
      else()
        list(APPEND list ${arch})
      endif()
    endforeach()
    list(LENGTH cmake count)
    set(linked ${size})
    if(arg_STATIC)
      math(EXPR program "${size} + ${versions_device_code_cpu} - ${count} * ${versions_device_code_nccl}")
      set(linked ${program})
    endif()
    # 2 GiB less a tenth, since it is an estimate.
    if(linked GREATER 1930)
      set(what "a libtorch_cuda.so")
      set(shared "")
      if(arg_STATIC)
        set(what "a program with the static libraries inside")
        if(NOT size GREATER 1930)
          set(shared "; or take a preset of shared libraries: a libtorch_cuda.so of about ${size} MB can be linked")
        endif()
      endif()
      set(compress "")
      if(arg_COMPRESSION STREQUAL "speed" AND arg_CUDA VERSION_GREATER_EQUAL 12.8)
        set(compress "; or set TSB_CUDA_LOWEST_DRIVER=550.54.14, which compresses more: older drivers cannot load it")
      endif()
      string(
        CONCAT
          fault "has ${count} architectures, which need about ${linked} MB, and ${what} cannot exceed 2147 MB "
          "(relocation truncated): name fewer, since those of one major number run the code of its lower minor "
          "ones${shared}${compress}"
      )
    endif()
  endif()
  set(${prefix}_ARCHS "${list}" PARENT_SCOPE)
  set(${prefix}_CMAKE "${cmake}" PARENT_SCOPE)
  set(${prefix}_GENCODE "${gencode}" PARENT_SCOPE)
  set(${prefix}_SIZE_MB "${size}" PARENT_SCOPE)
  set(${prefix}_PROGRAM_MB "${program}" PARENT_SCOPE)
  set(${prefix}_FAULT "${fault}" PARENT_SCOPE)
endfunction()
