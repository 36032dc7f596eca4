# SPDX-License-Identifier: BSD-3-Clause
# CUDA's shared zips on stand-ins for PyTorch, the toolkit, cuDNN and cuSPARSELt: one compile, and of it the zips with
# and without dependencies. e2e.cuda-static and e2e.cuda-wheels make the static zips, wheels and conda packages of the
# same.
include(${CMAKE_CURRENT_LIST_DIR}/cuda_fixture.cmake)
copy_tree("${tree}")
execute_process(
  COMMAND "${CMAKE_COMMAND}" "-DTSB_OUTPUT=${nvidia}" -P "${TSB_SOURCE_DIR}/tests/fixtures/make_cuda.cmake"
          COMMAND_ERROR_IS_FATAL ANY
)
file(REMOVE_RECURSE "${store}")
foreach(package IN ITEMS mkl protobuf sleef)
  file(GLOB stored "${WORK}/store of a folder/${package}")
  if(stored)
    file(COPY ${stored} DESTINATION "${store}")
  endif()
endforeach()
set(base libtorch-cxx11-abi-shared-with-deps-${pytorch}+cu124)

# With everything inside.
set(preset cu124-libtorch-shared)
workflow("${tree}" ENVIRONMENT ${environment})
good("the zip with dependencies")
tsb_expect("the checks" CONTAINS "${output}" "done: ${tree}/dist/${base}.zip, ")
set(unpacked "${TSB_TEST_DIR}/un packed")
file(ARCHIVE_EXTRACT INPUT "${tree}/dist/${base}.zip" DESTINATION "${unpacked}")
set(lib "${unpacked}/libtorch/lib")
file(GLOB found RELATIVE "${lib}" "${lib}/libcu*.so.*" "${lib}/libnv*.so.*" "${lib}/libnccl*")
list(SORT found)
tsb_expect("NVIDIA's libraries" EQUAL "${found}" "${of_nvidia}")
foreach(library IN LISTS of_nvidia ITEMS libtorch_cuda.so libtorch_cuda_linalg.so libcaffe2_nvrtc.so libc10_cuda.so)
  soname_and_rpath_of("${lib}/${library}")
  tsb_expect("SONAME" EQUAL "${soname}" "${library}")
  tsb_expect("RPATH of ${library}" EQUAL "${rpath}" "RPATH $ORIGIN")
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
execute_process(COMMAND cc "${TSB_TEST_DIR}/open.c" -o "${TSB_TEST_DIR}/open" -ldl COMMAND_ERROR_IS_FATAL ANY)
foreach(call IN ITEMS "libcudnn.so.9 cudnnGetVersion" "libnvrtc.so.12 nvrtcVersion" "libtorch_cuda_linalg.so")
  separate_arguments(call UNIX_COMMAND "${call}")
  list(POP_FRONT call library)
  execute_process(
    COMMAND env -i "${TSB_TEST_DIR}/open" "${lib}/${library}" ${call} RESULT_VARIABLE status OUTPUT_VARIABLE output
  )
  tsb_expect("opening ${library}: ${output}" EQUAL "${status}" 0)
endforeach()

