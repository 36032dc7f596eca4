# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../cmake/package/z_tsb_package_closure.cmake)

# z_tsb_artifact_packages(<out-var> <artifact json>): the packages of which something is in the artifact.
function(z_tsb_artifact_packages out artifact)
  z_tsb_json_get(build_folder "${artifact}" build_folder)
  z_tsb_json_get(main "${artifact}" package)
  set(packages "")
  z_tsb_package_closure(closure "${build_folder}/packages" ${main})
  foreach(name IN LISTS closure)
    file(READ "${build_folder}/packages/${name}/package.json" package)
    z_tsb_json_get(build_only "${package}" build_only)
    if(NOT build_only)
      list(APPEND packages ${name})
    endif()
  endforeach()
  set(${out} "${packages}" PARENT_SCOPE)
endfunction()
