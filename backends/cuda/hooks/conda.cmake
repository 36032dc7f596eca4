# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../../cmake/backend/tsb_ask_backend.cmake)

# z_tsb_conda_bounds(<out-var> <version> <numbers of the version that change with the ABI>): ">=12.4.5.8,<13.0a0".
function(z_tsb_conda_bounds out version numbers)
  string(REPLACE "." ";" parts "${version}")
  list(SUBLIST parts 0 ${numbers} series)
  list(POP_BACK series last)
  math(EXPR last "${last} + 1")
  list(APPEND series ${last})
  list(JOIN series "." next)
  set(${out} ">=${version},<${next}.0a0" PARENT_SCOPE)
endfunction()

# z_tsb_cuda_conda_names(<out-var>): "<conda package>=<member of the versions>" of each package with NVIDIA's libraries.
function(z_tsb_cuda_conda_names out)
  set(pairs "")
  z_tsb_backend_library_names(names cuda)
  foreach(name IN LISTS names)
    z_tsb_backend_libraries(facts cuda ${name})
    z_tsb_json_get_list(packages "${facts}" conda)
    list(TRANSFORM packages APPEND "=${name}")
    list(APPEND pairs ${packages})
  endforeach()
  z_tsb_backend_libraries(facts cuda)
  z_tsb_json_get(whole "${facts}" packages cuda-toolkit conda_until_11)
  set(${out} ${pairs} "${whole}=cuda" PARENT_SCOPE)
endfunction()

# z_tsb_conda_driver(<out-var>): the bound on __cuda, which is the newest CUDA that the driver knows.
#
# Each driver of a major version runs what any toolkit of that version has compiled (minor-version compatibility;
# conda-forge's cuda-version asks for no more), so the minor version must not be asked for. +PTX asks for none either:
# only a GPU that the list has no code for needs it, and then a driver as new as the toolkit. But code that is
# compressed for size is loaded by the driver of 12.4 and newer ones only: see tsb_cuda_compression().
function(z_tsb_conda_driver out)
  string(REGEX MATCH "^[0-9]+" lowest "${backend_version}")
  if("-compress-mode=size" IN_LIST backend_configured_compression AND lowest VERSION_LESS 12.4)
    set(lowest 12.4)
  endif()
  set(${out} ">=${lowest}" PARENT_SCOPE)
endfunction()

# Gives NVIDIA's packages in a list of `depends` (names alone) their bounds, from what
# was linked with; and adds __cuda and cuda-version.
#
# conda-forge has the toolkit's libraries with the versions of the toolkit's own; the SONAME has the first number.
# CUPTI's own version is not always known: its package has the toolkit's.
function(z_tsb_cuda_conda out packages)
  tsb_ask_backend(versions backend versions)
  z_tsb_cuda_conda_names(members)
  z_tsb_conda_bounds(of_cuda "${backend_version}" 1)
  z_tsb_conda_driver(driver)
  set(depends "__cuda ${driver}" "cuda-version ${of_cuda}")
  foreach(spec IN LISTS packages)
    set(pair ${members})
    list(FILTER pair INCLUDE REGEX "^${spec}=")
    if(pair)
      string(REGEX REPLACE ".*=" "" member "${pair}")
      z_tsb_json_get(version "${versions}" ${member})
      if(version STREQUAL "")
        set(version "${backend_version}")
      endif()
      set(numbers 1)
      if(version MATCHES "^0\\.") # below 1.0 each minor version is another ABI
        set(numbers 2)
      endif()
      z_tsb_conda_bounds(bounds "${version}" ${numbers})
      string(APPEND spec " ${bounds}")
    endif()
    list(APPEND depends "${spec}")
  endforeach()
  set(${out} "${depends}" PARENT_SCOPE)
endfunction()
