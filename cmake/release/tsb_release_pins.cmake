# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_release_pins
----------------

Writes the pins of a release, with what additions add to them, to ``pins/`` in the build folder, for everything that
reads pins. ::

  tsb_release_pins()

The release's folder is ``TSB_RELEASE_FOLDER``. An addition is each other folder ``releases/<version>`` of
:command:`tsb_find_data` without a ``release.json`` (releases/README.md), and the backend's, with pins that are the same
for all releases. Nothing is done where ``TSB_PINS_FILE`` names
other pins.

Error: a file that cannot be used.
#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../data/tsb_find_data.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../python/tsb_run_python.cmake)

function(tsb_release_pins)
  if(NOT TSB_PINS_FILE STREQUAL "${CMAKE_BINARY_DIR}/pins/sources.json" OR NOT TSB_RELEASE_FOLDER)
    return()
  endif()
  get_filename_component(version "${TSB_RELEASE_FOLDER}" NAME)
  set(folders "${TSB_RELEASE_FOLDER}")
  z_tsb_data_folders(data)
  foreach(folder IN LISTS data)
    set(folder "${folder}/releases/${version}")
    if(EXISTS "${folder}/sources.json" AND NOT EXISTS "${folder}/release.json")
      list(APPEND folders "${folder}")
    endif()
  endforeach()
  tsb_find_data(of_backend "backends/${backend_kind}/sources.json")
  if(of_backend)
    get_filename_component(folder "${of_backend}" DIRECTORY)
    list(APPEND folders "${folder}")
  endif()
  tsb_run_python("${CMAKE_CURRENT_FUNCTION_LIST_DIR}/merge_pins.py" "${CMAKE_BINARY_DIR}/pins" ${folders})
  foreach(folder IN LISTS folders)
    file(GLOB files "${folder}/sources.json" "${folder}/components.json" "${folder}/patches/*")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${files})
  endforeach()
endfunction()
