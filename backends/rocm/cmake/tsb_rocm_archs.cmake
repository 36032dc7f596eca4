# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_rocm_archs
--------------

The GPUs that code is made for. ::

  tsb_rocm_archs(<result> <list> PYTORCH <version> ROCM <version> [DEVICE_LIBRARIES <folder>])

``<list>``
  The user's, with spaces, commas or semicolons between: ``gfx90a gfx1100``. Empty: the official packages' list.
``DEVICE_LIBRARIES``
  ROCm's folder of them: it has a file for each GPU that its compiler knows.

Sets for the caller ``<result>``, in the order of the list, and ``<result>_ERROR``: what is wrong and what to do, or
nothing.
#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../../cmake/detail/z_tsb_json.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../../../cmake/release/tsb_read_release.cmake)

function(tsb_rocm_archs result list)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "PYTORCH;ROCM;DEVICE_LIBRARIES" "")
  string(REGEX MATCHALL "[^ ,;]+" archs "${list}")
  if(NOT archs)
    tsb_read_release(release "${arg_PYTORCH}")
    z_tsb_json_get_list(archs "${release}" backends rocm ${arg_ROCM} archs)
  endif()
  set(known "")
  if(arg_DEVICE_LIBRARIES)
    file(GLOB known RELATIVE "${arg_DEVICE_LIBRARIES}" "${arg_DEVICE_LIBRARIES}/oclc_isa_version_*.bc")
    list(TRANSFORM known REPLACE "^oclc_isa_version_(.*)\\.bc$" "gfx\\1")
    list(SORT known COMPARE NATURAL)
  endif()
  set(error "")
  set(seen "")
  foreach(arch IN LISTS archs)
    if(NOT arch MATCHES "^gfx[0-9]+[0-9a-f][0-9a-f]$")
      set(error "\"${arch}\" is not the name of a GPU" "write names as rocminfo prints them, such as gfx90a or gfx1100")
    elseif(arch IN_LIST seen)
      set(error "${arch} is in it twice" "take one out")
    elseif(arg_DEVICE_LIBRARIES AND NOT arch IN_LIST known)
      list(JOIN known " " names)
      set(error "ROCm ${arg_ROCM} does not know ${arch}, only ${names}" "take it out, or take another ROCm")
    endif()
    if(error)
      break()
    endif()
    list(APPEND seen ${arch})
  endforeach()
  set(${result} "${archs}" PARENT_SCOPE)
  set(${result}_ERROR "${error}" PARENT_SCOPE)
endfunction()
