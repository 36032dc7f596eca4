# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../cmake/z_tsb_nvidia_wheel.cmake)

# For a small wheel, as in the official ones: "libcublas.so.*=nvidia/cublas/lib". Official libraries use more of
# NVIDIA's than ours.
function(z_tsb_cuda_wheel_folders out)
  set(pairs "")
  if(artifact_style STREQUAL "small")
    string(REGEX MATCH "^[0-9]+" major "${backend_version}")
    set(which USED)
    if(backend_prebuilt)
      set(which "")
    endif()
    z_tsb_backend_library_names(libraries cuda ${which})
    foreach(library IN LISTS libraries)
      z_tsb_nvidia_wheel(${library} ${major})
      list(TRANSFORM patterns APPEND "=${folder}")
      list(APPEND pairs ${patterns})
    endforeach()
  endif()
  set(${out} "${pairs}" PARENT_SCOPE)
endfunction()
