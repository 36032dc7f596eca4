# SPDX-License-Identifier: BSD-3-Clause
# What a conda package of a CUDA backend asks of the driver, and of NVIDIA's packages when nothing tells their versions,
# and out of the official wheel with those of NVIDIA's wheels; and what its build is called.
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)
include("${TSB_SOURCE_DIR}/packaging/backend/z_tsb_backend_packages.cmake")
include("${TSB_SOURCE_DIR}/backends/cuda/cmake/tsb_cuda_compression.cmake")
include("${TSB_SOURCE_DIR}/packaging/conda/metadata.cmake")

# depends_of(<CUDA> [<lowest driver>]): sets `depends`.
function(depends_of cuda)
  set(artifact "{}")
  z_tsb_json_set_string(artifact build_folder "${TSB_TEST_DIR}")
  tsb_cuda_compression(flags mode ${cuda} ${ARGN})
  set(configured "{}")
  z_tsb_json_set_array(configured compression ${flags})
  set(backend "{\"folder\": \"cuda\", \"kind\": \"cuda\", \"version\": \"${cuda}\"}")
  string(JSON backend SET "${backend}" configured "${configured}")
  set(packages __glibc libcublas)
  if(cuda VERSION_LESS 12)
    set(packages __glibc cudatoolkit)
  endif()
  tsb_ask_backend(depends "${backend}" conda "${artifact}" "${packages}")
  set(depends "${depends}" PARENT_SCOPE)
endfunction()

# Any driver of the major version, 525 to 549 among them.
depends_of(12.4)
tsb_expect("12.4" EQUAL "${depends}" "__cuda >=12;cuda-version >=12.4,<13.0a0;__glibc;libcublas >=12.4,<13.0a0")
depends_of(11.8)
tsb_expect("11.8" EQUAL "${depends}" "__cuda >=11;cuda-version >=11.8,<12.0a0;__glibc;cudatoolkit >=11.8,<12.0a0")
depends_of(12.9)
tsb_expect("12.9" CONTAINS "${depends}" "__cuda >=12;")
# Code that the older ones of them cannot load.
depends_of(12.9 550.54.14)
tsb_expect("12.9, compressed for size" CONTAINS "${depends}" "__cuda >=12.4;")
depends_of(12.4 550.54.14)
tsb_expect("12.4, whose nvcc does not know that" CONTAINS "${depends}" "__cuda >=12;")
depends_of(13.0)
tsb_expect("13.0" CONTAINS "${depends}" "__cuda >=13;")

set(packages "${TSB_TEST_DIR}/packages")
file(WRITE "${packages}/cuda-toolkit/sources.json" [[{"nvidia-cublas": {"version": "13.4.1.3"}}]])
file(WRITE "${packages}/nvshmem/sources.json" [[{"nvidia-nvshmem": {"version": "3.7.2"}}]])
file(WRITE "${packages}/pytorch/manifest.json" [[{"fingerprint": "0123"}]])
file(READ "${TSB_SOURCE_DIR}/backends/official-cuda/backend.json" backend)
foreach(pair IN ITEMS folder=official-cuda version=13.2 conda_name=official_cuda132)
  string(REGEX MATCH "^(.*)=(.*)$" ignored "${pair}")
  z_tsb_json_set_string(backend ${CMAKE_MATCH_1} "${CMAKE_MATCH_2}")
endforeach()
set(artifact "{\"blas\": \"mkl\", \"slice\": {\"name\": \"sm90\"}}")
z_tsb_json_set_string(artifact build_folder "${TSB_TEST_DIR}")
string(JSON artifact SET "${artifact}" backend "${backend}")
tsb_ask_backend(depends "${backend}" conda "${artifact}" "__glibc;libcublas;libnvshmem3;cuda-bindings >=13.0.3,<14")
tsb_expect(
  "the official one" EQUAL "${depends}"
  "__cuda >=13;cuda-version >=13.2,<14.0a0;__glibc;libcublas >=13.4.1.3,<14.0a0;libnvshmem3 >=3.7.2,<4.0a0;cuda-bindings >=13.0.3,<14"
)
foreach(python IN ITEMS "" 3.12)
  z_tsb_conda_build_string(build "${artifact}" "${python}")
  string(REPLACE "." "" tag "${python}")
  if(NOT build MATCHES "^official_cuda132_mkl_sm90(_py${tag})?_h[0-9a-f]+_100$")
    message(FATAL_ERROR "the build is called ${build}")
  endif()
endforeach()
