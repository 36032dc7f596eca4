# SPDX-License-Identifier: BSD-3-Clause
# CUDA's artifacts on stand-ins for PyTorch, the toolkit, cuDNN and cuSPARSELt: of one compile the zips, the wheels and
# the conda packages, and then the shared zip of one GPU. Here is what is in the shared zips. e2e.file-lists has which
# files each artifact has, e2e.cuda-static and e2e.cuda-wheels what is in the others.
include(${CMAKE_CURRENT_LIST_DIR}/cuda_fixture.cmake)
copy_tree("${tree}")
execute_process(
  COMMAND "${CMAKE_COMMAND}" "-DTSB_OUTPUT=${nvidia}" -P "${TSB_SOURCE_DIR}/tests/fixtures/make_cuda.cmake"
          COMMAND_ERROR_IS_FATAL ANY
)
# The hashes of these wheels instead of the real ones.
file(COPY "${nvidia}/wheels/libraries.txt" DESTINATION "${nvidia}/additions/releases/${pytorch}/wheel_check")
file(REMOVE_RECURSE "${store}")
foreach(package IN ITEMS mkl protobuf sleef)
  file(GLOB stored "${WORK}/store of a folder/${package}")
  if(stored)
    file(COPY ${stored} DESTINATION "${store}")
  endif()
endforeach()

workflow("${tree}" ENVIRONMENT ${environment})
good("the workflow")
set(patterns libtorch-cxx11-abi-*.zip linux-64/libtorch-*.conda)
set(expected 5)
if(NOT tag STREQUAL "")
  list(APPEND patterns torch-*.whl linux-64/pytorch-*.conda)
  set(expected 8)
  tsb_expect("the wheels' consumer" CONTAINS "${output}" "No broken requirements" "4 checks, 0 failed")
endif()
list(TRANSFORM patterns PREPEND "${tree}/dist/")
file(GLOB made ${patterns})
list(LENGTH made count)
tsb_expect("how many were made" EQUAL ${count} ${expected})
foreach(file IN LISTS made)
  tsb_expect("the checks" CONTAINS "${output}" "done: ${file}, ")
endforeach()
tsb_expect(
  "the ways to link it" CONTAINS "${output}" "ok first, run g++, bfd, fixed address"
  "ok first, run g++, bfd, position-independent, gc-sections" "ok first, run g++, bfd, shared library"
)

# With everything inside.
set(base libtorch-cxx11-abi-shared-with-deps-${pytorch}+cu124)
set(unpacked "${TSB_TEST_DIR}/un packed")
file(ARCHIVE_EXTRACT INPUT "${tree}/dist/${base}.zip" DESTINATION "${unpacked}")
set(lib "${unpacked}/libtorch/lib")
file(GLOB of_nvidia RELATIVE "${lib}" "${lib}/libcu*.so.*" "${lib}/libnv*.so.*" "${lib}/libnccl*")
foreach(library IN LISTS of_nvidia ITEMS libtorch_cuda.so libtorch_cuda_linalg.so libcaffe2_nvrtc.so libc10_cuda.so)
  soname_and_rpath_of("${lib}/${library}")
  tsb_expect("SONAME" EQUAL "${soname}" "${library}")
  tsb_expect("RPATH of ${library}" EQUAL "${rpath}" "RPATH $ORIGIN")
endforeach()

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
tsb_expect_file(
  "the bill" CONTAINS "${unpacked}/libtorch/sbom.spdx.json" bundled-libcublasLt "LicenseRef-NVIDIA-cuDNN"
  "cuDNN's terms." "The toolkit's terms." "12.4.5.8"
)

tsb_expect_file("folders of this machine" LACKS "${unpacked}/libtorch/share/cmake/Caffe2/public/cuda.cmake" "${nvidia}")

# Without dependencies: the same libraries of libtorch, and the host's of all others.
set(stage "${build}/stage/libtorch-shared-without-deps/libtorch")
host_libraries_of("${stage}" hosts)
foreach(
  host IN ITEMS libcublas.so.12=12.4.5.8 libcudart.so.12=12.4.127 libcudnn.so.9=9.1.0.70 libcudnn_ops.so.9=9.1.0.70
                libnccl.so.2=2.21.5 libnvrtc.so.12=12.4.127 libcusparseLt.so.0=0.6.2
)
  if(NOT host IN_LIST hosts)
    message(FATAL_ERROR "host_libraries lacks ${host}: ${hosts}")
  endif()
endforeach()
foreach(library IN ITEMS libtorch_cuda.so libc10_cuda.so libtorch_cuda_linalg.so)
  file(SHA256 "${stage}/lib/${library}" without_deps)
  file(SHA256 "${lib}/${library}" with_deps)
  tsb_expect("${library} of both zips" EQUAL "${without_deps}" "${with_deps}")
endforeach()
file(READ "${stage}/sbom.spdx.json" bill)
tsb_expect("the bill without deps" LACKS "${bill}" "bundled-" "\"nccl\"")
tsb_expect("the bill without deps" CONTAINS "${bill}" "SPDXRef-Package-cuda-toolkit")

# Another preset of the same compile, cut to one GPU. Code for 8.0 serves 8.6.
set(preset cu124-libtorch-shared)
set(dist "${TSB_TEST_DIR}/dist")
workflow("${tree}" ENVIRONMENT ${environment} TSB_CUDA_SLICES=8.6 "TSB_DIST=${dist}")
good("a slice")
tsb_expect("what ran" LACKS "${output}" "-- pytorch build\n")
tsb_expect("the checks" CONTAINS "${output}" "done: ${dist}/${base}.sm86.zip, ")
set(slice "${TSB_TEST_DIR}/sm86")
file(ARCHIVE_EXTRACT INPUT "${dist}/${base}.sm86.zip" DESTINATION "${slice}")
tsb_expect_file("version" EQUAL "${slice}/libtorch/build-version" "${pytorch}+cu124.sm86\n")
file(READ "${slice}/libtorch/manifest.json" manifest)
string(JSON archs GET "${manifest}" cuda archs)
tsb_expect("architectures of the slice" EQUAL "${archs}" "[ \"8.6\" ]")
execute_process(COMMAND "${TORCHPKG}" scan --device-code "${slice}/libtorch/lib/libtorch_cuda.so" OUTPUT_VARIABLE code)
string(REGEX MATCHALL "sm_[0-9]+" code "${code}")
list(REMOVE_DUPLICATES code)
tsb_expect("device code of the slice" EQUAL "${code}" sm_80)
foreach(library IN LISTS of_nvidia) # may be passed on unchanged only
  file(SHA256 "${slice}/libtorch/lib/${library}" in_slice)
  file(SHA256 "${lib}/${library}" in_whole)
  tsb_expect("${library} of the slice" EQUAL "${in_slice}" "${in_whole}")
endforeach()
