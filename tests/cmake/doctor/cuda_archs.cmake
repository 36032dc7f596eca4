# SPDX-License-Identifier: BSD-3-Clause
# TSB_CUDA_ARCHS: what is exported, and each way to get it wrong. (tests/cmake/cuda/archs.cmake has the forms
# and the sizes.)
include(${CMAKE_CURRENT_LIST_DIR}/cuda_machine.cmake)
fake_toolkit(${root}/opt/cuda 12.4.131)
set(checks cuda_toolkit cuda_archs)

cuda_doctor(${checks})
passes(
  "-- CUDA architectures: 5.0 6.0 7.0 7.5 8.0 8.6 9.0; libtorch_cuda.so comes to about"
  "TSB_CUDA_ARCHS is [5.0;6.0;7.0;7.5;8.0;8.6;9.0]" "TSB_CUDA_COMPRESSION is [-Xfatbin;-compress-all]"
)
cuda_doctor(${checks} ENVIRONMENT "TSB_CUDA_ARCHS=9.0+PTX, 8.0")
passes("TSB_CUDA_ARCHS is [8.0;9.0+PTX]")
cuda_doctor(${checks} ENVIRONMENT "TSB_CUDA_ARCHS=8.0 sm_90")
fails(1 "TSB_CUDA_ARCHS is \"8.0 sm_90\": \"sm_90\" is not an architecture" "-> write 9.0, not sm_90")
tsb_expect("nothing exported" LACKS "${output}" "TSB_CUDA_ARCHS is [")
cuda_doctor(${checks} STATIC_LIBRARIES)
passes("-- CUDA architectures: 5.0 6.0 7.0 7.5 8.0 8.6 9.0;" ", a program with the static libraries to 14")

# How code is compressed follows from the oldest driver that is to load it.
file(REMOVE_RECURSE ${root}/opt/cuda)
fake_toolkit(${root}/opt/cuda 12.9.86 ARCHS 70 75 80 86 90 100 120)
set(ENV{TSB_ADDITIONS} ${TSB_TEST_DIR}/additions)
file(
  WRITE ${TSB_TEST_DIR}/additions/releases/9.9.0/release.json
  [[{"cxx_standard": "17", "libtorch_zip": "x", "pythons": [], "backends": {"cuda": {"12.9": {"archs": ["8.6", "9.0", "10.0", "12.0+PTX"]}}}}]]
)
cuda_doctor(${checks} PYTORCH 9.9.0 CUDA 12.9)
passes("TSB_CUDA_COMPRESSION is [-Xfatbin;-compress-all]" "8.6 9.0 10.0 12.0+PTX")
cuda_doctor(${checks} PYTORCH 9.9.0 CUDA 12.9 ENVIRONMENT TSB_CUDA_LOWEST_DRIVER=550.54.14)
passes("TSB_CUDA_COMPRESSION is [-Xfatbin;-compress-all;-compress-mode=size]")
cuda_doctor(${checks} PYTORCH 9.9.0 CUDA 12.9 ENVIRONMENT TSB_CUDA_LOWEST_DRIVER=new)
fails(1 "TSB_CUDA_LOWEST_DRIVER is \"new\", which is not a driver version")
