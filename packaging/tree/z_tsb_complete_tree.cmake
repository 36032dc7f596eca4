# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/../../cmake/detail/tsb_progress.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/../../cmake/python/tsb_call_python.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_libtorch_cmake_package.cmake")

# z_tsb_complete_tree(<stage> <root of the tree> [<file>]): adds to a tree that has its libraries and headers what else
# belongs in a libtorch: the CMake package, licences, the manifest and the bills of materials. <file>: what is packed of
# it, where the artifact itself does not say.
function(z_tsb_complete_tree stage root)
  set(artifact "${artifact_build_folder}/artifacts/${artifact_name}.json")
  z_tsb_libtorch_cmake_package("${artifact_build_folder}/packages/pytorch/install" "${root}" "${stage}/bundle.json")
  set(about --artifact "${artifact}" --root "${root}" --inside "${stage}/inside.json")
  tsb_call_python(
    "${artifact_build_folder}" tree/describe_tree.py "${artifact}" "${root}" "${stage}/bundle.json"
    "${stage}/inside.json"
  )
  tsb_progress("writing the bills of materials")
  tsb_call_python("${artifact_build_folder}" sbom.make_sbom ${about} "--file=${ARGN}")
endfunction()
