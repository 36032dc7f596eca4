# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/z_tsb_bundle.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/z_tsb_stage_shared_libraries.cmake)

# z_tsb_note_linked(<artifact json> <pytorch's install tree> <report>): adds to the report of `torchpkg bundle` the
# member `linked`: what the shared libraries need that have the objects of the static ones. A program that has these
# inside is linked with that, and not with what is only opened by name or needed by one of the backend's libraries.
function(z_tsb_note_linked artifact install report)
  z_tsb_json_take(artifact build_folder)
  file(READ "${build_folder}/settings.json" settings)
  z_tsb_json_take(settings torchpkg)
  file(GLOB archives "${install}/static/*.a")
  set(linked "")
  foreach(archive IN LISTS archives)
    get_filename_component(name "${archive}" NAME_WE)
    z_tsb_run_tool("inspect ${name}.so" "${torchpkg}" inspect --json "${install}/lib/${name}.so")
    z_tsb_json_get_list(needed "${output}" needed)
    list(APPEND linked ${needed})
  endforeach()
  list(SORT linked)
  list(REMOVE_DUPLICATES linked)
  file(READ "${report}" bundle)
  z_tsb_json_set_array(bundle linked ${linked})
  z_tsb_write_file("${report}" "${bundle}\n")
endfunction()

# z_tsb_stage_static_libraries(<artifact json> <pytorch's install tree> <root of the staged tree> <report>)
#
# <root>/lib: the static libraries that PyTorch's stage phase made of the objects of the shared ones, and with deps the
# shared libraries that those need and not every host has (an OpenMP runtime must not be linked into two libraries of
# one process, so it stays shared; so do the backend's libraries). What is needed is asked of the shared libraries,
# which have the same objects, and of libcaffe2_nvrtc.so, which has none, but needs the NVRTC that libtorch opens by
# name. <report> is what `torchpkg bundle` reports about it; with a backend's libraries its member `linked` has the
# SONAMEs that a program is linked with.
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
  z_tsb_backend_folders(folders "${artifact}")
  if(folders)
    z_tsb_note_linked("${artifact}" "${install}" "${report}")
  endif()
endfunction()
