# SPDX-License-Identifier: BSD-3-Clause
# The ROCm for doctor_BACKEND_VERSION (major and minor version must be the same), with all components that PyTorch asks
# for, of this version. All that are found are named; of several that fit, the first in the order of
# tsb_find_rocm_toolkits() is taken, and ROCM_PATH decides alone. Exports TSB_ROCM_TOOLKIT, the object that
# tsb_find_rocm_toolkits() describes, without what changes with the way to it.
include(${CMAKE_CURRENT_LIST_DIR}/../cmake/tsb_find_rocm_toolkits.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../../../cmake/doctor/detail/z_tsb_doctor_choose_toolkit.cmake)

# z_tsb_doctor_rocm_components(<toolkit> <its name in messages>): sets faults, how many problems with its components
# were told.
function(z_tsb_doctor_rocm_components toolkit text)
  set(wanted "${doctor_BACKEND_VERSION}")
  file(READ "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../versions.json" facts)
  z_tsb_json_get_list(required "${facts}" required)
  set(missing "")
  set(other "")
  foreach(component IN LISTS required)
    z_tsb_json_get(found "${toolkit}" components "${component}")
    z_tsb_json_get(expected "${facts}" components "${wanted}" "${component}")
    string(REPLACE "." "\\." pattern "${expected}")
    if(found STREQUAL "")
      list(APPEND missing ${component})
    elseif(NOT expected STREQUAL "" AND NOT found MATCHES "^(${pattern}(\\.|$)|unknown)")
      list(APPEND other "${component} ${found} (${expected})")
    endif()
  endforeach()
  z_tsb_json_take(toolkit home configs)
  z_tsb_json_get_list(headers "${facts}" required_headers)
  foreach(header IN LISTS headers)
    if(NOT EXISTS "${home}/include/${header}")
      list(APPEND missing ${header})
    endif()
  endforeach()
  get_filename_component(lib "${configs}" DIRECTORY)
  z_tsb_json_get_list(kernels "${toolkit}" kernels)
  z_tsb_json_get_list(libraries "${facts}" required_kernels)
  foreach(library IN LISTS libraries)
    if(NOT kernels MATCHES "(^|;)${library}/")
      list(APPEND missing "${lib}/${library}/library")
    endif()
  endforeach()
  set(faults 0)
  if(missing)
    list(JOIN missing ", " missing)
    z_tsb_doctor_problem(
      "ROCm toolkit: ${text} lacks ${missing}" "install these components of the same ROCm, with their files for CMake"
      "or, where a distribution has them elsewhere, take AMD's packages and name them in ROCM_PATH"
    )
    set(faults 1)
  endif()
  if(other)
    list(JOIN other ", " other)
    z_tsb_doctor_problem(
      "ROCm toolkit: ${text} has components that are not of ROCm ${wanted}, whose versions are in brackets: ${other}"
      "install all components from one ROCm"
    )
    set(faults 1)
  endif()
  set(faults ${faults} PARENT_SCOPE)
endfunction()

function(tsb_doctor_check_rocm_toolkit)
  set(wanted "${doctor_BACKEND_VERSION}")
  set(root "")
  if(DEFINED doctor_ROOT)
    set(root ROOT "${doctor_ROOT}")
  endif()
  tsb_find_rocm_toolkits(toolkits ${root})
  z_tsb_doctor_choose_toolkit(chosen "${toolkits}" ROCm ROCM_PATH)
  if(chosen_REFUSED)
    return()
  endif()
  if(chosen STREQUAL "")
    set(found "and there is none here")
    if(chosen_OTHERS)
      set(found "found: ${chosen_OTHERS}")
    endif()
    z_tsb_doctor_problem(
      "ROCm toolkit: ${wanted} is needed, ${found}"
      "install all of ROCm ${wanted} (https://rocm.docs.amd.com), or name one in ROCM_PATH"
    )
    return()
  endif()
  z_tsb_doctor_rocm_components("${chosen}" "${chosen_TEXT}")
  if(faults)
    return()
  endif()
  z_tsb_doctor_accept_toolkit(chosen ROCm ROCM_PATH)
  string(JSON chosen REMOVE "${chosen}" found_by)
  z_tsb_doctor_export(TSB_ROCM_TOOLKIT "${chosen}")
endfunction()
