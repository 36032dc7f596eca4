# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/z_tsb_bundle.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/z_tsb_stage_shared_libraries.cmake)

# z_tsb_stage_static_libraries(<artifact json> <pytorch's install tree> <root of the staged tree> <report>)
#
# <root>/lib: the static libraries that PyTorch's stage phase made of the objects of the shared ones, and with deps the
# shared libraries that those need and not every host has (an OpenMP runtime must not be linked into two libraries of one
# process, so it stays shared). What is needed is asked of the shared libraries, which have the same objects. <report> is
# what `torchpkg bundle` says of it.
function(z_tsb_stage_static_libraries artifact install root report)
  file(GLOB libraries "${install}/static/*.a")
  if(NOT libraries)
    tsb_fail("there are no static libraries in ${install}/static" "see the log of PyTorch's stage phase")
  endif()
  file(COPY ${libraries} DESTINATION "${root}/lib")

  z_tsb_libtorch_shared_libraries(shared "${install}")
  set(needed_by "")
  foreach(library IN LISTS shared)
    list(APPEND needed_by --needed-by "${library}")
  endforeach()
  z_tsb_bundle("${artifact}" "${root}" "${report}" ${needed_by})
endfunction()
