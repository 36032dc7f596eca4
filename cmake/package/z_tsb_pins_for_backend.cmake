# SPDX-License-Identifier: BSD-3-Clause
include_guard()
include(${CMAKE_CURRENT_LIST_DIR}/../detail/z_tsb_json.cmake)
#[[.rst:
z_tsb_pins_for_backend
----------------------

``z_tsb_pins_for_backend(<out> <pins> <kind> <version>)`` takes the submodules and patches that another backend needs
out of the pins. One with ``"backend": "rocm"`` stays when ``<kind>`` is ``rocm``, one without that member always. A
patch with ``"lowest_backend_version": "7"`` also needs that version or a higher one.
#]]

function(z_tsb_pins_for_backend out pins kind version)
  string(JSON count LENGTH "${pins}" sources)
  if(count GREATER 0)
    math(EXPR last_source "${count} - 1")
    foreach(source_index RANGE ${last_source})
      string(JSON source MEMBER "${pins}" sources ${source_index})
      foreach(member IN ITEMS submodules patches)
        string(JSON count ERROR_VARIABLE error LENGTH "${pins}" sources "${source}" ${member})
        if(error)
          continue()
        endif()
        while(count GREATER 0) # from the last on, as those behind a removed one move up
          math(EXPR count "${count} - 1")
          string(JSON entry GET "${pins}" sources "${source}" ${member} ${count})
          z_tsb_json_take(entry backend lowest_backend_version)
          if((backend AND NOT backend STREQUAL kind) OR version VERSION_LESS lowest_backend_version)
            string(JSON pins REMOVE "${pins}" sources "${source}" ${member} ${count})
          endif()
        endwhile()
      endforeach()
    endforeach()
  endif()
  set(${out} "${pins}" PARENT_SCOPE)
endfunction()
