# SPDX-License-Identifier: BSD-3-Clause
# CUDA's artifacts on stand-ins for PyTorch, the toolkit, cuDNN and cuSPARSELt: one compile, and of it the zips with and without
# dependencies, the small and the large wheel, and the conda packages.
include(${CMAKE_CURRENT_LIST_DIR}/stand_in.cmake)
set(tree "${WORK}/cuda")
copy_tree("${tree}")
set(nvidia "${WORK}/nvidia")
execute_process(
  COMMAND "${CMAKE_COMMAND}" "-DTSB_OUTPUT=${nvidia}" -P "${TSB_SOURCE_DIR}/tests/fixtures/make_cuda.cmake"
  COMMAND_ERROR_IS_FATAL ANY
)
set(store "${WORK}/store of cuda")
file(REMOVE_RECURSE "${store}")
foreach(package IN ITEMS mkl protobuf sleef)
  file(GLOB stored "${WORK}/store of a folder/${package}")
  if(stored)
    file(COPY ${stored} DESTINATION "${store}")
  endif()
endforeach()
set(
  environment
  "TSB_STORE=${store}"
  "TSB_CUDA_HOME=${nvidia}/toolkit"
  "TSB_CUDNN_HOME=${nvidia}/cudnn"
  "TSB_CUSPARSELT_HOME=${nvidia}/cusparselt"
  "TSB_CUDA_ARCHS=8.0 9.0"
  TSB_MAGMA=OFF
  PIP_NO_INDEX=1
  "PIP_FIND_LINKS=${nvidia}/wheels"
)
set(base libtorch-cxx11-abi-shared-with-deps-2.6.0+cu124)

# needs(<library>): sets needed, soname, rpath.
function(needs library)
  execute_process(COMMAND readelf -d "${library}" OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "\\(NEEDED\\)[^[]*\\[[^]]*" needed "${text}")
  list(TRANSFORM needed REPLACE ".*\\[" "")
  string(REGEX MATCH "\\((R[A-Z]*PATH)\\)[^[]*\\[([^]]*)" ignored "${text}")
  set(kind "${CMAKE_MATCH_1}" PARENT_SCOPE)
  set(rpath "${CMAKE_MATCH_2}" PARENT_SCOPE)
  string(REGEX MATCH "\\(SONAME\\)[^[]*\\[([^]]*)" ignored "${text}")
  set(soname "${CMAKE_MATCH_1}" PARENT_SCOPE)
  set(needed "${needed}" PARENT_SCOPE)
endfunction()

# With everything inside.
set(preset cu124-libtorch-shared)
workflow("${tree}" ENVIRONMENT ${environment})
good("the zip with dependencies")
tsb_expect("the checks" CONTAINS "${output}" "${tree}/dist/${base}.zip has passed all checks")
set(unpacked "${TSB_TEST_DIR}/un packed")
file(ARCHIVE_EXTRACT INPUT "${tree}/dist/${base}.zip" DESTINATION "${unpacked}")
set(lib "${unpacked}/libtorch/lib")
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
file(GLOB found RELATIVE "${lib}" "${lib}/libcu*.so.*" "${lib}/libnv*.so.*" "${lib}/libnccl*")
list(SORT found)
set(wanted ${of_nvidia})
list(SORT wanted)
tsb_expect("NVIDIA's libraries" EQUAL "${found}" "${wanted}")
foreach(library IN LISTS of_nvidia ITEMS libtorch_cuda.so libtorch_cuda_linalg.so libcaffe2_nvrtc.so libc10_cuda.so)
  needs("${lib}/${library}")
  tsb_expect("SONAME" EQUAL "${soname}" "${library}")
  tsb_expect("RPATH of ${library}" EQUAL "${kind} ${rpath}" "RPATH $ORIGIN")
  if(IS_SYMLINK "${lib}/${library}")
    message(FATAL_ERROR "${library} is a link")
  endif()
