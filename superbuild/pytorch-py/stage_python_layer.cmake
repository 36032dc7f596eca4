# SPDX-License-Identifier: BSD-3-Clause
# site-packages/: the Python layer as PyTorch's own setup.py lays it out, with its metadata (torch-<version>.dist-info),
# and without the libraries of libtorch. RPATHs are set when a wheel or a conda package is staged.
#
# setup.py takes what it packs from below its own folder, and would run its own build unless egg_info stands on its
# command line: https://github.com/pytorch/pytorch/blob/v2.6.0/setup.py (RUN_BUILD_DEPS).
cmake_minimum_required(VERSION 3.25)
set(site_packages "${TSB_INSTALL_DIR}/site-packages")
get_filename_component(libtorch "${TSB_INSTALL_DIR}/../../pytorch/install" ABSOLUTE)
get_filename_component(temporary "${TSB_INSTALL_DIR}/../tmp" ABSOLUTE)

function(run)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY "${TSB_SOURCE_DIR}" RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command} failed; see the message above")
  endif()
endfunction()

# A link to <target> at <place> of the source tree.
function(link place target)
  file(REMOVE_RECURSE "${TSB_SOURCE_DIR}/${place}")
  file(CREATE_LINK "${target}" "${TSB_SOURCE_DIR}/${place}" SYMBOLIC)
endfunction()

link(build "${TSB_BUILD_DIR}") # where setup.py reads CMakeCache.txt
link(torch/include "${libtorch}/include")
foreach(folder IN ITEMS torch/lib torch/bin)
  file(MAKE_DIRECTORY "${TSB_SOURCE_DIR}/${folder}")
endforeach()
foreach(library IN ITEMS libtorch_python.so libshm.so)
  link(torch/lib/${library} "${TSB_BUILD_DIR}/lib/${library}")
endforeach()
link(torch/bin/torch_shm_manager "${TSB_BUILD_DIR}/bin/torch_shm_manager")
if(EXISTS "${TSB_BUILD_DIR}/functorch/functorch.so") # in later releases functorch is Python only
  link(functorch/functorch.so "${TSB_BUILD_DIR}/functorch/functorch.so")
endif()

file(REMOVE_RECURSE "${site_packages}" "${temporary}/lib" "${temporary}/egg")
file(MAKE_DIRECTORY "${temporary}/egg")
set(setup "${TSB_PYTHON}" setup.py -q egg_info --egg-base "${temporary}/egg")
run(${setup} build --build-lib "${site_packages}" --build-temp "${temporary}/lib")
run(${setup} dist_info --output-dir "${site_packages}")

# What comes about in a build by setup.py itself: the headers that the callgrind programs of torch.utils.benchmark
# include, and the one that libshm installs.
set(valgrind_wrapper "${site_packages}/torch/utils/benchmark/utils/valgrind_wrapper")
file(GLOB valgrind_headers "${TSB_SOURCE_DIR}/third_party/valgrind-headers/*.h")
file(COPY ${valgrind_headers} DESTINATION "${valgrind_wrapper}")
file(GLOB libshm_header "${TSB_SOURCE_DIR}/torch/lib/libshm/libshm.h")
file(COPY ${libshm_header} DESTINATION "${site_packages}/torch/include")

# torchfrtrace may point at tools/, which setup.py leaves out. It goes to where later releases have it:
# https://github.com/pytorch/pytorch/tree/main/torch/distributed/flight_recorder
set(entry_points "")
file(GLOB dist_info "${site_packages}/torch-*.dist-info")
if(EXISTS "${dist_info}/entry_points.txt")
  file(READ "${dist_info}/entry_points.txt" entry_points)
endif()
if(entry_points MATCHES "tools\\.flight_recorder")
  set(tools "${TSB_SOURCE_DIR}/tools/flight_recorder")
  file(GLOB_RECURSE modules RELATIVE "${tools}" "${tools}/*.py")
  foreach(module IN LISTS modules)
    file(READ "${tools}/${module}" text)
    string(REPLACE "tools.flight_recorder" "torch.distributed.flight_recorder" text "${text}")
    file(WRITE "${site_packages}/torch/distributed/flight_recorder/${module}" "${text}")
  endforeach()
  string(REPLACE "tools.flight_recorder" "torch.distributed.flight_recorder" entry_points "${entry_points}")
  file(WRITE "${dist_info}/entry_points.txt" "${entry_points}")
endif()
