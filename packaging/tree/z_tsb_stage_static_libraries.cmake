# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../z_tsb_backend_folders.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/z_tsb_bundle.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/z_tsb_stage_shared_libraries.cmake)

# z_tsb_stage_static_libraries(<pytorch's install tree> <root of the staged tree> <report>)
#
# <root>/lib: the static libraries that PyTorch's stage phase made of the objects of the shared ones, and with deps the
# shared libraries that those need and not every host has (an OpenMP runtime must not be linked into two libraries of
# one process, so it stays shared; so do the backend's libraries). What is needed is asked of the shared libraries,
# which have the same objects, and of libcaffe2_nvrtc.so, which has none, but needs the NVRTC that libtorch opens by
# name. <report> is that of z_tsb_bundle; with a backend's libraries its member `linked` has what a program with the
# static ones inside is linked with, and not what is only opened by name or needed by one of the backend's libraries.
function(z_tsb_stage_static_libraries install root report)
  file(GLOB libraries "${install}/static/*.a")
  if(NOT libraries)
    tsb_fail("there are no static libraries in ${install}/static" "see the log of PyTorch's stage phase")
  endif()
  file(COPY ${libraries} DESTINATION "${root}/lib")
  z_tsb_slice("${root}/lib")

  z_tsb_libtorch_shared_libraries(shared "${install}")
  set(linked "")
  z_tsb_backend_folders(folders)
  if(folders)
    set(linked "${libraries}")
    list(TRANSFORM linked REPLACE "^.*/([^/]*)\\.a$" "${install}/lib/\\1.so")
    list(PREPEND linked --linked)
  endif()
  z_tsb_bundle("${root}" "${report}" --needed-by ${shared} ${linked})
endfunction()
