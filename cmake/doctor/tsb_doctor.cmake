# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_doctor
----------

Look at the machine before anything is built, and say everything that is wrong with it at once. ::

  tsb_doctor(
    [CHECKS <check>...]
    [EXTRA_CHECKS <check>...] [WITHOUT <check>...]
    [SOURCE_DIR <folder>] [BUILD_DIR <folder>]
    [WRITABLE <folder>...]
    [DISK <folder> <MB> [<folder> <MB>]...]
    [MEMORY_MB <n>]
    [PYTHONS <version>...]
    [PYTORCH_VERSION <version> CUDA_VERSION <version>] [STATIC_LIBRARIES]
    [RESULT_ERROR <variable>])

``CHECKS``
  What to look at. By default: target, cmake, ninja, compiler, python, patchelf, tools, compiler_cache, folders, disk, memory; and
  with ``CUDA_VERSION`` those of a CUDA backend: cuda_toolkit, cuda_host_compiler, cuda_compile, cudnn, cusparselt, nvtx,
  cuda_driver, cuda_archs.
``EXTRA_CHECKS``
  Further ones, such as that of a BLAS. A check ``x`` is a function ``tsb_doctor_check_x()`` in
  ``tsb_doctor_check_x.cmake`` beside this file: it reads the ``doctor_*`` variables below and calls
  ``z_tsb_doctor_good()`` or ``z_tsb_doctor_problem()``. Nothing else is needed to add one.
``WITHOUT``
  Checks that are left out, which this build does not need.
``SOURCE_DIR``, ``BUILD_DIR``
  Checked for characters that cannot work.
``WRITABLE``
  Folders that must be writable, or must be possible to make.
``DISK``
  Folders, each with the space that it needs. Folders of one file system share its space.
``MEMORY_MB``
  What the largest step needs.
``PYTHONS``
  Versions that artifacts are made for, such as 3.11, for the check ``pythons``.
``PYTORCH_VERSION``, ``CUDA_VERSION``
  What a CUDA backend builds, such as 9.9.0 and 12.4.
``STATIC_LIBRARIES``
  They are made as well: the check ``cuda_archs`` looks at the size of programs.
``RESULT_ERROR``
  Set to a closing sentence when there are problems, else to an empty string. Without it the function fails itself. In a
  ``CMakeLists.txt``, ``message(FATAL_ERROR)`` with this sentence ends the configure without the functions' frames.

Works before ``project()`` and in scripts. Sets for the caller what the checks export: ``TSB_CODEGEN_PYTHON``,
``TSB_COMPILER_CACHE``; those of a CUDA backend: ``TSB_CUDA_TOOLKIT``, ``TSB_CUDA_HOST_COMPILER``,
``TSB_CUDA_HOST_COMPILER_VERSION``, ``TSB_CUDNN``, ``TSB_CUSPARSELT``, ``TSB_CUDA_NVTX``, ``TSB_CUDA_ARCHS`` and what
follows from it (see the checks). Checks named in ``TSB_DOCTOR_SKIP`` of the environment (separated by
commas) are left out, unless the build needs what they export.
#]]
include_guard(GLOBAL)
cmake_policy(VERSION 3.21)
include(${CMAKE_CURRENT_LIST_DIR}/detail/z_tsb_doctor_findings.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../detail/tsb_fail.cmake)
set_property(GLOBAL PROPERTY TSB_DOCTOR_FOLDER ${CMAKE_CURRENT_LIST_DIR})

function(tsb_doctor)
  cmake_parse_arguments(
    PARSE_ARGV 0 doctor "STATIC_LIBRARIES"
    "SOURCE_DIR;BUILD_DIR;MEMORY_MB;RESULT_ERROR;ROOT;PYTORCH_VERSION;CUDA_VERSION"
    "CHECKS;EXTRA_CHECKS;WITHOUT;WRITABLE;DISK;PYTHONS"
  )
  if(DEFINED doctor_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "tsb_doctor: unknown arguments: ${doctor_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT DEFINED doctor_CHECKS)
    set(doctor_CHECKS target cmake ninja compiler python patchelf tools compiler_cache folders disk memory)
    if(NOT "${doctor_CUDA_VERSION}" STREQUAL "")
      list(
        APPEND doctor_CHECKS cuda_toolkit # first, the others look at what it has found
        cuda_host_compiler cuda_compile cudnn cusparselt nvtx cuda_driver cuda_archs
      )
    endif()
  endif()
  if(doctor_WITHOUT)
    list(REMOVE_ITEM doctor_CHECKS ${doctor_WITHOUT})
  endif()
  list(LENGTH doctor_DISK length)
  math(EXPR odd "${length} % 2")
  if(odd)
    message(FATAL_ERROR "tsb_doctor: DISK takes pairs of a folder and a number: ${doctor_DISK}")
  endif()
  foreach(kind IN ITEMS GOOD PROBLEMS PROBLEM_COUNT EXPORTS)
    set_property(GLOBAL PROPERTY TSB_DOCTOR_${kind} "")
  endforeach()

  get_property(folder GLOBAL PROPERTY TSB_DOCTOR_FOLDER)
  string(REPLACE "," ";" skipped "$ENV{TSB_DOCTOR_SKIP}")
  foreach(check IN LISTS doctor_CHECKS doctor_EXTRA_CHECKS)
    if(check IN_LIST skipped AND check MATCHES "^(target|cuda_toolkit|cuda_host_compiler|cudnn|nvtx|cuda_archs)$")
      z_tsb_doctor_problem(
        "${check}: TSB_DOCTOR_SKIP names it, but the check finds what the build is given"
        "take it out of TSB_DOCTOR_SKIP"
      )
      continue()
    elseif(check IN_LIST skipped)
      z_tsb_doctor_good("${check}: skipped (TSB_DOCTOR_SKIP)")
      continue()
    endif()
    include(${folder}/tsb_doctor_check_${check}.cmake)
    cmake_language(CALL tsb_doctor_check_${check})
  endforeach()

  get_property(good GLOBAL PROPERTY TSB_DOCTOR_GOOD)
  get_property(problems GLOBAL PROPERTY TSB_DOCTOR_PROBLEMS)
  get_property(count GLOBAL PROPERTY TSB_DOCTOR_PROBLEM_COUNT)
  get_property(exports GLOBAL PROPERTY TSB_DOCTOR_EXPORTS)
  foreach(variable IN LISTS exports)
    get_property(value GLOBAL PROPERTY TSB_DOCTOR_EXPORT_${variable})
    set(${variable} "${value}" PARENT_SCOPE)
  endforeach()
  string(REGEX REPLACE "\n$" "" good "${good}")
  string(REPLACE "\n" "\n-- " good "${good}")
  if(NOT good STREQUAL "")
    message(STATUS "${good}")
  endif()

  set(error "")
  if(NOT count STREQUAL "")
    message(NOTICE "This machine is not ready:\n${problems}")
    set(error "problems with this machine: ${count}, listed above with their remedies; nothing was built")
    if(NOT DEFINED doctor_RESULT_ERROR)
      tsb_fail("${error}")
    endif()
  endif()
  if(DEFINED doctor_RESULT_ERROR)
    set(${doctor_RESULT_ERROR} "${error}" PARENT_SCOPE)
  endif()
endfunction()
