# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_stage_shared_libraries.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_stage_static_libraries.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_sleef_header.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_libtorch_cmake_package.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_libtorch_licenses.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_libtorch_manifest.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_libtorch_sbom.cmake")

# z_tsb_stage_libtorch_tree(<artifact json> <stage> <file>): <stage>/libtorch, and <stage>/debug/libtorch with the debug
# information of its shared libraries. <file>: what is packed of it, where the artifact itself does not say.
#
# What a C++ user needs and nothing else: headers, libraries, a relocatable CMake package, licences, the manifest.
# libtorch_python.so and the archives of PyTorch's third-party tree do not belong in it.
function(z_tsb_stage_libtorch_tree artifact stage file)
  z_tsb_json_take(artifact build_folder version linkage)
  set(install "${build_folder}/packages/pytorch/install")
  set(root "${stage}/libtorch")
  if(linkage STREQUAL "static")
    z_tsb_stage_static_libraries("${artifact}" "${install}" "${root}" "${stage}/bundle.json")
  else()
    z_tsb_stage_shared_libraries("${artifact}" "${install}" "${root}" "${stage}/bundle.json" "${stage}/debug/libtorch")
  endif()
  tsb_progress("copying headers and licences")
  file(COPY "${install}/include" DESTINATION "${root}")
  z_tsb_sleef_header("${artifact}" "${root}/include")
  z_tsb_libtorch_cmake_package("${artifact}" "${install}" "${root}" "${stage}/bundle.json")
  z_tsb_libtorch_licenses("${artifact}" "${root}" "${stage}/bundle.json" "${stage}/owners.json")
  z_tsb_libtorch_manifest("${artifact}" "${root}" "${stage}/bundle.json")
  tsb_progress("writing the bills of materials")
  z_tsb_libtorch_sbom("${artifact}" "${file}" "${root}" "${stage}/bundle.json" "${stage}/owners.json")
  file(WRITE "${root}/build-version" "${version}\n")
endfunction()
