# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../cmake/z_tsb_nvidia_wheel.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/versions.cmake)

# z_tsb_nvidia_requirements(<out-var>): what METADATA of a small wheel requires:
# "nvidia-cublas-cu12==12.4.5.8".
#
# Exactly the version that was linked with. Where the machine does not say all of its numbers, those that it says:
# ==12.4.*; CUPTI and NVTX, whose libraries have other numbers, are of the toolkit's release. It ends with tsb_fail
# when nothing is known.
function(z_tsb_nvidia_requirements out)
  z_tsb_cuda_versions(versions)
  string(REGEX MATCH "^[0-9]+" major "${backend_version}")
  set(requirements "")
  z_tsb_backend_library_names(libraries cuda USED)
  foreach(library IN LISTS libraries)
    z_tsb_nvidia_wheel(${library} ${major})
    if(library STREQUAL "cusparselt" AND NOT EXISTS "${artifact_build_folder}/packages/cusparselt/install")
      continue()
    endif()
    z_tsb_json_get(version "${versions}" ${library})
    if(version STREQUAL "" AND library MATCHES "^(cupti|nvtx)$")
      set(version "${backend_version}")
    elseif(version STREQUAL "")
      tsb_fail(
        "which ${project} the small wheel must require is not known: the toolkit does not say the version of ${library}"
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

# z_tsb_triton_requirement(<out-var>): "triton==3.2.0", what the official CUDA wheels of the release require;
# torch.compile needs it. It ends with tsb_fail for a release of which it is not known.
function(z_tsb_triton_requirement out)
  if(NOT artifact_release_triton)
    tsb_fail(
      "which triton a CUDA wheel of PyTorch ${artifact_release_version} requires is not known"
      "read it off METADATA of the official wheel and write it as triton into releases/${artifact_release_version}/release.json"
    )
  endif()
  set(${out} "triton==${artifact_release_triton}" PARENT_SCOPE)
endfunction()

# What a CUDA wheel requires besides, as the official ones do.
function(z_tsb_cuda_wheel out)
  set(requirements "")
  if(artifact_style STREQUAL "small")
    z_tsb_nvidia_requirements(requirements)
  endif()
  z_tsb_triton_requirement(triton)
  set(${out} ${requirements} ${triton} PARENT_SCOPE)
endfunction()
