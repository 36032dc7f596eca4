# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/z_tsb_cuda_versions.cmake)

# NVIDIA's wheels, which a small wheel takes its libraries from, in the order of the official wheel's RPATH. Folder below
# site-packages, project, member of z_tsb_cuda_versions, numbers of its version, patterns of the libraries. Those of the toolkit
# have moved with CUDA 13: one folder, projects without a suffix. torchpkg knows the same (src/wheel/nvidia_wheels.cpp).
# NVTX, which nothing needs any more, is there for torch/__init__.py: it loads it with all the others when a library is
# not found by its RPATH, and fails without it (_preload_cuda_deps).
set(
  Z_TSB_NVIDIA_WHEELS
  "nvidia/cublas/lib|nvidia-cublas|cublas|4|libcublas.so.* libcublasLt.so.* libnvblas.so.*"
  "nvidia/cuda_cupti/lib|nvidia-cuda-cupti|cupti|3|libcupti.so.*"
  "nvidia/cuda_nvrtc/lib|nvidia-cuda-nvrtc|nvrtc|3|libnvrtc.so.* libnvrtc-builtins.so.*"
  "nvidia/cuda_runtime/lib|nvidia-cuda-runtime|cudart|3|libcudart.so.*"
  "nvidia/cudnn/lib|nvidia-cudnn|cudnn|4|libcudnn.so.* libcudnn_*.so.*"
  "nvidia/cufft/lib|nvidia-cufft|cufft|4|libcufft.so.* libcufftw.so.*"
  "nvidia/curand/lib|nvidia-curand|curand|4|libcurand.so.*"
  "nvidia/cusolver/lib|nvidia-cusolver|cusolver|4|libcusolver.so.* libcusolverMg.so.*"
  "nvidia/cusparse/lib|nvidia-cusparse|cusparse|4|libcusparse.so.*"
  "cusparselt/lib|nvidia-cusparselt|cusparselt|3|libcusparseLt.so.*"
  "nvidia/nccl/lib|nvidia-nccl|nccl|3|libnccl.so.*"
  "nvidia/nvtx/lib|nvidia-nvtx|nvtx|3|libnvToolsExt.so.*"
  "nvidia/nvjitlink/lib|nvidia-nvjitlink|nvjitlink|3|libnvJitLink.so.*"
)

# z_tsb_nvidia_wheel(<row> <major version of CUDA>): sets folder, project, member, numbers, patterns for the caller.
macro(z_tsb_nvidia_wheel row major)
  string(REPLACE "|" ";" fields "${row}")
  list(POP_FRONT fields folder project member numbers patterns)
  string(REPLACE " " ";" patterns "${patterns}")
  if(${major} GREATER_EQUAL 13 AND NOT member MATCHES "^(cudnn|cusparselt|nccl)$")
    set(folder "nvidia/cu${major}/lib")
  else()
    string(APPEND project "-cu${major}")
  endif()
endmacro()

# z_tsb_nvidia_wheel_folders(<out-var> <artifact json>): "libcublas.so.*=nvidia/cublas/lib", for torchpkg bundle --elsewhere.
function(z_tsb_nvidia_wheel_folders out artifact)
  z_tsb_json_get(cuda "${artifact}" cuda_version)
  string(REGEX MATCH "^[0-9]+" major "${cuda}")
  set(pairs "")
  foreach(row IN LISTS Z_TSB_NVIDIA_WHEELS)
    z_tsb_nvidia_wheel("${row}" ${major})
    foreach(pattern IN LISTS patterns)
      list(APPEND pairs "${pattern}=${folder}")
    endforeach()
  endforeach()
  set(${out} "${pairs}" PARENT_SCOPE)
endfunction()

# z_tsb_nvidia_requirements(<out-var> <artifact json>): what METADATA of a small wheel requires: "nvidia-cublas-cu12==12.4.5.8".
#
# Exactly the version that was linked with. Where the machine does not say all of its numbers, those that it says:
# ==12.4.*; CUPTI and NVTX, whose libraries have other numbers, are of the toolkit's release. It ends with tsb_fail
# when nothing is known.
function(z_tsb_nvidia_requirements out artifact)
  z_tsb_json_get(cuda "${artifact}" cuda_version)
  z_tsb_json_take(artifact build_folder)
  z_tsb_cuda_versions(versions "${artifact}")
  string(REGEX MATCH "^[0-9]+" major "${cuda}")
  set(requirements "")
  foreach(row IN LISTS Z_TSB_NVIDIA_WHEELS)
    z_tsb_nvidia_wheel("${row}" ${major})
    if(member STREQUAL "cusparselt" AND NOT EXISTS "${build_folder}/packages/cusparselt/install")
      continue()
    endif()
    z_tsb_json_get(version "${versions}" ${member})
    if(version STREQUAL "" AND member MATCHES "^(cupti|nvtx)$")
      set(version "${cuda}")
    elseif(version STREQUAL "")
      tsb_fail(
        "which ${project} the small wheel must require is not known: the toolkit does not say the version of ${member}"
        "take a toolkit with version.json (TSB_CUDA_HOME), or make the large wheel, which has the libraries inside"
      )
    endif()
    string(REPLACE "." ";" parts "${version}")
    list(LENGTH parts length)
    if(length LESS numbers)
      string(APPEND version ".*")
    endif()
    list(APPEND requirements "${project}==${version}")
  endforeach()
  set(${out} "${requirements}" PARENT_SCOPE)
endfunction()

# z_tsb_triton_requirement(<out-var> <artifact json>): "triton==3.2.0", what the official CUDA wheels of the release require;
# torch.compile needs it. It ends with tsb_fail for a release of which it is not known.
function(z_tsb_triton_requirement out artifact)
  z_tsb_json_get(triton "${artifact}" release triton)
  if(triton STREQUAL "")
    z_tsb_json_get(version "${artifact}" release version)
    tsb_fail(
      "which triton a CUDA wheel of PyTorch ${version} requires is not known"
      "read it off METADATA of the official wheel and write it as triton into releases/${version}/release.json"
    )
  endif()
  set(${out} "triton==${triton}" PARENT_SCOPE)
endfunction()