endforeach()
file(GLOB driver "${lib}/libcuda.so*" "${lib}/libnvidia*")
tsb_expect("the driver's" EQUAL "${driver}" "")

# What is opened by name is found, from another folder and with nothing on the library path.
file(
  WRITE "${TSB_TEST_DIR}/open.c"
  "#include <dlfcn.h>\n#include <stdio.h>\nint main(int n, char** a) {
  void* l = dlopen(a[1], RTLD_NOW);
  if (!l) { puts(dlerror()); return 1; }
  return n > 2 ? ((int (*)(int*))dlsym(l, a[2]))(0) : 0;
}\n"
)
execute_process(
  COMMAND cc "${TSB_TEST_DIR}/open.c" -o "${TSB_TEST_DIR}/open" -ldl
  COMMAND_ERROR_IS_FATAL ANY
)
foreach(call IN ITEMS "libcudnn.so.9 cudnnGetVersion" "libnvrtc.so.12 nvrtcVersion" "libtorch_cuda_linalg.so")
  separate_arguments(call UNIX_COMMAND "${call}")
  list(POP_FRONT call library)
  execute_process(
    COMMAND env -i "${TSB_TEST_DIR}/open" "${lib}/${library}" ${call}
    RESULT_VARIABLE status
    OUTPUT_VARIABLE output
  )
  tsb_expect("opening ${library}: ${output}" EQUAL "${status}" 0)
endforeach()

file(READ "${unpacked}/libtorch/manifest.json" manifest)
string(JSON cuda GET "${manifest}" cuda)
foreach(
  pair
  IN
  ITEMS
    "12.4=version"
    "8.0=archs;0"
    "9.0=archs;1"
    "9.0a=additional_archs;0"
    "12.4.5.8=versions;cublas"
    "9.1.0.70=versions;cudnn"
    "0.6.2=versions;cusparselt"
    "2.21.5=versions;nccl"
)
  string(REGEX MATCH "^([^=]*)=(.*)$" ignored "${pair}")
  set(expected "${CMAKE_MATCH_1}")
  string(JSON value GET "${cuda}" ${CMAKE_MATCH_2})
  tsb_expect("manifest: ${pair}" EQUAL "${value}" "${expected}")
endforeach()
file(READ "${unpacked}/libtorch/share/licenses/cuda-toolkit/EULA.txt" text)
tsb_expect("the toolkit's licence" EQUAL "${text}" "The toolkit's terms.\n")
foreach(file IN ITEMS cudnn/LICENSE.txt cusparselt/LICENSE.txt nccl/LICENSE.txt)
  tsb_expect("licences" EXISTS "${unpacked}/libtorch/share/licenses/${file}")
endforeach()
file(READ "${unpacked}/libtorch/sbom.spdx.json" bill)
foreach(
  text
  IN
  ITEMS bundled-libcublasLt "LicenseRef-NVIDIA-cuDNN" "cuDNN's terms." "The toolkit's terms." "12.4.5.8"
)
  tsb_expect("the bill" CONTAINS "${bill}" "${text}")
endforeach()

# The consumer's words.
file(READ "${unpacked}/libtorch/share/cmake/Caffe2/public/cuda.cmake" text)
tsb_expect("architectures" CONTAINS "${text}" "TORCH_CUDA_ARCHITECTURES \"80-real;90-real\"")
tsb_expect("architectures" CONTAINS "${text}" "TORCH_CUDA_ARCH_LIST \"8.0;9.0\"")
tsb_expect("folders of this machine" LACKS "${text}" "${nvidia}")

