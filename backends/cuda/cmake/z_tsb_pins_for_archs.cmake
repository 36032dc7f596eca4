# SPDX-License-Identifier: BSD-3-Clause
include_guard()
include("${CMAKE_CURRENT_LIST_DIR}/../../../cmake/sources/detail/z_tsb_json_get_or.cmake")
#[[.rst:
z_tsb_pins_for_archs
--------------------

``z_tsb_pins_for_archs(<out> <pins> <arch>...)`` takes the candidates that cannot be compiled for one of these CUDA
architectures (``9.0``, ``9.0a``, ``8.6+PTX``) out of the pins: those with a higher ``lowest_cuda_arch``. So neither a
provider nor the cache is asked for one. Why not is in the source's member ``refused``, a line for each of them.
#]]

function(z_tsb_pins_for_archs out pins)
  z_tsb_json_members(names "${pins}" sources)
  foreach(name IN LISTS names)
    set(refused "")
    z_tsb_json_get_each(versions "${pins}" "sources;${name};candidates" version)
    list(LENGTH versions index)
    while(index GREATER 0) # from the last on, as those behind a removed one move up
      math(EXPR index "${index} - 1")
      z_tsb_json_get_or(lowest "${pins}" 0 sources "${name}" candidates ${index} lowest_cuda_arch)
      set(bad "")
      set(good "")
      foreach(arch IN LISTS ARGN)
        string(REGEX MATCH "^[0-9]+[.][0-9]+" number "${arch}")
        if(number VERSION_LESS lowest)
          list(APPEND bad "${arch}")
        else()
          list(APPEND good "${arch}")
        endif()
      endforeach()
      if(bad)
        list(GET versions ${index} version)
        list(JOIN bad ", " bad)
        set(reason "skipped ${version}: it does not support architecture ${bad}")
        if(good)
          list(JOIN good " " good)
          string(APPEND reason " (it is used with TSB_CUDA_ARCHS=\"${good}\")")
        endif()
        list(PREPEND refused "${reason}")
        string(JSON pins REMOVE "${pins}" sources "${name}" candidates ${index})
      endif()
    endwhile()
    if(refused)
      string(JSON pin GET "${pins}" sources "${name}")
      z_tsb_json_set_array(pin refused ${refused})
      string(JSON pins SET "${pins}" sources "${name}" "${pin}")
    endif()
  endforeach()
  set(${out} "${pins}" PARENT_SCOPE)
endfunction()
