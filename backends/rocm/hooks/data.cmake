# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# The kernels that rocBLAS and hipBLASLt load, MIOpen's tables and RCCL's algorithms: each library looks for them
# relative to itself, and they keep their places. A file for one GPU, which its name says, is taken if the preset has
# that GPU. The doctor has seen to it that rocBLAS has kernels for each of them.
function(z_tsb_rocm_data out)
  z_tsb_machine_of_package(toolkit rocm-toolkit)
  z_tsb_json_take(toolkit home configs)
  list(JOIN backend_configured_archs "|" archs)
  get_filename_component(lib "${configs}" DIRECTORY)
  set(folders "")
  foreach(folder IN ITEMS share/miopen/db share/rccl/msccl-algorithms)
    list(APPEND folders "${home}/${folder}=${folder}")
  endforeach()
  z_tsb_json_get_list(kernels "${toolkit}" kernels)
  foreach(folder IN LISTS kernels)
    list(APPEND folders "${lib}/${folder}=lib/${folder}")
  endforeach()
  set(pairs "")
  foreach(pair IN LISTS folders)
    string(REGEX MATCH "^(.*)=([^=]*)$" ignored "${pair}")
    set(place "${CMAKE_MATCH_2}")
    file(GLOB files "${CMAKE_MATCH_1}/*")
    foreach(file IN LISTS files)
      get_filename_component(name "${file}" NAME)
      if(NOT name MATCHES "gfx[0-9]" OR name MATCHES "${archs}") # gfx90a68.db is MIOpen's
        list(APPEND pairs "${file}=${place}")
      endif()
    endforeach()
  endforeach()
  set(${out} "${pairs}" PARENT_SCOPE)
endfunction()
