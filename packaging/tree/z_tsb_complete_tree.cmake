# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/../../cmake/detail/tsb_progress.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_libtorch_cmake_package.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_libtorch_licenses.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_libtorch_manifest.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_libtorch_sbom.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_sleef_header.cmake")

# z_tsb_complete_tree(<stage> <root of the tree> [<file>]): adds to a tree that has its libraries and PyTorch's headers
# what else belongs in a libtorch: sleef.h, the CMake package, licences, the manifest and the bills of materials.
# <file>: what is packed of it, where the artifact itself does not say.
function(z_tsb_complete_tree stage root)
  set(bundle "${stage}/bundle.json")
  set(owners "${stage}/owners.json")
  z_tsb_sleef_header("${root}/include")
  z_tsb_libtorch_cmake_package("${artifact_build_folder}/packages/pytorch/install" "${root}" "${bundle}")
  z_tsb_libtorch_licenses("${root}" "${bundle}" "${owners}")
  z_tsb_libtorch_manifest("${root}" "${bundle}")
  tsb_progress("writing the bills of materials")
  z_tsb_libtorch_sbom("${ARGN}" "${root}" "${bundle}" "${owners}")
  file(WRITE "${root}/build-version" "${artifact_version}\n")
endfunction()
