# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../z_tsb_artifact_packages.cmake)

# z_tsb_libtorch_sbom(<artifact json> <file of the artifact json> <root of the staged tree> <bundle report> <owners of the
# bundled libraries>)
#
# share/licenses/<component>/ for everything that is in the libraries or the headers, sbom.spdx.json and sbom.cdx.json.
# Needs manifest.json in the tree. What no component declares, or has no licence, is an error.
function(
  z_tsb_libtorch_sbom
  artifact
  file
  root
  report
  owners
)
  z_tsb_json_get(build_folder "${artifact}" build_folder)
  file(READ "${build_folder}/settings.json" settings)
  z_tsb_json_get(python "${settings}" python)
  z_tsb_artifact_packages(packages "${artifact}" "${report}")
  set(project "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../..")
  get_filename_component(project "${project}" ABSOLUTE)
  execute_process(
    COMMAND
      "${CMAKE_COMMAND}" -E env PYTHONDONTWRITEBYTECODE=1 "${python}" "${project}/packaging/sbom/make_sbom.py"
      --artifact "${file}" --root "${root}" --packages "${packages}" --third-party "${project}/third_party" --owners
      "${owners}"
    OUTPUT_VARIABLE faults
    ERROR_VARIABLE trouble
    RESULT_VARIABLE result
    OUTPUT_STRIP_TRAILING_WHITESPACE
    ERROR_STRIP_TRAILING_WHITESPACE
  )
  if(result EQUAL 0)
    return()
  endif()
  if(faults STREQUAL "")
    tsb_fail("cannot make the bill of materials of ${root}: ${trouble}" "see packaging/sbom/make_sbom.py")
  endif()
  string(REPLACE ";" "," faults "${faults}")
  string(REPLACE "\n" ";" faults "${faults}")
  tsb_fail(${faults})
endfunction()
