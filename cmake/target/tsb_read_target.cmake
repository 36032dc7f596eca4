# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_read_target
---------------

Reads what is true of this machine, which is also the one that is built for: ``targets/<processor>.json`` (see
:command:`tsb_find_data` and targets/README.md). Works in scripts and before ``project()``. ::

  tsb_read_target(<result>)

``<result>`` is set to the JSON text, or to nothing when there is no such file: the doctor's check ``target`` says so.
Errors: those of :command:`tsb_read_data`.
#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../data/tsb_find_data.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../data/tsb_read_data.cmake)

# z_tsb_processor(<result>): asked of the machine, since CMake knows it after project() only.
function(z_tsb_processor result)
  execute_process(COMMAND uname -m OUTPUT_VARIABLE processor OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  set(${result} "${processor}" PARENT_SCOPE)
endfunction()

function(tsb_read_target result)
  set(target "")
  z_tsb_processor(processor)
  tsb_find_data(file "targets/${processor}.json")
  if(file)
    tsb_read_data(
      target "${file}" STRING processor title triplet wheel_machine conda_subdir ARRAY blas openblas_options? BOOLEAN
      unity_groups?
    )
  endif()
  set(${result} "${target}" PARENT_SCOPE)
endfunction()