# consumer(<include> <toolkit, or nothing>): a program of a project of its own works.
function(consumer include home)
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
    COMMAND
      ${environment} "${CMAKE_COMMAND}" -S "${folder}" -B "${folder}/build" -G "Unix Makefiles"
      "-DCMAKE_PREFIX_PATH=${unpacked}/libtorch" ${hint}
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
consumer(torch/torch.h "")
file(READ "${TSB_TEST_DIR}/consumer/build/CMakeFiles/app.dir/flags.make" flags)
tsb_expect("folders of headers without a toolkit" LACKS "${flags}" "${nvidia}")
consumer(c10/cuda/CUDAFunctions.h "${nvidia}/toolkit")
file(READ "${TSB_TEST_DIR}/consumer/build/CMakeFiles/app.dir/flags.make" flags)
tsb_expect("folders of headers with one" CONTAINS "${flags}" "${nvidia}/toolkit/include")

# Without dependencies: the same libraries of libtorch, and the host's of all others.
set(preset cu124-libtorch-shared-without-deps)
string(REPLACE with-deps without-deps without "${base}")
workflow("${tree}" ENVIRONMENT ${environment})
good("the zip without dependencies")
tsb_expect("the checks" CONTAINS "${output}" "${tree}/dist/${without}.zip has passed all checks")
tsb_expect("what ran" LACKS "${output}" "-- pytorch build\n")
set(stage "${tree}/build/${preset}/stage/libtorch-shared-without-deps/libtorch")
file(GLOB found "${stage}/lib/libcu*" "${stage}/lib/libnv*" "${stage}/lib/libnccl*" "${stage}/lib/libgomp*")
tsb_expect("NVIDIA's libraries without deps" EQUAL "${found}" "")
file(READ "${stage}/manifest.json" manifest)
string(JSON count LENGTH "${manifest}" host_libraries)
math(EXPR last "${count} - 1")
set(hosts "")
foreach(index RANGE ${last})
  string(JSON name GET "${manifest}" host_libraries ${index} name)
  string(JSON version GET "${manifest}" host_libraries ${index} built_against version)
  list(APPEND hosts "${name}=${version}")
endforeach()
foreach(
  host
  IN
  ITEMS
    libcublas.so.12=12.4.5.8
    libcudart.so.12=12.4.127
    libcudnn.so.9=9.1.0.70
    libcudnn_ops.so.9=9.1.0.70
    libnccl.so.2=2.21.5
    libnvrtc.so.12=12.4.127
    libcusparseLt.so.0=0.6.2
)
  if(NOT host IN_LIST hosts)
    message(FATAL_ERROR "host_libraries lacks ${host}: ${hosts}")
  endif()
endforeach()
foreach(library IN ITEMS libtorch_cuda.so libtorch_cpu.so libc10_cuda.so libtorch_cuda_linalg.so)
  file(SHA256 "${stage}/lib/${library}" without_deps)
  file(SHA256 "${lib}/${library}" with_deps)
  if(library MATCHES "cuda")
    tsb_expect("${library} of both zips" EQUAL "${without_deps}" "${with_deps}")
  endif()
endforeach()
file(READ "${stage}/sbom.spdx.json" bill)
tsb_expect("the bill without deps" LACKS "${bill}" "bundled-")
tsb_expect("the bill without deps" LACKS "${bill}" "\"nccl\"")
tsb_expect("the bill without deps" CONTAINS "${bill}" "SPDXRef-Package-cuda-toolkit")

# Static libraries are refused.
set(preset cu124-libtorch-static)
workflow("${tree}" ENVIRONMENT ${environment})
bad(
  "static libraries"
  "preset cu124-libtorch-static: static libraries are not made for CUDA yet"
  "take cu124-libtorch-shared"
)

# A licence that is not there.
file(RENAME "${nvidia}/cudnn/LICENSE.txt" "${nvidia}/LICENSE.cudnn")
set(preset cu124-libtorch-shared)
file(REMOVE_RECURSE "${tree}/build/${preset}/stage")
workflow("${tree}" ENVIRONMENT ${environment})
bad("no licence" "the licence text of libcudnn" "is not on this machine" "LICENSE of the others")
file(RENAME "${nvidia}/LICENSE.cudnn" "${nvidia}/cudnn/LICENSE.txt")
workflow("${tree}" ENVIRONMENT ${environment})
good("with the licence again")
