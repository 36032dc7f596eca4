# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/../tree/z_tsb_bill_files.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/../tree/z_tsb_complete_tree.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/../tree/z_tsb_stage_headers.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/../tree/z_tsb_stage_shared_libraries.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/../tree/z_tsb_stage_static_libraries.cmake")

# z_tsb_stage_libtorch(<stage> [<file>]): <stage>/libtorch, and <stage>/debug/libtorch with the debug information of its
# shared libraries. <file>: see z_tsb_complete_tree.
#
# What a C++ user needs and nothing else: headers, libraries, a relocatable CMake package, licences, the manifest.
# libtorch_python.so and the archives of PyTorch's third-party tree do not belong in it.
function(z_tsb_stage_libtorch stage)
  set(install "${artifact_build_folder}/packages/pytorch/install")
  set(root "${stage}/libtorch")
  if(artifact_linkage STREQUAL "static")
    z_tsb_stage_static_libraries("${install}" "${root}" "${stage}/bundle.json")
  else()
    z_tsb_stage_shared_libraries("${install}" "${root}" "${stage}/bundle.json" "${stage}/debug/libtorch")
  endif()
  tsb_progress("copying headers and licences")
  z_tsb_stage_headers("${install}" "${root}")
  z_tsb_complete_tree("${stage}" "${root}" ${ARGN})
  z_tsb_bill_files("${root}" "${root}/sbom")
endfunction()
