# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/../libtorch/stage.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/metadata.cmake")

# z_tsb_stage_conda_libtorch(<stage>): <stage>/libtorch, as in a zip without deps, and <stage>/prefix made of it.
#
# Only PyTorch's own headers get into include/: those of other projects that it ships (fmt, oneDNN, XNNPACK, ...) would
# overwrite the files of their own conda packages. They are in the package pytorch, below torch/include.
function(z_tsb_stage_conda_libtorch stage)
  set(tree "${stage}/libtorch")
  set(prefix "${stage}/prefix")
  z_tsb_conda_build_string(build "")
  z_tsb_stage_libtorch("${stage}" "libtorch-${artifact_conda_version}-${build}.conda")

  z_tsb_hard_link_tree("${tree}/lib" "${prefix}/lib")
  z_tsb_hard_link_tree("${tree}/share/cmake" "${prefix}/share/cmake")
  foreach(folder IN ITEMS ATen c10 caffe2 torch)
    if(EXISTS "${tree}/include/${folder}")
      z_tsb_hard_link_tree("${tree}/include/${folder}" "${prefix}/include/${folder}")
    endif()
  endforeach()
  z_tsb_hard_link_tree("${tree}/share/licenses" "${prefix}/info/licenses")
  file(
    COPY "${tree}/manifest.json" "${tree}/build-version" "${tree}/build-hash" "${tree}/sbom.spdx.json"
         "${tree}/sbom.cdx.json" DESTINATION "${prefix}/share/libtorch"
  )
  # conda-forge's way: what is compiled against a release works with its patches only.
  string(REGEX MATCH "^[0-9]+\\.[0-9]+" series "${artifact_release_version}")
  z_tsb_conda_metadata(
    "${prefix}/info" --tree "${tree}" --name libtorch --build "${build}" --summary
    "PyTorch for C++: libraries, headers, CMake package" --run-exports "libtorch ${series}.*"
  )
  z_tsb_bill_files("${prefix}" "${prefix}/share/libtorch/sbom")
endfunction()
