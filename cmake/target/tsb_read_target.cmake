# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_read_target
---------------

Reads what is true of the processor that is built for, ``targets/<processor>.json`` (see :command:`tsb_find_data` and
targets/README.md). Works in scripts and before ``project()``. ::

  tsb_read_target(<result> [<processor>])

``<processor>`` is the one that the backend names, by default this machine's. ``<result>`` is set to the JSON text, or
to nothing when there is no such file: the doctor's check ``target`` says so. For another processor than this machine's
it has the member ``cross``, what the names of its compilers and tools begin with, ``aarch64-linux-gnu-``, and those
that are used: ``c_compiler``, ``cxx_compiler`` and ``objcopy``.

Errors: those of :command:`tsb_read_data`.
#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../data/tsb_find_data.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../data/tsb_read_data.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../detail/z_tsb_json.cmake)

# z_tsb_processor(<result>): asked of the machine, since CMake knows it after project() only.
function(z_tsb_processor result)
  execute_process(COMMAND uname -m OUTPUT_VARIABLE processor OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  set(${result} "${processor}" PARENT_SCOPE)
endfunction()

function(tsb_read_target result)
  set(target "")
  z_tsb_processor(machine)
  set(processor ${ARGN})
  if(NOT processor)
    set(processor "${machine}")
  endif()
  tsb_find_data(file "targets/${processor}.json")
  if(file)
    tsb_read_data(
      target "${file}" STRING processor title triplet wheel_machine conda_subdir ARRAY blas openblas_options? BOOLEAN
      unity_groups? only_prebuilt?
    )
    if(NOT processor STREQUAL machine)
      z_tsb_json_take(target triplet)
      z_tsb_json_set_string(target cross "${triplet}-")
      z_tsb_json_set_string(target c_compiler "${triplet}-gcc")
      z_tsb_json_set_string(target cxx_compiler "${triplet}-g++")
      z_tsb_json_set_string(target objcopy "${triplet}-objcopy")
    endif()
  endif()
  set(${result} "${target}" PARENT_SCOPE)
endfunction()
