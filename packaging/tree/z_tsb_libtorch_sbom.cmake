# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/data/tsb_find_data.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../sbom/z_tsb_licence_gate.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/z_tsb_artifact_packages.cmake)

# z_tsb_libtorch_sbom(<file or nothing> <root of the staged tree> <bundle report> <owners of the bundled
# libraries>)
#
# share/licenses/<component>/ for everything that is in the libraries or the headers, sbom.spdx.json and sbom.cdx.json.
# Needs manifest.json in the tree. What no component declares, or has no licence, is an error.
function(z_tsb_libtorch_sbom file root report owners)
  z_tsb_artifact_packages(packages "${report}")
  string(REPLACE ";" "," packages "${packages}")
  set(libraries "")
  tsb_find_data(file_of_libraries "backends/${artifact_backend_kind}/libraries.json")
  if(file_of_libraries)
    set(libraries --libraries "${file_of_libraries}")
  endif()
  z_tsb_licence_gate(
    "${artifact_build_folder}" make_sbom.py --artifact "${artifact_build_folder}/artifacts/${artifact_name}.json"
    "--file=${file}" --root "${root}" --packages "${packages}" --owners "${owners}" ${libraries}
  )
endfunction()
