# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_add_torchpkg
----------------

Adds the target ``torchpkg``, which compiles it (``packaging/build_torchpkg.cmake``), unless ``TSB_TORCHPKG`` names one.
Call it after :command:`tsb_write_settings`. ::

  tsb_add_torchpkg()
#]]
include_guard(GLOBAL)

function(tsb_add_torchpkg)
  if(TSB_TORCHPKG)
    add_custom_target(torchpkg)
    return()
  endif()
  add_custom_target(
    torchpkg
    COMMAND "${CMAKE_BINARY_DIR}/run" "${CMAKE_COMMAND}" "-DTSB_BUILD_FOLDER=${CMAKE_BINARY_DIR}" -P
            "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../build_torchpkg.cmake"
    COMMENT "Building torchpkg"
    USES_TERMINAL VERBATIM
  )
endfunction()
