# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/detail/z_tsb_json.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/detail/z_tsb_write_file.cmake)

# What an artifact is, each product in its own way: set for the caller of z_tsb_describe_artifact, which writes it down.
# `package` is the package that it is made of, with all that this one depends on.
macro(z_tsb_describe_libtorch)
  set(package pytorch)
  set(linkage "${CMAKE_MATCH_1}")
  set(deps "${CMAKE_MATCH_2}")
  set(file "libtorch-cxx11-abi-${linkage}-${deps}-${version}.zip")
  set(debug_file "debug-${file}")
  # On request, for a system that has two releases side by side; a release is compatible with its own patches only.
  if(linkage STREQUAL "shared" AND "$ENV{TSB_SONAME_VERSION}")
    string(REGEX MATCH "^[0-9]+\\.[0-9]+" soname_version "${TSB_PYTORCH_VERSION}")
  endif()
endmacro()

macro(z_tsb_describe_wheel)
  set(package "pytorch-py${CMAKE_MATCH_1}")
  set(linkage shared)
  set(deps with-deps)
  set(python_tag "cp${CMAKE_MATCH_1}")
  set(file "") # its platform tag follows from what is in it: `torchpkg pack wheel` names it
  set(debug_file "debug-torch-${version}-${python_tag}-${python_tag}.zip")
  if(TSB_CUDA_VERSION)
    set(style small)
  endif()
  if(CMAKE_MATCH_2)
    set(style large)
    set(debug_file "debug-torch-${version}-1large-${python_tag}-${python_tag}.zip")
  endif()
endmacro()

# The libraries are those of the wheels: with the same debug information split off, whose zip fits here too.
macro(z_tsb_describe_conda)
  set(package pytorch)
  set(linkage shared)
  set(deps without-deps)
  set(file "") # its build string follows from what is in it
  set(debug_file "debug-libtorch-${version}-conda.zip")
  if(CMAKE_MATCH_2)
    set(package "pytorch-py${CMAKE_MATCH_2}")
    set(python_tag "cp${CMAKE_MATCH_2}")
    set(debug_file "debug-torch-${version}-${python_tag}-conda.zip")
  endif()
endmacro()

# z_tsb_describe_artifact(<artifact>): writes artifacts/<artifact>.json, which the scripts of the product read.
function(z_tsb_describe_artifact artifact)
  set(version "${TSB_PYTORCH_VERSION}+${TSB_BACKEND}")
  z_tsb_json_get(default_blas "${TSB_TARGET}" blas 0)
  if(NOT TSB_BLAS STREQUAL default_blas) # the official packages' choice, which therefore has no name
    string(APPEND version ".${TSB_BLAS}")
  endif()
  set(soname_version "")
  set(python_tag "")
  set(style "")
  if(artifact MATCHES "^libtorch-(shared|static)-(with-deps|without-deps)$")
    set(product libtorch)
    z_tsb_describe_libtorch()
  elseif((TSB_CUDA_VERSION OR NOT artifact MATCHES "-large$") AND artifact MATCHES "^wheel-py(3[0-9]+)(-large)?$")
    set(product wheel)
    z_tsb_describe_wheel()
  elseif(artifact MATCHES "^conda-(libtorch|py(3[0-9]+))$")
    set(product conda)
    z_tsb_describe_conda()
  else()
    message(
      FATAL_ERROR
        "artifact '${artifact}' is neither libtorch-{shared,static}-{with,without}-deps, {wheel,conda}-py<version without dot>, of CUDA wheel-py<version>-large, nor conda-libtorch"
    )
  endif()
  if(NOT linkage STREQUAL "shared" OR TSB_DEBUG_INFO STREQUAL "none")
    set(debug_file "")
  endif()
  # Made along with others it is the same, byte for byte, as made by its own preset.
  set(preset "${TSB_PRESET}")
  if(artifact STREQUAL "conda-libtorch")
    set(preset "${TSB_BACKEND}-all") # that of any Python makes it, and all of them the same
  elseif(preset STREQUAL "${TSB_BACKEND}-all")
    string(REPLACE "-with-deps" "" preset "${TSB_BACKEND}-${artifact}")
  endif()
  set(json "{}")
  foreach(
    member IN ITEMS artifact product package linkage deps style version file debug_file soname_version python_tag
                    preset
  )
    z_tsb_json_set_string(json ${member} "${${member}}")
  endforeach()
  z_tsb_json_set_string(json release_folder "${TSB_RELEASE_FOLDER}")
  z_tsb_json_set_string(json backend "${TSB_BACKEND}")
  string(JSON json SET "${json}" target "${TSB_TARGET}")
  z_tsb_json_set_string(json cuda_version "${TSB_CUDA_VERSION}")
  z_tsb_json_set_string(json cuda_archs "${TSB_CUDA_ARCHS}")
  z_tsb_json_set_string(json cuda_cmake_archs "${TSB_CUDA_ARCHS_CMAKE}")
  z_tsb_json_set_string(json cuda_compression "${TSB_CUDA_COMPRESSION}")
  z_tsb_json_set_string(json dist "${TSB_DIST}")
  z_tsb_json_set_string(json build_folder "${CMAKE_BINARY_DIR}")
  z_tsb_json_set_string(json consumer "${TSB_CONSUMER_DIR}")
  z_tsb_json_set_string(json compiler_id "${CMAKE_CXX_COMPILER_ID}")
  z_tsb_json_set_string(json compiler_version "${CMAKE_CXX_COMPILER_VERSION}")
  z_tsb_json_set_string(json compiler "${CMAKE_CXX_COMPILER}")
  z_tsb_json_set_string(json objcopy "${CMAKE_OBJCOPY}")
  z_tsb_write_file("${CMAKE_BINARY_DIR}/artifacts/${artifact}.json" "${json}\n")
endfunction()
