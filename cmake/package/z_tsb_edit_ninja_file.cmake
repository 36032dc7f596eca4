# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# z_tsb_edit_ninja_file()
#
# Completes what CMake has generated, where no option of CMake's can (z_tsb_edit_ninja_file.awk, one pass, since the
# file has some 100,000 lines):
#
# * No warning is an error. A project may append -Werror to its flags in any way and in any place, and a later compiler
#   warns of more: FBGEMM fails so with gcc 12 and with gcc 14. What CMake tests with a flag is not touched, nor is
#   `#pragma GCC diagnostic error` in a source.
# * The compiles of the package's HEAVY_SOURCES are in the Ninja pool "heavy". CMake 3.25 knows job pools of whole
#   targets only.
# * The steps that the package's STEP_COSTS calls expensive stand first, so that none of them is the last to start
#   (z_tsb_order_ninja_file.awk).
#
# Ninja does not run CMake again by itself, which would undo this (CMAKE_SUPPRESS_REGENERATION in
# z_tsb_framework.cmake). Errors: no source matches HEAVY_SOURCES.
set(Z_TSB_EDIT_NINJA_FILE "${CMAKE_CURRENT_LIST_DIR}/z_tsb_edit_ninja_file.awk")
set(Z_TSB_ORDER_NINJA_FILE "${CMAKE_CURRENT_LIST_DIR}/z_tsb_order_ninja_file.awk")

function(z_tsb_edit_ninja_file)
  set(file "${TSB_PACKAGE_DIR}/build/build.ninja")
  execute_process(
    COMMAND awk -v "heavy=${package_heavy_sources}" -f "${Z_TSB_EDIT_NINJA_FILE}" "${file}"
    COMMAND awk -v "costs=${package_step_costs}" -f "${Z_TSB_ORDER_NINJA_FILE}"
    OUTPUT_FILE "${file}.new" RESULTS_VARIABLE codes
    ERROR_VARIABLE error
  )
  list(GET codes 0 code)
  if(code EQUAL 0)
    list(GET codes 1 code)
  endif()
  if(code EQUAL 3)
    file(REMOVE "${file}.new")
    tsb_fail(
      "package ${package_name}: no compile matches HEAVY_SOURCES ${package_heavy_sources}"
      "correct it in superbuild/${package_name}.cmake"
    )
  elseif(NOT code EQUAL 0)
    file(REMOVE "${file}.new")
    tsb_fail(
      "package ${package_name}: cannot edit ${file}: ${error}" "free some disk space, and run the same command again"
    )
  endif()
  file(RENAME "${file}.new" "${file}")
endfunction()
