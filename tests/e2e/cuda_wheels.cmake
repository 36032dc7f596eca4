# SPDX-License-Identifier: BSD-3-Clause
# What is in the small and the large wheel and the conda packages of e2e.cuda: the libraries of the zip, except for the
# way to NVIDIA's. There pip has installed both wheels, with stand-ins for all that they require.
include(${CMAKE_CURRENT_LIST_DIR}/cuda_fixture.cmake)
if(tag STREQUAL "")
  message("SKIP: e2e.cuda has made no wheel")
  return()
endif()
file(GLOB small "${tree}/dist/torch-${pytorch}+cu124-cp${tag}-cp${tag}-*.whl")
set(in_small "${TSB_TEST_DIR}/small")
file(ARCHIVE_EXTRACT INPUT "${small}" DESTINATION "${in_small}")
set(folders "")
foreach(
  folder IN ITEMS nvidia/cublas nvidia/cuda_cupti nvidia/cuda_nvrtc nvidia/cuda_runtime nvidia/cudnn nvidia/cufft
                  nvidia/curand nvidia/cusolver nvidia/cusparse cusparselt nvidia/nccl nvidia/nvtx nvidia/nvjitlink
)
  string(APPEND folders "UP/${folder}/lib:")
endforeach()
foreach(library IN ITEMS libtorch_cuda.so libtorch_cpu.so libtorch_cuda_linalg.so libtorch_python.so)
  soname_and_rpath_of("${in_small}/torch/lib/${library}")
  string(REPLACE UP "$ORIGIN/../.." wanted "RPATH ${folders}$ORIGIN")
  tsb_expect("RPATH of ${library}" EQUAL "${rpath}" "${wanted}")
endforeach()
file(GLOB module "${in_small}/torch/_C*.so")
soname_and_rpath_of("${module}")
string(REPLACE UP "$ORIGIN/.." wanted "RPATH ${folders}$ORIGIN/lib")
tsb_expect("RPATH of torch._C" EQUAL "${rpath}" "${wanted}")

# The toolkit's folder, in which the linker would look before the RPATHs, may have an older NCCL.
file(READ "${in_small}/torch/share/cmake/Caffe2/public/cuda.cmake" text)
tsb_expect("where the linker looks" CONTAINS "${text}" "rpath-link,\${_torch_prefix}/lib")
tsb_expect("where the linker looks" LACKS "${text}" "rpath-link,\${TORCH_CUDA_INCLUDE_DIR}")

# The large one.
file(GLOB large "${tree}/dist/torch-${pytorch}+cu124-1large-cp${tag}-cp${tag}-*.whl")
set(in_large "${TSB_TEST_DIR}/large")
file(ARCHIVE_EXTRACT INPUT "${large}" DESTINATION "${in_large}")
file(READ "${in_large}/torch-${pytorch}+cu124.dist-info/METADATA" metadata)
tsb_expect("METADATA of the large wheel" LACKS "${metadata}" "nvidia-")
tsb_expect("METADATA of the large wheel" CONTAINS "${metadata}" "Requires-Dist: triton==3.2.0;")
tsb_expect_file(
  "WHEEL of the large wheel" CONTAINS "${in_large}/torch-${pytorch}+cu124.dist-info/WHEEL" "\nBuild: 1large\n"
)
foreach(library IN ITEMS libcublasLt.so.12 libcudnn_ops.so.9 libnvrtc-builtins.so.12.4 libnccl.so.2)
  soname_and_rpath_of("${in_large}/torch/lib/${library}")
  tsb_expect("RPATH of ${library}" EQUAL "${rpath}" "RPATH $ORIGIN")
endforeach()
set(zip "${build}/stage/libtorch-shared-with-deps/libtorch/lib")
foreach(library IN ITEMS libtorch_cuda.so libtorch_cpu.so libcublas.so.12)
  file(SHA256 "${zip}/${library}" in_zip)
  file(SHA256 "${in_large}/torch/lib/${library}" in_wheel)
  tsb_expect("${library} of zip and large wheel" EQUAL "${in_wheel}" "${in_zip}")
endforeach()

# conda's
file(GLOB packages RELATIVE "${tree}/dist/linux-64" "${tree}/dist/linux-64/*-${pytorch}-cuda124_mkl_*.conda")
if(
  NOT packages MATCHES
  "^libtorch-${pytorch}-cuda124_mkl_h[0-9a-f]+_200.conda;pytorch-${pytorch}-cuda124_mkl_py${tag}_h[0-9a-f]+_200.conda$"
)
  message(FATAL_ERROR "other packages were expected: ${packages}")
endif()
foreach(artifact IN ITEMS conda-libtorch conda-py${tag})
  file(READ "${build}/stage/${artifact}/prefix/info/index.json" index)
  set(wanted "__cuda >=12" "cuda-version >=12.4,<13.0a0" "cuda-cudart >=12.4.127,<13.0a0")
  if(artifact STREQUAL "conda-libtorch")
    list(
      APPEND
      wanted
      "cuda-cupti >=12.4,<13.0a0"
      "cuda-nvrtc >=12.4.127,<13.0a0"
      "cudnn >=9.1.0.70,<10.0a0"
      "cusparselt >=0.6.2,<0.7.0a0"
      "libcublas >=12.4.5.8,<13.0a0"
      "libcufft >=11.2.1.3,<12.0a0"
      "libcurand >=10.3.5.147,<11.0a0"
      "libcusolver >=11.6.1.9,<12.0a0"
      "libcusparse >=12.3.1.170,<13.0a0"
      "nccl >=2.21.5,<3.0a0"
    )
  endif()
  foreach(need IN LISTS wanted)
    tsb_expect("what ${artifact} depends on" CONTAINS "${index}" "\"${need}\"")
  endforeach()
endforeach()
