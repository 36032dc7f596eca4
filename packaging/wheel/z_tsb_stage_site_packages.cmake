# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
set(z_tsb_libtorch "${CMAKE_CURRENT_LIST_DIR}/../libtorch")
include("${z_tsb_libtorch}/z_tsb_stage_shared_libraries.cmake")
include("${z_tsb_libtorch}/z_tsb_sleef_header.cmake")
include("${z_tsb_libtorch}/z_tsb_libtorch_cmake_package.cmake")
include("${z_tsb_libtorch}/z_tsb_libtorch_licenses.cmake")
include("${z_tsb_libtorch}/z_tsb_libtorch_manifest.cmake")
include("${z_tsb_libtorch}/z_tsb_libtorch_sbom.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_check_metadata.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_mend_modules.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_wheel_metadata.cmake")

# Libraries and extension modules. The libraries of libtorch are treated exactly as for a zip, and so have the same bytes.
function(z_tsb_stage_wheel_binaries artifact libtorch layer stage)
  set(site_packages "${stage}/site-packages")
  z_tsb_json_take(artifact debug_file)
  z_tsb_libtorch_shared_libraries(libraries "${libtorch}")
  file(GLOB own "${layer}/torch/lib/*.so")
  set(debug_of_lib "")
  set(debug_of_bin "")
  if(debug_file)
    set(debug_of_lib "${stage}/debug/torch/lib/.debug")
    set(debug_of_bin "${stage}/debug/torch/bin/.debug")
  endif()
  z_tsb_place_libraries("${artifact}" "${site_packages}/torch/lib" "${debug_of_lib}" ${libraries} ${own})
  z_tsb_place_libraries(
    "${artifact}" "${site_packages}/torch/bin" "${debug_of_bin}" "${layer}/torch/bin/torch_shm_manager"
  )
  # What setuptools compiles is a few lines each, and has no build ID to be found by.
  foreach(folder IN ITEMS torch functorch)
    file(GLOB modules "${layer}/${folder}/_C*.so")
    z_tsb_place_libraries("${artifact}" "${site_packages}/${folder}" "" ${modules})
  endforeach()
  z_tsb_bundle("${artifact}" "${site_packages}" "${stage}/bundle.json" --lib torch/lib)
endfunction()

# z_tsb_stage_site_packages(<artifact json> <stage> <file>): <stage>/site-packages, what pip would install, from the install trees of
# PyTorch and of its Python layer; and <stage>/debug, the debug information that belongs beside it. <file>: see
# z_tsb_stage_libtorch_tree.
#
# torch/ is a libtorch as the zip has it, so that C++ programs can use it: libraries, headers, a CMake package, the manifest.
# The headers are those that PyTorch's setup.py chooses, without the ones of other back ends.
function(z_tsb_stage_site_packages artifact stage file)
  z_tsb_json_take(artifact build_folder version package python)
  set(libtorch "${build_folder}/packages/pytorch/install")
  set(layer "${build_folder}/packages/${package}/install/site-packages")
  set(site_packages "${stage}/site-packages")
  set(root "${site_packages}/torch")
  file(COPY "${layer}/" DESTINATION "${site_packages}")
  z_tsb_mend_modules("${site_packages}" "${python}")
  z_tsb_sleef_header("${artifact}" "${root}/include")
  z_tsb_stage_wheel_binaries("${artifact}" "${libtorch}" "${layer}" "${stage}")
  z_tsb_libtorch_cmake_package("${artifact}" "${libtorch}" "${root}" "${stage}/bundle.json")
  z_tsb_libtorch_licenses("${artifact}" "${root}" "${stage}/bundle.json" "${stage}/owners.json")
  z_tsb_libtorch_manifest("${artifact}" "${root}" "${stage}/bundle.json")
  z_tsb_libtorch_sbom("${artifact}" "${file}" "${root}" "${stage}/bundle.json" "${stage}/owners.json")
  z_tsb_wheel_metadata(dist_info "${artifact}" "${site_packages}")
  z_tsb_check_metadata("${artifact}" "${dist_info}")
  file(WRITE "${root}/build-version" "${version}\n")
endfunction()
