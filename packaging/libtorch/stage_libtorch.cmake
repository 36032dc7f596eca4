# SPDX-License-Identifier: BSD-3-Clause
# Stages the tree of a libtorch zip: stage/<artifact>/libtorch, from the packages' install trees; and beside it that of
# the debug zip, stage/<artifact>/debug/libtorch, which is unpacked over the same folder.
#
#   sh run_script.sh cmake -D TSB_ARTIFACT=<artifacts/x.json> -P stage_libtorch.cmake
#
# What a C++ user needs and nothing else: headers, libraries, a relocatable CMake package, licences, the manifest.
# libtorch_python.so and the archives of PyTorch's third-party tree do not belong in it.
cmake_minimum_required(VERSION 3.25)
set(z_tsb_cmake "${CMAKE_CURRENT_LIST_DIR}/../../cmake")
include("${z_tsb_cmake}/detail/tsb_fail.cmake")
include("${z_tsb_cmake}/detail/z_tsb_json.cmake")
include("${z_tsb_cmake}/detail/z_tsb_write_file.cmake")
include("${z_tsb_cmake}/lock/tsb_lock.cmake")
include("${z_tsb_cmake}/package/z_tsb_phase_inputs.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_stage_inputs.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_stage_shared_libraries.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_stage_static_libraries.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_sleef_header.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_libtorch_cmake_package.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_libtorch_licenses.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_libtorch_manifest.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_libtorch_sbom.cmake")

function(z_tsb_stage_libtorch)
  file(READ "${TSB_ARTIFACT}" artifact)
  z_tsb_json_get(build_folder "${artifact}" build_folder)
  z_tsb_json_get(name "${artifact}" artifact)
  z_tsb_json_get(version "${artifact}" version)
  z_tsb_json_get(linkage "${artifact}" linkage)
  tsb_lock(DIRECTORY "${build_folder}")

  set(stage "${build_folder}/stage/${name}")
  z_tsb_begin_stage(inputs "${artifact}")
  if(inputs STREQUAL "")
    return()
  endif()
  set(install "${build_folder}/packages/pytorch/install")
  set(root "${stage}/libtorch")
  if(linkage STREQUAL "static")
    z_tsb_stage_static_libraries("${artifact}" "${install}" "${root}" "${stage}/bundle.json")
  else()
    z_tsb_stage_shared_libraries("${artifact}" "${install}" "${root}" "${stage}/bundle.json" "${stage}/debug/libtorch")
  endif()
  file(COPY "${install}/include" DESTINATION "${root}")
  z_tsb_sleef_header("${artifact}" "${root}/include")
  z_tsb_libtorch_cmake_package("${artifact}" "${install}" "${root}" "${stage}/bundle.json")
  z_tsb_libtorch_licenses("${root}" "${stage}/bundle.json" "${stage}/owners.json")
  z_tsb_libtorch_manifest("${artifact}" "${root}" "${stage}/bundle.json")
  z_tsb_libtorch_sbom("${artifact}" "${TSB_ARTIFACT}" "${root}" "${stage}/owners.json")
  file(WRITE "${root}/build-version" "${version}\n")
  z_tsb_write_file("${stage}/inputs.json" "${inputs}")
endfunction()

z_tsb_stage_libtorch()
