# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../../cmake/backend/z_tsb_backend_libraries.cmake)

# z_tsb_nvidia_wheel(<library> <major version of CUDA>): the wheel that a small wheel takes a library from; sets
# project, folder, numbers and patterns of its files for the caller. Those of the toolkit have moved with CUDA 13: one
# folder, projects without a suffix. NVTX, which nothing needs any more, is among them for torch/__init__.py: it loads
# it with all the others when a library is not found by its RPATH, and fails without it (_preload_cuda_deps).
function(z_tsb_nvidia_wheel library major)
  z_tsb_backend_libraries(facts cuda)
  z_tsb_backend_libraries(entry cuda ${library})
  z_tsb_json_get(package "${entry}" package)
  z_tsb_json_get(moved_in "${facts}" packages ${package} wheels_moved_in)
  foreach(member IN ITEMS project folder numbers)
    z_tsb_json_get(${member} "${entry}" wheel ${member})
  endforeach()
  if(moved_in AND major VERSION_GREATER_EQUAL moved_in)
    set(folder "nvidia/cu${major}/lib")
  else()
    string(APPEND project "-cu${major}")
  endif()
  z_tsb_json_get_list(patterns "${entry}" files)
  list(TRANSFORM patterns APPEND ".so.*")
  foreach(variable IN ITEMS project folder numbers patterns)
    set(${variable} "${${variable}}" PARENT_SCOPE)
  endforeach()
endfunction()
