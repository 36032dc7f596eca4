# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_add_torchpkg
----------------

Adds the target ``torchpkg``, which compiles it (``packaging/build_torchpkg.cmake``), unless ``TSB_TORCHPKG`` names one.
Call it after :command:`tsb_write_settings`. ::

  tsb_add_torchpkg()
#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/detail/tsb_script_command.cmake)

function(tsb_add_torchpkg)
  if(TSB_TORCHPKG)
    add_custom_target(torchpkg)
    return()
  endif()
  tsb_script_command(run_script "${TSB_CODEGEN_PYTHON}")
  add_custom_target(
    torchpkg
    COMMAND ${run_script} "-DTSB_BUILD_FOLDER=${CMAKE_BINARY_DIR}" -P
            "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../build_torchpkg.cmake"
    COMMENT "Building torchpkg"
    USES_TERMINAL VERBATIM
  )
endfunction()
