# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../model/tsb_read_record.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../python/tsb_call_python.cmake)

# z_tsb_edit_ninja_file()
#
# Completes what CMake has generated for the package: see engine/runner/edit_ninja_file.py. Ninja does not run CMake
# again by itself, which would undo this (CMAKE_SUPPRESS_REGENERATION in z_tsb_framework.cmake). Errors: no source
# matches HEAVY_SOURCES.
function(z_tsb_edit_ninja_file)
  tsb_read_record("${package_build_folder}/settings.json" settings)
  # Not tsb_call_python: an argument may be empty.
  tsb_python_command(edit "${settings_python}" runner.edit_ninja_file)
  execute_process(
    COMMAND ${edit} "${TSB_PACKAGE_DIR}/build/build.ninja" "${package_name}" "${package_declared_in}"
            "${package_heavy_sources}" "${package_step_costs}" RESULT_VARIABLE code
  )
  if(NOT code EQUAL 0)
    tsb_python_failed(runner.edit_ninja_file "${code}")
  endif()
endfunction()