file(READ "${unpacked}/libtorch/manifest.json" manifest)
string(JSON cuda GET "${manifest}" cuda)
foreach(
  pair IN ITEMS "12.4=version" "8.0=archs;0" "9.0=archs;1" "9.0a=additional_archs;0" "12.4.5.8=versions;cublas"
                "9.1.0.70=versions;cudnn" "0.6.2=versions;cusparselt" "2.21.5=versions;nccl"
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
tsb_expect_file(
  "the bill" CONTAINS "${unpacked}/libtorch/sbom.spdx.json" bundled-libcublasLt "LicenseRef-NVIDIA-cuDNN"
  "cuDNN's terms." "The toolkit's terms." "12.4.5.8"
)

# The consumer's words.
file(READ "${unpacked}/libtorch/share/cmake/Caffe2/public/cuda.cmake" text)
tsb_expect("architectures" CONTAINS "${text}" "TORCH_CUDA_ARCHITECTURES \"80-real;90-real\"")
tsb_expect("architectures" CONTAINS "${text}" "TORCH_CUDA_ARCH_LIST \"8.0;9.0\"")
tsb_expect("folders of this machine" LACKS "${text}" "${nvidia}")

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
tsb_expect("the checks" CONTAINS "${output}" "done: ${tree}/dist/${without}.zip, ")
tsb_expect("what ran" LACKS "${output}" "-- pytorch build\n")
set(stage "${tree}/build/${preset}/stage/libtorch-shared-without-deps/libtorch")
file(GLOB found "${stage}/lib/libcu*" "${stage}/lib/libnv*" "${stage}/lib/libnccl*" "${stage}/lib/libgomp*")
tsb_expect("NVIDIA's libraries without deps" EQUAL "${found}" "")
host_libraries_of("${stage}" hosts)
foreach(
  host IN ITEMS libcublas.so.12=12.4.5.8 libcudart.so.12=12.4.127 libcudnn.so.9=9.1.0.70 libcudnn_ops.so.9=9.1.0.70
                libnccl.so.2=2.21.5 libnvrtc.so.12=12.4.127 libcusparseLt.so.0=0.6.2
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
tsb_expect("the bill without deps" LACKS "${bill}" "bundled-" "\"nccl\"")
tsb_expect("the bill without deps" CONTAINS "${bill}" "SPDXRef-Package-cuda-toolkit")

# A licence that is not there.
file(RENAME "${nvidia}/cudnn/LICENSE.txt" "${nvidia}/LICENSE.cudnn")
set(build "${CMAKE_COMMAND}" --build --preset cu124-libtorch-shared)
file(REMOVE_RECURSE "${tree}/build/cu124-libtorch-shared/stage")
run_in("${tree}" ENVIRONMENT ${environment} COMMAND ${build})
bad("no licence" "the licence text of libcudnn" "is not on this machine" "LICENSE of the others")
file(RENAME "${nvidia}/LICENSE.cudnn" "${nvidia}/cudnn/LICENSE.txt")
run_in("${tree}" ENVIRONMENT ${environment} COMMAND ${build})
good("with the licence again")

# The same compile, cut to two GPUs. Code for 8.0 serves 8.6.
set(preset cu124-libtorch-shared)
workflow("${tree}" ENVIRONMENT ${environment} "TSB_CUDA_SLICES=8.6 9.0")
good("two slices")
tsb_expect("what ran" LACKS "${output}" "-- pytorch build\n")
foreach(pair IN ITEMS "8.6=80" "9.0=90")
  string(REGEX MATCH "^(.*)=(.*)$" ignored "${pair}")
  set(gpu "${CMAKE_MATCH_1}")
  set(kept "sm_${CMAKE_MATCH_2}")
  string(REPLACE "." "" digits "${gpu}")
  tsb_expect("the checks" CONTAINS "${output}" "done: ${tree}/dist/${base}.sm${digits}.zip, ")
  set(slice "${TSB_TEST_DIR}/sm${digits}")
  file(ARCHIVE_EXTRACT INPUT "${tree}/dist/${base}.sm${digits}.zip" DESTINATION "${slice}")
  tsb_expect_file("version" EQUAL "${slice}/libtorch/build-version" "${pytorch}+cu124.sm${digits}\n")
  file(READ "${slice}/libtorch/manifest.json" manifest)
  string(JSON archs GET "${manifest}" cuda archs)
  tsb_expect("architectures of the slice" EQUAL "${archs}" "[ \"${gpu}\" ]")
  execute_process(
    COMMAND "${TORCHPKG}" scan --device-code "${slice}/libtorch/lib/libtorch_cuda.so" OUTPUT_VARIABLE code
  )
  string(REGEX MATCHALL "sm_[0-9]+" code "${code}")
  list(REMOVE_DUPLICATES code)
  tsb_expect("device code of the slice for ${gpu}" EQUAL "${code}" "${kept}")
  foreach(library IN LISTS of_nvidia) # may be passed on unchanged only
    file(SHA256 "${slice}/libtorch/lib/${library}" in_slice)
    file(SHA256 "${lib}/${library}" in_whole)
    tsb_expect("${library} of the slice" EQUAL "${in_slice}" "${in_whole}")
  endforeach()
endforeach()
file(GLOB slices "${tree}/dist/*+cu124.sm[0-9]*")
file(REMOVE ${slices}) # e2e.file-lists has none
