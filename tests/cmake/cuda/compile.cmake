# SPDX-License-Identifier: BSD-3-Clause
# With every toolkit of this machine, laid out: CMake enables CUDA and finds the toolkit in the folder and nowhere else,
# and a program with Thrust and CUB for sm_90 is compiled and linked with the static runtime, while tools of another
# toolkit are first on the PATH. Nothing is run: that takes a GPU.
include(${CMAKE_CURRENT_LIST_DIR}/fake_toolkit.cmake)
include(${TSB_SOURCE_DIR}/backends/cuda/cmake/tsb_lay_out_cuda_toolkit.cmake)

find_toolkits("")
string(JSON count LENGTH "${toolkits}")
find_program(host NAMES g++-12 g++-11 g++-13 g++ NO_CACHE)
find_program(ninja ninja NO_CACHE)
if(count EQUAL 0 OR NOT host OR NOT ninja)
  message("SKIP: no CUDA toolkit, no g++ or no ninja here")
  return()
endif()

file(
  WRITE "${TSB_TEST_DIR}/source/CMakeLists.txt"
  [[
cmake_minimum_required(VERSION 3.25)
project(consumer LANGUAGES CXX CUDA)
find_package(CUDAToolkit REQUIRED)
add_executable(consumer consumer.cu)
target_link_libraries(consumer PRIVATE CUDA::cudart_static)
foreach(variable IN ITEMS CUDAToolkit_VERSION CUDAToolkit_INCLUDE_DIRS CUDA_cudart_static_LIBRARY)
  message(STATUS "${variable}=[${${variable}}]")
endforeach()
]]
)
file(
  WRITE "${TSB_TEST_DIR}/source/consumer.cu"
  [[
#include <cstdio>
#include <cstdlib>
#include <cmath>
#include <cooperative_groups.h>
#include <cub/block/block_reduce.cuh>
#include <cuda_fp16.h>
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>

__global__ void total(const float* values, float* result) {
  using Reduce = cub::BlockReduce<float, 128>;
  __shared__ typename Reduce::TempStorage storage;
  const float sum = Reduce(storage).Sum(std::sqrt(__half2float(__float2half(values[threadIdx.x]))) * sinpi(.5) * rsqrt(1.));
  cooperative_groups::this_thread_block().sync();
  if (threadIdx.x == 0) *result = sum;
}

int main() {
  thrust::device_vector<float> values(128, 4.f), result(1);
  thrust::sort(values.begin(), values.end());
  total<<<1, 128>>>(thrust::raw_pointer_cast(values.data()), thrust::raw_pointer_cast(result.data()));
  const float sum = thrust::reduce(values.begin(), values.end());
  std::printf("%g of %g, CUDA %d\n", static_cast<float>(result[0]), sum, CUDART_VERSION);
  return EXIT_SUCCESS;
}
]]
)

foreach(tool IN ITEMS cicc ptxas fatbinary cudafe++ nvlink bin2c)
  executable("${TSB_TEST_DIR}/other/${tool}" "echo '${tool} of another toolkit'; exit 1")
endforeach()
set(path "${TSB_TEST_DIR}/other:/usr/bin:/bin")

set(compiled "")
math(EXPR last "${count} - 1")
foreach(index RANGE ${last})
  string(JSON toolkit GET "${toolkits}" ${index})
  string(JSON home GET "${toolkit}" home)
  string(JSON fault GET "${toolkit}" fault)
  string(JSON layout GET "${toolkit}" layout)
  string(JSON version GET "${toolkit}" version)
  if(NOT fault STREQUAL "")
    message(STATUS "${home}: ${fault}")
    continue()
  endif()
  set(folder "${TSB_TEST_DIR}/toolkit ${index}") # with a blank
  tsb_lay_out_cuda_toolkit("${TSB_TEST_DIR}/toolkit-${index}.json" "${folder}" HOST_COMPILER "${host}")
  # Nothing of the caller's: no CUDA_HOME, no LIBRARY_PATH, no other nvcc on the PATH.
  tsb_run(
    status output env -i "PATH=${path}" ${CMAKE_COMMAND} -S "${TSB_TEST_DIR}/source" -B "${TSB_TEST_DIR}/build${index}"
    -G Ninja -DCMAKE_MAKE_PROGRAM=${ninja} "-DCMAKE_CUDA_COMPILER=${folder}/bin/nvcc" -DCMAKE_CXX_COMPILER=${host}
    -DCMAKE_CUDA_HOST_COMPILER=${host} -DCMAKE_CUDA_ARCHITECTURES=90-real
  )
  get_filename_component(real "${folder}" REALPATH)
  tsb_expect("configure with ${home}" EQUAL "${status}" 0)
  tsb_expect("includes" CONTAINS "${output}" "CUDAToolkit_INCLUDE_DIRS=[${real}/include")
  tsb_expect("version" CONTAINS "${output}" "CUDAToolkit_VERSION=[${version}]")
  tsb_expect("library" CONTAINS "${output}" "CUDA_cudart_static_LIBRARY=[${real}/lib")
  tsb_run(status output env -i "PATH=${path}" ${ninja} -v -C "${TSB_TEST_DIR}/build${index}")
  tsb_expect("build with ${home}" EQUAL "${status}" 0)
  tsb_expect("another toolkit" LACKS "${output}" "/usr/local/cuda")
  # Each of the toolkit's headers is one of this toolkit.
  execute_process(COMMAND ${ninja} -C "${TSB_TEST_DIR}/build${index}" -t deps OUTPUT_VARIABLE headers)
  string(REGEX MATCHALL "[^\n]*/cuda_runtime\\.h" headers "${headers}")
  string(STRIP "${headers}" headers)
  get_filename_component(headers "${headers}" REALPATH BASE_DIR "${TSB_TEST_DIR}/build${index}")
  string(JSON include GET "${toolkit}" include 0)
  tsb_expect("headers" EQUAL "${headers}" "${include}/cuda_runtime.h")
  file(READ "${TSB_TEST_DIR}/build${index}/consumer" magic LIMIT 4 HEX)
  tsb_expect("the program" EQUAL "${magic}" 7f454c46)
  list(APPEND compiled "${layout} ${version}")
endforeach()
if(compiled STREQUAL "")
  message("SKIP: no complete CUDA toolkit here")
endif()
message(STATUS "compiled with: ${compiled}")
