# SPDX-License-Identifier: BSD-3-Clause
# What a small CUDA wheel requires, from what the machine says about its toolkit, and where it finds that. In: UNKNOWN,
# a library whose version the toolkit does not say; TRITON, what the release says about triton.
include("${CMAKE_CURRENT_LIST_DIR}/package.cmake")
include("${TSB_SOURCE_DIR}/packaging/backend/z_tsb_backend_packages.cmake")
set(packages "${TSB_TEST_DIR}/packages")
set(
  versions
  "{\"cublas\": \"13.1.0.3\", \"cudart\": \"13.0\", \"cufft\": \"12.0.0.61\", \"curand\": \"10.4.0.35\", \"cusolver\": \"12.0.4.66\",
    \"cusparse\": \"12.6.3.3\", \"nvjitlink\": \"13.0.88\", \"nvrtc\": \"13.0.88\", \"cupti\": \"13.0.85\"}"
)
if(UNKNOWN)
  string(JSON versions REMOVE "${versions}" ${UNKNOWN})
endif()
set(machine "{\"version\": \"13.0.88\"}")
string(JSON machine SET "${machine}" library_versions "${versions}")
set(package "{}")
z_tsb_json_set_string(package machine "${machine}")
file(WRITE "${packages}/cuda-toolkit/package.json" "${package}")
file(WRITE "${packages}/cudnn/package.json" [[{"machine": "{\"version\": \"9.19.0\"}"}]])
file(WRITE "${packages}/cudnn/install/lib/libcudnn_graph.so.9" "...cudnn_version_9_19_0_56_abc...")
file(
  WRITE "${packages}/nccl/install/include/nccl.h" "#define NCCL_MAJOR 2\n#define NCCL_MINOR 28\n#define NCCL_PATCH 9\n"
)
if(NOT TRITON)
  set(TRITON "\"triton\": \"3.2.0\"")
endif()
set(backend "{\"folder\": \"cuda\", \"kind\": \"cuda\", \"version\": \"13.0\"}")
set(
  artifact
  "{\"build_folder\": \"${TSB_TEST_DIR}\", \"style\": \"small\", \"release\": {\"version\": \"9.9.0\", ${TRITON}}}"
)
tsb_set_record(artifact artifact)
tsb_set_record(backend backend)
tsb_ask_backend(found backend wheel)
string(
  CONCAT
    wanted "nvidia-cublas==13.1.0.3;nvidia-cuda-cupti==13.0.85;nvidia-cuda-nvrtc==13.0.88;nvidia-cuda-runtime==13.0.*;"
    "nvidia-cudnn-cu13==9.19.0.56;nvidia-cufft==12.0.0.61;nvidia-curand==10.4.0.35;nvidia-cusolver==12.0.4.66;"
    "nvidia-cusparse==12.6.3.3;nvidia-nccl-cu13==2.28.9;nvidia-nvtx==13.0.*;nvidia-nvjitlink==13.0.88;triton==3.2.0"
)
tsb_expect("requirements of CUDA 13" EQUAL "${found}" "${wanted}")
tsb_ask_backend(folders backend wheel_folders)
set(of_all "libcublas.so.*=nvidia/cu13/lib" "libcudnn_*.so.*=nvidia/cudnn/lib" "libcusparseLt.so.*=cusparselt/lib")
set(of_official "libcufile.so.*=nvidia/cu13/lib" "libnvshmem*.so.*=nvidia/nvshmem/lib")
tsb_expect("folders" CONTAINS "${folders}" ${of_all})
tsb_expect("folders" LACKS "${folders}" ${of_official})

# An official wheel leaves more to others.
set(official "{\"folder\": \"official-cuda\", \"kind\": \"cuda\", \"version\": \"13.0\", \"prebuilt\": true}")
tsb_set_record(official official)
tsb_ask_backend(folders official wheel_folders)
tsb_expect("folders of an official wheel" CONTAINS "${folders}" ${of_all} ${of_official})
set(artifact_style large)
tsb_ask_backend(folders backend wheel_folders)
tsb_expect("folders of a large wheel" EQUAL "${folders}" "")
