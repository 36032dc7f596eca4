# SPDX-License-Identifier: BSD-3-Clause
# What the tests of CUDA share. e2e.cuda makes the tree, the store and the stand-ins for NVIDIA's files; the tests after
# it go on with them.
include(${CMAKE_CURRENT_LIST_DIR}/stand_in.cmake)
set(tree "${WORK}/cuda")
set(store "${WORK}/store of cuda")
set(nvidia "${WORK}/nvidia")
set(
  environment
  "TSB_STORE=${store}" "TSB_CUDA_HOME=${nvidia}/toolkit" "TSB_CUDNN_HOME=${nvidia}/cudnn"
  "TSB_CUSPARSELT_HOME=${nvidia}/cusparselt" "TSB_CUDA_ARCHS=8.0 9.0" TSB_MAGMA=OFF PIP_NO_INDEX=1
  "PIP_FIND_LINKS=${nvidia}/wheels"
)
# NVIDIA's libraries that libtorch needs, in order.
set(
  of_nvidia
  libcublas.so.12
  libcublasLt.so.12
  libcudart.so.12
  libcudnn.so.9
  libcudnn_adv.so.9
  libcudnn_cnn.so.9
  libcudnn_engines_precompiled.so.9
  libcudnn_engines_runtime_compiled.so.9
  libcudnn_graph.so.9
  libcudnn_heuristic.so.9
  libcudnn_ops.so.9
  libcufft.so.11
  libcupti.so.12
  libcurand.so.10
  libcusolver.so.11
  libcusparse.so.12
  libcusparseLt.so.0
  libnccl.so.2
  libnvJitLink.so.12
  libnvrtc-builtins.so.12.4
  libnvrtc.so.12
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

# consumer(<include> <toolkit, or nothing> <libtorch>): a program of a project of its own works.
function(consumer include home libtorch)
  set(folder "${TSB_TEST_DIR}/consumer")
  file(REMOVE_RECURSE "${folder}")
  file(WRITE "${TSB_TEST_DIR}/cuda_runtime_api.h" "#define CUDART_VERSION 11000\n")
  file(
    WRITE "${folder}/CMakeLists.txt"
    "cmake_minimum_required(VERSION 3.18)
project(app LANGUAGES CXX)
find_package(Torch REQUIRED COMPONENTS c10_cuda torch_cuda)
message(\"GPUs: \${TORCH_CUDA_ARCH_LIST} \${CMAKE_CUDA_ARCHITECTURES} \${TORCH_CUDA_VERSION}\")
add_executable(app main.cpp)
target_link_libraries(app PRIVATE \${TORCH_LIBRARIES})\n"
  )
  file(
    WRITE "${folder}/main.cpp"
    "#include <${include}>\n#include <stdlib.h>\nint main() { return getenv(\"TORCH_CUDA_IS_LOADED\") ? 0 : 1; }\n"
  )
  set(environment env -i PATH=/usr/bin:/bin)
  # None of the machine's counts.
  set(hint "-DTORCH_CUDA_INCLUDE_DIR=${TSB_TEST_DIR}")
  if(home)
    set(hint "-DCUDAToolkit_ROOT=${home}")
  endif()
  execute_process(
    COMMAND ${environment} "${CMAKE_COMMAND}" -S "${folder}" -B "${folder}/build" -G "Unix Makefiles"
            "-DCMAKE_PREFIX_PATH=${libtorch}" ${hint}
    RESULT_VARIABLE status
    OUTPUT_VARIABLE output
    ERROR_VARIABLE output
  )
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${output}")
  endif()
  tsb_expect("the consumer" CONTAINS "${output}" "GPUs: 8.0;9.0 80-real;90-real 12.4")
  execute_process(
    COMMAND ${environment} "${CMAKE_COMMAND}" --build "${folder}/build"
    RESULT_VARIABLE status
    OUTPUT_VARIABLE output
    ERROR_VARIABLE output
  )
  if(status EQUAL 0)
    execute_process(COMMAND env -i "${folder}/build/app" RESULT_VARIABLE status OUTPUT_VARIABLE output)
  endif()
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "a program with ${include}, toolkit '${home}': ${output}")
  endif()
endfunction()
