# SPDX-License-Identifier: BSD-3-Clause
# Lays the machine's ROCm out below the install tree, as links. TSB_MACHINE is the toolkit's record.
#
# include/ is a folder of its own, not a link to ROCm's: hipcc puts that behind all folders of the machine, and a
# compiler that is given one folder twice takes the last place. So what PyTorch is given comes before the machine's
# headers. rocm/ is a link to all of it, since the files for CMake and the programs look for others beside themselves.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/../../../../cmake/model/tsb_read_record.cmake)
tsb_read_record("${TSB_MACHINE}" machine)
file(MAKE_DIRECTORY "${TSB_INSTALL_DIR}/include" "${TSB_INSTALL_DIR}/lib")

file(GLOB headers RELATIVE "${machine_home}/include" "${machine_home}/include/*")
if(machine_layout STREQUAL "distribution")
  # The machine's folders are full of others' files.
  list(FILTER headers INCLUDE REGEX "^(hip.*|roc.*|rccl|miopen|hsa|amd_comgr|thrust|ck)$")
else()
  file(CREATE_LINK "${machine_home}" "${TSB_INSTALL_DIR}/rocm" SYMBOLIC)
endif()
foreach(header IN LISTS headers)
  file(CREATE_LINK "${machine_home}/include/${header}" "${TSB_INSTALL_DIR}/include/${header}" SYMBOLIC)
endforeach()
foreach(library IN LISTS machine_libraries)
  get_filename_component(name "${library}" NAME)
  file(CREATE_LINK "${library}" "${TSB_INSTALL_DIR}/lib/${name}" SYMBOLIC)
endforeach()
