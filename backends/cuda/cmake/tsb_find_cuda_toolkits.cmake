# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_find_cuda_toolkits
----------------------

Finds every CUDA toolkit of the machine, however it is laid out, in the places and the order of docs/cuda.md. Works in
scripts and before ``project()``. ::

  tsb_find_cuda_toolkits(<result> [ROOT <folder>]) # a JSON array; for tests, a folder that stands for /

A toolkit that is reached in two ways counts once, as found by the first. A folder that ``TSB_CUDA_HOME`` names and that
has no nvcc is in the result anyway, with a fault. Members of a toolkit:

``found_by``
  The first way: ``TSB_CUDA_HOME``, ``PATH``, ``/usr/local`` ...
``layout``
  ``standard``: everything below one folder. ``distribution``: split over ``/usr``, also below another root. ``conda``:
  in ``targets/`` of an environment. ``pip``: in ``nvidia/`` of a ``site-packages``.
``home``, ``programs``, ``include``, ``libraries``
  Folders: the one that it all lies below, and its parts. ``libraries`` has static, shared and stub libraries.
``version``, ``nvcc``
  nvcc's, such as 12.4.131; the program itself, not a script that starts it. Empty where there is none.
``fault``
  Why nothing can be compiled with it. Empty when it is complete.
``nvvm``
  An object: ``cicc``, a program; ``libdevice``, a folder.
``library_versions``
  Versions of the toolkit's libraries, as far as they can be read (:command:`z_tsb_cuda_library_versions`).
#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../../cmake/detail/z_tsb_json.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/detail/z_tsb_describe_cuda_toolkit.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/detail/z_tsb_python_site_folders.cmake)

function(tsb_find_cuda_toolkits result)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "ROOT" "")
  # Pairs: way, folder (or an nvcc itself).
  set(ways "")
  if(TSB_CUDA_HOME)
    list(APPEND ways TSB_CUDA_HOME "${TSB_CUDA_HOME}")
  endif()
  foreach(variable IN ITEMS CUDA_HOME CUDA_PATH)
    if(NOT "$ENV{${variable}}" STREQUAL "")
      list(APPEND ways ${variable} "$ENV{${variable}}")
    endif()
  endforeach()
  string(REPLACE ":" ";" path "$ENV{PATH}")
  foreach(folder IN LISTS path)
    if(EXISTS "${folder}/nvcc")
      list(APPEND ways PATH "${folder}/nvcc")
    endif()
  endforeach()
  list(APPEND ways /usr/local "${arg_ROOT}/usr/local/cuda")
  foreach(pattern IN ITEMS /usr/local/cuda-* /opt/cuda*)
    file(GLOB folders "${arg_ROOT}${pattern}")
    list(SORT folders COMPARE NATURAL ORDER DESCENDING)
    get_filename_component(way "${pattern}" DIRECTORY)
    foreach(folder IN LISTS folders)
      list(APPEND ways "${way}" "${folder}")
    endforeach()
  endforeach()
  list(APPEND ways distribution "${arg_ROOT}/usr")
  if(NOT "$ENV{CONDA_PREFIX}" STREQUAL "")
    list(APPEND ways conda "$ENV{CONDA_PREFIX}")
  endif()
  z_tsb_python_site_folders(sites)
  foreach(site IN LISTS sites)
    file(GLOB folders "${site}/nvidia/cu[0-9]*")
    list(SORT folders COMPARE NATURAL ORDER DESCENDING)
    foreach(folder IN LISTS folders)
      list(APPEND ways pip "${folder}")
    endforeach()
    if(EXISTS "${site}/nvidia/cuda_nvcc" OR EXISTS "${site}/nvidia/cuda_runtime")
      list(APPEND ways pip "${site}")
    endif()
  endforeach()

  set(toolkits "[]")
  set(count 0)
  set(seen "")
  while(ways)
    list(POP_FRONT ways way folder)
    get_filename_component(folder "${folder}" ABSOLUTE)
    set(nvcc "")
    set(candidates "${folder}")
    if(IS_DIRECTORY "${folder}")
      # The last: Debian's /usr/lib/cuda is a folder of links for programs that expect the standard layout.
      set(candidates bin/nvcc lib/nvidia-cuda-toolkit/bin/nvcc ../nvidia-cuda-toolkit/bin/nvcc)
      list(TRANSFORM candidates PREPEND "${folder}/")
    endif()
    foreach(candidate IN LISTS candidates)
      if(nvcc STREQUAL "")
        z_tsb_real_nvcc(nvcc "${candidate}")
      endif()
    endforeach()
    set(key "${nvcc}")
    if(nvcc STREQUAL "")
      get_filename_component(key "${folder}" REALPATH)
    endif()
    if(key IN_LIST seen)
      continue()
    endif()
    list(APPEND seen "${key}")

    if(NOT nvcc STREQUAL "")
      z_tsb_describe_cuda_toolkit(toolkit "${nvcc}")
    elseif(way STREQUAL "pip" AND NOT folder MATCHES "/nvidia/cu[0-9]+$")
      z_tsb_describe_pip_without_nvcc(toolkit "${folder}")
    elseif(way STREQUAL "TSB_CUDA_HOME")
      set(toolkit "{\"layout\": \"\", \"version\": \"\", \"nvcc\": \"\", \"fault\": \"there is no nvcc in it\"}")
      z_tsb_json_set_string(toolkit home "${folder}")
    else()
      continue()
    endif()
    z_tsb_json_set_string(toolkit found_by "${way}")
    string(JSON toolkits SET "${toolkits}" ${count} "${toolkit}")
    math(EXPR count "${count} + 1")
  endwhile()
  set(${result} "${toolkits}" PARENT_SCOPE)
endfunction()
