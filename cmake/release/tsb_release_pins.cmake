# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_release_pins
----------------

Writes the pins of a release, with what additions add to them, to ``pins/`` in the build folder, for everything that
reads pins. ::

  tsb_release_pins()

``model_pins`` (:command:`tsb_load_model`) has the folders: the release's, those of additions (releases/README.md), and
the backend's, with pins that are the same for all releases. Nothing is done where ``TSB_PINS_FILE`` names other pins.

Error: a file that cannot be used.
#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../python/tsb_run_python.cmake)

function(tsb_release_pins)
  if(NOT TSB_PINS_FILE STREQUAL "${CMAKE_BINARY_DIR}/pins/sources.json" OR NOT model_pins)
    return()
  endif()
  tsb_run_python("${CMAKE_CURRENT_FUNCTION_LIST_DIR}/merge_pins.py" "${CMAKE_BINARY_DIR}/pins" ${model_pins})
endfunction()
