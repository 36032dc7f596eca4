# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_cuda_size
-------------

Estimates the MB that ``libtorch_cuda.so`` comes to with the backend's architectures and compression, from
``device_code`` in ``versions.json``. ::

  tsb_cuda_size(<out-var>)
#]]
include_guard(GLOBAL)

function(tsb_cuda_size out)
  set(mode speed)
  if("-compress-mode=size" IN_LIST backend_configured_compression)
    set(mode size)
  endif()
  set(measured ${versions_device_code_${mode}})
  list(SORT measured COMPARE NATURAL)
  set(size ${versions_device_code_host})
  foreach(arch IN LISTS backend_configured_cmake_archs)
    string(REGEX REPLACE "^([0-9]+)([0-9]).*$" "\\1.\\2" number "${arch}")
    list(GET measured 0 nearest)
    foreach(one IN LISTS measured) # one that was not measured: the next lower one
      if(one VERSION_LESS_EQUAL number)
        set(nearest ${one})
      endif()
    endforeach()
    math(EXPR size "${size} + ${versions_device_code_${mode}_${nearest}} + ${versions_device_code_linked_in}")
  endforeach()
  set(${out} ${size} PARENT_SCOPE)
endfunction()
