# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/data/tsb_find_data.cmake)

# z_tsb_add_wheel_fetch(<row>...): adds fetch-wheels to the target fetch, if wheels or conda packages are made
# (packaging/libraries/fetch_wheels.cmake).
function(z_tsb_add_wheel_fetch)
  set(needed OFF)
  set(checks "")
  tsb_find_data(folder "releases/${release_folder}/wheel_check") # as the step consumer
  set(files "${folder}/requirements.txt" "${folder}/beside.txt")
  if(NOT EXISTS "${folder}/beside.txt") # else all of it is the release's own
    foreach(backend IN ITEMS "${backend_folder}" cpu)
      tsb_find_data(common "backends/${backend}/wheel_check.txt")
      list(APPEND files "${common}")
    endforeach()
    list(REMOVE_DUPLICATES files)
  endif()
  foreach(name IN LISTS ARGN)
    set(product "${artifact_rows_${name}_product}")
    set(python "${artifact_rows_${name}_python}")
    if(product MATCHES "^(wheel|conda)$")
      set(needed ON)
    endif()
    foreach(file IN LISTS files)
      if(product STREQUAL "wheel" AND EXISTS "${file}")
        list(APPEND checks "${python}=${file}")
      endif()
    endforeach()
  endforeach()
  if(NOT needed)
    return()
  endif()
  add_custom_target(
    fetch-wheels
    COMMAND "${CMAKE_BINARY_DIR}/run" "${CMAKE_COMMAND}" "-DTSB_BUILD_FOLDER=${CMAKE_BINARY_DIR}"
            "-DTSB_CHECKS=${checks}" -P "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../libraries/fetch_wheels.cmake"
    COMMENT "Fetching the libraries that make wheels and conda packages"
    USES_TERMINAL VERBATIM
  )
  add_dependencies(fetch fetch-wheels)
endfunction()
