# SPDX-License-Identifier: BSD-3-Clause
# What the tests of CUDA share. e2e.cuda makes the tree, the store, the stand-ins for NVIDIA's files and all artifacts,
# in `build`; the tests after it look at them.
include(${CMAKE_CURRENT_LIST_DIR}/stand_in.cmake)
set(tree "${WORK}/cuda")
set(store "${WORK}/store of cuda")
set(nvidia "${WORK}/nvidia")
set(preset cu124-all)
set(build "${tree}/build/${preset}")
find_usable_python()
set(
  environment
  "TSB_STORE=${store}" "TSB_CUDA_HOME=${nvidia}/toolkit" "TSB_CUDNN_HOME=${nvidia}/cudnn"
  "TSB_CUSPARSELT_HOME=${nvidia}/cusparselt" "TSB_CUDA_ARCHS=8.0 9.0" TSB_MAGMA=OFF PIP_NO_INDEX=1
  "PIP_FIND_LINKS=${nvidia}/wheels" ${pythons} "TSB_ADDITIONS=${nvidia}/additions" TSB_CONDA_CHANNEL=/nowhere
)
# soname_and_rpath_of(<library>): sets soname, and rpath with its kind, as in "RPATH $ORIGIN".
function(soname_and_rpath_of library)
  execute_process(COMMAND readelf -d "${library}" OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCH "\\((R[A-Z]*PATH)\\)[^[]*\\[([^]]*)" ignored "${text}")
  set(rpath "${CMAKE_MATCH_1} ${CMAKE_MATCH_2}" PARENT_SCOPE)
  string(REGEX MATCH "\\(SONAME\\)[^[]*\\[([^]]*)" ignored "${text}")
  set(soname "${CMAKE_MATCH_1}" PARENT_SCOPE)
endfunction()

# host_libraries_of(<libtorch> <out-var>): <name>=<version that it was built against> of the manifest's host_libraries.
function(host_libraries_of root out)
  file(READ "${root}/manifest.json" manifest)
  string(JSON count LENGTH "${manifest}" host_libraries)
  math(EXPR last "${count} - 1")
  set(hosts "")
  foreach(index RANGE ${last})
    string(JSON name GET "${manifest}" host_libraries ${index} name)
    string(JSON version GET "${manifest}" host_libraries ${index} built_against version)
    list(APPEND hosts "${name}=${version}")
  endforeach()
  set(${out} "${hosts}" PARENT_SCOPE)
endfunction()
