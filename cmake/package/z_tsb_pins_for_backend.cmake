# SPDX-License-Identifier: BSD-3-Clause
include_guard()
#[[.rst:
z_tsb_pins_for_backend
----------------------

``z_tsb_pins_for_backend(<out> <pins> <kind>)`` takes the submodules and patches that another kind of backend needs out
of the pins. One with ``"backend": "cuda"`` stays when ``<kind>`` is ``cuda``, one without that member always.
#]]

function(z_tsb_pins_for_backend out pins kind)
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
          string(JSON backend ERROR_VARIABLE error GET "${pins}" sources "${source}" ${member} ${count} backend)
          if(NOT error AND NOT backend STREQUAL kind)
            string(JSON pins REMOVE "${pins}" sources "${source}" ${member} ${count})
          endif()
        endwhile()
      endforeach()
    endforeach()
  endif()
  set(${out} "${pins}" PARENT_SCOPE)
endfunction()
