# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_cuda_compression
--------------------

How device code is compressed, as far as nvcc and the lowest driver that is to load it allow. ::

  tsb_cuda_compression(<flags> <mode> <CUDA's version> [<lowest driver>])

``<flags>``
  Set to options of nvcc: ``-Xfatbin -compress-all`` with each version (without it only PTX is compressed), and
  ``-compress-mode=size``, where nvcc knows it (12.8) and each driver can load the result: from CUDA 13.0 on, or when
  the lowest driver is 550.54.14, the one of CUDA 12.4, or newer. Older ones know only the way of compressing that is
  now called speed (https://github.com/pytorch/pytorch/pull/157791, https://github.com/pytorch/pytorch/pull/161316).
``<mode>``
  Set to ``size`` or ``speed``, as ``device_code`` of ``versions.json`` has them.
``<lowest driver>``
  Without it that of the CUDA version's minor-version compatibility, so that packages run where the official ones do.
#]]
include_guard(GLOBAL)

function(tsb_cuda_compression flags mode cuda)
  set(found "-Xfatbin;-compress-all")
  set(found_mode speed)
  if(cuda VERSION_GREATER_EQUAL 13 OR (cuda VERSION_GREATER_EQUAL 12.8 AND "${ARGN}" VERSION_GREATER_EQUAL 550.54.14))
    list(APPEND found -compress-mode=size)
    set(found_mode size)
  endif()
  set(${flags} "${found}" PARENT_SCOPE)
  set(${mode} ${found_mode} PARENT_SCOPE)
endfunction()
