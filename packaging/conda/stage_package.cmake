# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/../../cmake/python/tsb_call_python.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/../tree/z_tsb_bill_files.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/metadata.cmake")

# z_tsb_stage_conda_package(<stage>): <stage>/prefix, the headers and libraries that a package of the superbuild
# installs, such as MAGMA for whoever compiles PyTorch in a conda environment. Archives have no debug information.
function(z_tsb_stage_conda_package stage)
  set(prefix "${stage}/prefix")
  set(name "${artifact_conda_package}")
  set(about "${prefix}/share/${name}")
  set(install "${artifact_build_folder}/packages/${artifact_package}/install")
  file(COPY "${install}/include" "${install}/lib" DESTINATION "${prefix}")
  file(GLOB archives "${prefix}/lib/*.a")
  foreach(archive IN LISTS archives)
    execute_process(COMMAND "${artifact_objcopy}" --strip-debug "${archive}" COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
  z_tsb_conda_build_string(build "")
  set(artifact "${artifact_build_folder}/artifacts/${artifact_name}.json")
  set(inside "${stage}/inside.json")
  tsb_call_python("${artifact_build_folder}" conda/describe_package.py "${artifact}" "${about}" "${inside}")
  tsb_read_record("${about}/manifest.json" manifest)
  set(file "${name}-${manifest_version}-${build}.conda")
  tsb_call_python(
    "${artifact_build_folder}" sbom.make_sbom --artifact "${artifact}" --root "${about}" --inside "${inside}"
    "--file=${file}"
  )
  file(MAKE_DIRECTORY "${prefix}/info")
  file(RENAME "${about}/share/licenses" "${prefix}/info/licenses")
  file(REMOVE_RECURSE "${about}/share")
  z_tsb_conda_metadata(
    "${prefix}/info" --tree "${prefix}" --name ${name} --version ${manifest_version} --build "${build}" --summary
    "${artifact_title}"
  )
  z_tsb_bill_files("${prefix}" "${about}/sbom")
endfunction()
