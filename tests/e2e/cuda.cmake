# SPDX-License-Identifier: BSD-3-Clause
# CUDA's artifacts on stand-ins for PyTorch, the toolkit, cuDNN and cuSPARSELt: one compile, and of it the zips with and without
# dependencies, of shared and of static libraries; e2e.cuda-wheels makes wheels and conda packages of the same.
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
    COMMAND
      ${environment} "${CMAKE_COMMAND}" -S "${folder}" -B "${folder}/build" -G "Unix Makefiles"
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
consumer(torch/torch.h "" "${unpacked}/libtorch")
file(READ "${TSB_TEST_DIR}/consumer/build/CMakeFiles/app.dir/flags.make" flags)
tsb_expect("folders of headers without a toolkit" LACKS "${flags}" "${nvidia}")
consumer(c10/cuda/CUDAFunctions.h "${nvidia}/toolkit" "${unpacked}/libtorch")
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
host_libraries_of("${stage}" hosts)
set(hosts_of_shared "${hosts}")
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

# Static libraries, of the same compile, with NVIDIA's shared ones beside them.
set(
  archives
  libc10.a
  libc10_cuda.a
  libtorch_cpu.a
  libtorch_cuda.a
  libtorch_cuda_linalg.a
)
set(preset cu124-libtorch-static)
string(REPLACE shared static static "${base}")
workflow("${tree}" ENVIRONMENT ${environment})
good("the static zip with dependencies")
tsb_expect("the checks" CONTAINS "${output}" "${tree}/dist/${static}.zip has passed all checks")
tsb_expect("what ran" LACKS "${output}" "-- pytorch build\n")
foreach(form IN ITEMS "fixed address" "position-independent, gc-sections" "shared library")
  tsb_expect("the ways to link it" CONTAINS "${output}" "ok first, g++, bfd, ${form}")
endforeach()
set(static_lib "${TSB_TEST_DIR}/un packed static/libtorch/lib")
file(ARCHIVE_EXTRACT INPUT "${tree}/dist/${static}.zip" DESTINATION "${TSB_TEST_DIR}/un packed static")
file(GLOB found RELATIVE "${static_lib}" "${static_lib}/*.a")
tsb_expect("static libraries" EQUAL "${found}" "${archives}")
file(GLOB found RELATIVE "${static_lib}" "${static_lib}/*.so*")
list(FILTER found EXCLUDE REGEX "^lib(gomp|z)[-.]") # for libtorch_cpu, and for cuDNN
list(SORT found)
tsb_expect("NVIDIA's libraries beside static ones" EQUAL "${found}" "${wanted}")

# Each object is in one archive only; the linear algebra that is opened by name is inside, and the stubs that open it are not.
execute_process(COMMAND ar t "${static_lib}/libtorch_cuda.a" OUTPUT_VARIABLE members COMMAND_ERROR_IS_FATAL ANY)
tsb_expect("objects of libtorch_cuda" CONTAINS "${members}" "flash_fwd.cpp.o")
tsb_expect("objects of libtorch_cuda" CONTAINS "${members}" "LinearAlgebraStubs.cpp.static.o")
tsb_expect("objects of libtorch_cuda" LACKS "${members}" "LinearAlgebraStubs.cpp.o")
tsb_expect("objects that libtorch_cpu has" LACKS "${members}" "context.cc.o")
execute_process(
  COMMAND nm --defined-only --extern-only -C "${static_lib}/libtorch_cuda_linalg.a"
  OUTPUT_VARIABLE symbols
  COMMAND_ERROR_IS_FATAL ANY
)
tsb_expect("linear algebra" CONTAINS "${symbols}" " at::native::cholesky_solve(double, double)")

# What a program that has them inside needs: what libtorch's own libraries need, and no more.
file(READ "${static_lib}/pkgconfig/torch.pc" text)
tsb_expect(
  "torch.pc"
  CONTAINS
  "${text}"
  "--whole-archive,-l:libc10.a,-l:libtorch_cpu.a,-l:libc10_cuda.a,-l:libtorch_cuda.a,-l:libtorch_cuda_linalg.a,--pop-state"
)
foreach(
  library
  IN
  ITEMS libcudart.so.12 libcusolver.so.11 libcupti.so.12 libnccl.so.2 libgomp.so.1
)
  tsb_expect("torch.pc" CONTAINS "${text}" " -l:${library}")
endforeach()
foreach(library IN ITEMS libnvrtc.so.12 libcudnn_ops.so.9 libnvJitLink.so.12 libz)
  tsb_expect("torch.pc" LACKS "${text}" "${library}")
endforeach()
file(READ "${static_lib}/../sbom.spdx.json" bill)
tsb_expect("the bill" CONTAINS "${bill}" "bundled-libcublasLt")
consumer(torch/torch.h "" "${static_lib}/..")
consumer(c10/cuda/CUDAFunctions.h "${nvidia}/toolkit" "${static_lib}/..")

set(preset cu124-libtorch-static-without-deps)
string(REPLACE with-deps without-deps static_without "${static}")
workflow("${tree}" ENVIRONMENT ${environment})
good("the static zip without dependencies")
tsb_expect("the checks" CONTAINS "${output}" "${tree}/dist/${static_without}.zip has passed all checks")
set(stage "${tree}/build/${preset}/stage/libtorch-static-without-deps/libtorch")
file(GLOB found RELATIVE "${stage}/lib" "${stage}/lib/lib*")
tsb_expect("libraries without deps" EQUAL "${found}" "${archives}")
foreach(library IN LISTS archives)
  file(SHA256 "${stage}/lib/${library}" without_deps)
  file(SHA256 "${static_lib}/${library}" with_deps)
  tsb_expect("${library} of both zips" EQUAL "${without_deps}" "${with_deps}")
endforeach()
host_libraries_of("${stage}" hosts)
tsb_expect("host_libraries of both linkages" EQUAL "${hosts}" "${hosts_of_shared}")

# The preset of everything makes them, too.
run_in("${tree}" ENVIRONMENT ${environment} TSB_PYTHONS=none COMMAND "${CMAKE_COMMAND}" --preset cu124-all)
good("configuring everything")
foreach(artifact IN ITEMS libtorch-static-with-deps libtorch-static-without-deps)
  tsb_expect("the artifacts of everything" EXISTS "${tree}/build/cu124-all/artifacts/${artifact}.json")
endforeach()

# A licence that is not there.
file(RENAME "${nvidia}/cudnn/LICENSE.txt" "${nvidia}/LICENSE.cudnn")
set(preset cu124-libtorch-shared)
file(REMOVE_RECURSE "${tree}/build/${preset}/stage")
workflow("${tree}" ENVIRONMENT ${environment})
bad("no licence" "the licence text of libcudnn" "is not on this machine" "LICENSE of the others")
file(RENAME "${nvidia}/LICENSE.cudnn" "${nvidia}/cudnn/LICENSE.txt")
workflow("${tree}" ENVIRONMENT ${environment})
good("with the licence again")
