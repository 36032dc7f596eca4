# SPDX-License-Identifier: BSD-3-Clause
# Lays the machine's ROCm out below the install tree, as links. TSB_MACHINE is the toolkit's object.
#
# include/ is a folder of its own, not a link to ROCm's: hipcc puts that behind all folders of the machine, and a
# compiler that is given one folder twice takes the last place. So what PyTorch is given comes before the machine's
# headers. rocm/ is a link to all of it, since the files for CMake and the programs look for others beside themselves.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/../../../../cmake/backend/z_tsb_backend_libraries.cmake)
file(READ "${TSB_MACHINE}" toolkit)
z_tsb_json_take(toolkit home layout)
file(MAKE_DIRECTORY "${TSB_INSTALL_DIR}/include" "${TSB_INSTALL_DIR}/lib")

file(GLOB headers RELATIVE "${home}/include" "${home}/include/*")
set(folders "${home}/lib")
if(layout STREQUAL "distribution")
  # The machine's folders are full of others' files.
  list(FILTER headers INCLUDE REGEX "^(hip.*|roc.*|rccl|miopen|hsa|amd_comgr|thrust|ck)$")
  file(GLOB folders "${home}/lib/*-linux-gnu" "${home}/lib64")
else()
  file(CREATE_LINK "${home}" "${TSB_INSTALL_DIR}/rocm" SYMBOLIC)
endif()
foreach(header IN LISTS headers)
  file(CREATE_LINK "${home}/include/${header}" "${TSB_INSTALL_DIR}/include/${header}" SYMBOLIC)
endforeach()
foreach(folder IN LISTS folders)
  file(GLOB libraries RELATIVE "${folder}" "${folder}/lib*.so*")
  foreach(library IN LISTS libraries)
    z_tsb_backend_library_of(known rocm "${library}")
    if(known)
      file(CREATE_LINK "${folder}/${library}" "${TSB_INSTALL_DIR}/lib/${library}" SYMBOLIC)
    endif()
  endforeach()
endforeach()
