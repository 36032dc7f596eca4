# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_lay_out_cuda_toolkit
------------------------

Makes a folder in the layout of NVIDIA's installers out of a toolkit in any layout, from links to the machine's files.
::

  tsb_lay_out_cuda_toolkit(<file> <folder> [HOST_COMPILER <program>] [RESULT_ERROR <variable>])

``<file>``
  The record of a toolkit, with the members of ``doctor/detail/toolkits.py``, without a fault.
``<folder>``
  Is made anew: ``bin``, ``include``, ``lib64`` (with ``stubs``), ``lib`` (a link to it), ``nvvm``. What was there is
  removed.
``HOST_COMPILER``
  The path of the C++ compiler that nvcc is to use, without which it cannot even say what it would run; by default the
  member ``host_compiler``.
``RESULT_ERROR``
  Set to what is wrong, else to an empty string. Without it the function fails itself.

What is not a link, and why:

- ``bin/nvcc`` is a copy: nvcc looks for its parts beside ``/proc/self/exe``, which is the file behind a link. It keeps
  the file's time, by which ccache knows a compiler: laid out again, it must not compile everything again
  (https://ccache.dev/manual/latest.html, ``compiler_check``).
- ``bin/nvcc.profile`` is written here, with folders relative to nvcc. The distribution's names its folders as absolute
  paths.
- ``include/crt/math_functions.h`` is a corrected copy where it clashes with the C library's
  (z_tsb_correct_cuda_headers).
- In ``lib64``, ``libcublas.so`` beside ``libcublas.so.13`` where pip's packages have only the latter.

What is left out: cuDNN, cuSPARSELt, NCCL and TensorRT, where they were put into the toolkit's folders: they are
packages of their own and must not be found here instead. In a folder that the toolkit shares with others, as
``/usr/include`` of a distribution, only what is known as the toolkit's is linked, by name. A link to all of it would
give the C library's headers a second path, in front of the compiler's own: ``#include_next`` would then find another
copy or none.

Errors: the toolkit has a fault; ``nvcc --dryrun`` names a program that does not lie in the folder.
#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../../cmake/detail/tsb_fail.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../../../cmake/model/tsb_read_record.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/detail/z_tsb_check_cuda_layout.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/detail/z_tsb_correct_cuda_headers.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/detail/z_tsb_cuda_names.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/detail/z_tsb_link_tree.cmake)

function(tsb_lay_out_cuda_toolkit file folder)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "HOST_COMPILER;RESULT_ERROR" "")
  tsb_read_record("${file}" machine)
  set(host_compiler "${machine_host_compiler}")
  if(arg_HOST_COMPILER)
    set(host_compiler "${arg_HOST_COMPILER}")
  endif()
  set(fault "${machine_fault}")
  if(fault STREQUAL "")
    z_tsb_lay_out_cuda_files("${folder}" "${host_compiler}")
    z_tsb_check_cuda_layout(fault "${folder}" "${host_compiler}")
  endif()
  if(DEFINED arg_RESULT_ERROR)
    set(${arg_RESULT_ERROR} "${fault}" PARENT_SCOPE)
  elseif(NOT fault STREQUAL "")
    tsb_fail(
      "CUDA toolkit ${machine_version} in ${machine_home}: ${fault}"
      "install all of this toolkit, or name a complete one in TSB_CUDA_HOME"
    )
  endif()
endfunction()

# z_tsb_lay_out_cuda_files(<folder> <host compiler>): makes the folder. Reads the record `machine`.
function(z_tsb_lay_out_cuda_files folder host_compiler)
  # A distribution's or an environment's folder of programs is full of others in any layout.
  z_tsb_cuda_names(names_of_programs PROGRAMS)
  z_tsb_cuda_names(foreign FOREIGN)
  set(names_of_headers ".*")
  set(names_of_libraries ".*")
  if(machine_layout STREQUAL "distribution")
    z_tsb_cuda_names(names_of_headers HEADERS)
    z_tsb_cuda_names(names_of_libraries LIBRARIES)
  endif()

  # Beside, then renamed: a killed run leaves no half of a toolkit.
  string(RANDOM LENGTH 8 suffix)
  set(new "${folder}.${suffix}")
  file(MAKE_DIRECTORY "${new}/bin" "${new}/nvvm/bin")
  file(REAL_PATH "${machine_nvcc}" program)
  file(COPY "${program}" DESTINATION "${new}/bin")
  get_filename_component(name "${program}" NAME)
  if(NOT name STREQUAL "nvcc")
    file(RENAME "${new}/bin/${name}" "${new}/bin/nvcc")
  endif()
  foreach(from IN LISTS machine_programs)
    z_tsb_link_tree("${from}" "${new}/bin" INCLUDE ${names_of_programs})
  endforeach()
  file(CREATE_LINK "${machine_nvvm_cicc}" "${new}/nvvm/bin/cicc" SYMBOLIC)
  file(CREATE_LINK "${machine_nvvm_libdevice}" "${new}/nvvm/libdevice" SYMBOLIC)

  foreach(from IN LISTS machine_include)
    z_tsb_link_tree("${from}" "${new}/include" INCLUDE ${names_of_headers} EXCLUDE "${foreign}")
  endforeach()
  z_tsb_correct_cuda_headers("${new}/include" "${host_compiler}")
  foreach(from IN LISTS machine_libraries)
    if(from MATCHES "/stubs$") # the toolkit's alone, and with libcuda.so, which elsewhere is the driver's
      z_tsb_link_tree("${from}" "${new}/lib64/stubs")
    elseif(from MATCHES "/nvvm/lib64$")
      z_tsb_link_tree("${from}" "${new}/nvvm/lib64")
    else()
      z_tsb_link_tree("${from}" "${new}/lib64" INCLUDE ${names_of_libraries} EXCLUDE "${foreign}|^stubs$")
    endif()
  endforeach()
  file(GLOB shared RELATIVE "${new}/lib64" "${new}/lib64/lib*.so.*")
  list(SORT shared COMPARE NATURAL) # libx.so.12 before libx.so.12.4
  foreach(library IN LISTS shared)
    string(REGEX REPLACE "\\.so\\..*" ".so" name "${library}")
    if(NOT EXISTS "${new}/lib64/${name}")
      file(CREATE_LINK "${library}" "${new}/lib64/${name}" SYMBOLIC)
    endif()
  endforeach()
  file(CREATE_LINK lib64 "${new}/lib" SYMBOLIC)

  # NVIDIA's own profile, except for the headers of CCCL, which 13.0 keeps one folder deeper.
  set(system_includes "")
  if(IS_DIRECTORY "${new}/include/cccl")
    set(system_includes "SYSTEM_INCLUDES += \"-isystem\" \"$(TOP)/include/cccl\" $(_SPACE_)\n")
  endif()
  file(
    WRITE "${new}/bin/nvcc.profile"
    "TOP = $(_HERE_)/..\n"
    "CICC_PATH = $(TOP)/nvvm/bin\n"
    "NVVMIR_LIBRARY_DIR = $(TOP)/nvvm/libdevice\n"
    "LD_LIBRARY_PATH += $(TOP)/lib:\n"
    "PATH += $(TOP)/nvvm/bin:$(_HERE_):\n"
    "INCLUDES += \"-I$(TOP)/include\" $(_SPACE_)\n"
    "${system_includes}"
    "LIBRARIES =+ $(_SPACE_) \"-L$(TOP)/lib64/stubs\" \"-L$(TOP)/lib64\"\n"
  )
  file(REMOVE_RECURSE "${folder}")
  file(RENAME "${new}" "${folder}")
endfunction()
