# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/data/tsb_find_data.cmake)

# z_tsb_add_wheel_fetch(<artifact>...): adds fetch-wheels to the target fetch, if wheels or conda packages are made
# (packaging/tools/fetch_wheels.cmake).
function(z_tsb_add_wheel_fetch)
  set(packaging "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/..")
  set(needed OFF)
  set(checks "")
  foreach(name IN LISTS ARGN)
    file(READ "${CMAKE_BINARY_DIR}/artifacts/${name}.json" artifact)
    z_tsb_json_take(artifact product python)
    if(product MATCHES "^(wheel|conda)$")
      set(needed ON)
    endif()
    foreach(file IN ITEMS requirements.txt beside.txt)
      tsb_find_data(file "releases/${TSB_PYTORCH_VERSION}/wheel_check/${file}")
      if(product STREQUAL "wheel" AND file)
        list(APPEND checks "${python}=${file}")
      endif()
    endforeach()
  endforeach()
  if(NOT needed)
    return()
  endif()
  add_custom_target(
    fetch-wheels
    COMMAND sh "${packaging}/../cmake/detail/run_script.sh" "${CMAKE_COMMAND}" "-DTSB_BUILD_FOLDER=${CMAKE_BINARY_DIR}"
            "-DTSB_CHECKS=${checks}" -P "${packaging}/tools/fetch_wheels.cmake"
    COMMENT "Fetching the libraries that make wheels and conda packages"
    USES_TERMINAL VERBATIM
  )
  add_dependencies(fetch fetch-wheels)
endfunction()
