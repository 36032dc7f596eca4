# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_rocm_archs
--------------

The GPUs that code is made for. ::

  tsb_rocm_archs(<result> <list> ROCM <version> [DEVICE_LIBRARIES <folder>]
    [KERNELS <folder>...])

``<list>``
  The user's: ``gfx90a;gfx1100``. Empty: the release's list.
``DEVICE_LIBRARIES``
  ROCm's folder of them: it has a file for each GPU that its compiler knows.
``KERNELS``
  The folders with rocBLAS's: files for one GPU have its name in theirs. rocBLAS does not compute on others.

Sets for the caller ``<result>``, in the order of the list, and ``<result>_ERROR`` and ``<result>_REMEDY``: what is
wrong and what to do, or nothing.
#]]
include_guard(GLOBAL)

function(tsb_rocm_archs result list)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "ROCM;DEVICE_LIBRARIES" "KERNELS")
  set(names "${list}")
  set(out "take it out of TSB_ROCM_ARCHS")
  if(list STREQUAL "")
    set(names "${release_backends_rocm_${arg_ROCM}_archs}")
    set(out "set TSB_ROCM_ARCHS to some of these")
  endif()
  set(known "")
  if(arg_DEVICE_LIBRARIES)
    file(GLOB known RELATIVE "${arg_DEVICE_LIBRARIES}" "${arg_DEVICE_LIBRARIES}/oclc_isa_version_*.bc")
    list(TRANSFORM known REPLACE "^oclc_isa_version_(.*)\\.bc$" "gfx\\1")
    list(SORT known COMPARE NATURAL)
  endif()
  set(with_kernels "")
  foreach(folder IN LISTS arg_KERNELS)
    file(GLOB files RELATIVE "${folder}" "${folder}/*gfx*")
    # TensileLibrary_lazy_gfx90a.dat, Kernels.so-000-gfx90a-xnack+.hsaco
    string(REGEX MATCHALL "gfx[0-9a-f]+[-._:]" found "${files}")
    list(APPEND with_kernels ${found})
  endforeach()
  list(TRANSFORM with_kernels REPLACE ".$" "")
  list(REMOVE_DUPLICATES with_kernels)
  list(SORT with_kernels COMPARE NATURAL)
  set(archs "")
  set(error "")
  set(remedy "")
  foreach(arch IN LISTS names)
    if(error)
      break()
    elseif(arg_DEVICE_LIBRARIES AND NOT arch IN_LIST known)
      list(JOIN known " " known)
      set(error "ROCm ${arg_ROCM} does not know ${arch}, only ${known}")
      set(remedy "${out}, or take another ROCm")
    elseif(arg_KERNELS AND NOT arch IN_LIST with_kernels)
      string(REPLACE ";" " " others "${with_kernels}")
      if(others STREQUAL "")
        set(others none)
      endif()
      list(JOIN arg_KERNELS ", " folders)
      set(error "rocBLAS has no kernels for ${arch} in ${folders}; for others: ${others}")
      set(remedy "install rocBLAS with kernels for ${arch}, or ${out}")
    endif()
    list(APPEND archs "${arch}")
  endforeach()
  set(${result} "${archs}" PARENT_SCOPE)
  set(${result}_ERROR "${error}" PARENT_SCOPE)
  set(${result}_REMEDY "${remedy}" PARENT_SCOPE)
endfunction()
