# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../z_tsb_artifact_packages.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/z_tsb_system_package.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../cuda/z_tsb_cuda_manifest.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/z_tsb_libtorch_licenses.cmake)

# z_tsb_runtime_versions(<out-var> <compiler>): the newest symbol versions that this machine's C and C++ libraries
# offer, which is what an artifact built here may at most need: {"glibc": ..., "glibcxx": ..., "cxxabi": ...}.
function(z_tsb_runtime_versions out compiler)
  set(platform "{}")
  foreach(pair IN ITEMS "glibc;libc.so.6;GLIBC" "glibcxx;libstdc++.so.6;GLIBCXX" "cxxabi;libstdc++.so.6;CXXABI")
    list(GET pair 0 member)
    list(GET pair 1 library)
    list(GET pair 2 tag)
    execute_process(
      COMMAND "${compiler}" "-print-file-name=${library}"
      OUTPUT_VARIABLE path
      OUTPUT_STRIP_TRAILING_WHITESPACE
    )
    file(STRINGS "${path}" versions REGEX "^${tag}_[0-9.]+$")
    list(TRANSFORM versions REPLACE "^${tag}_" "")
    list(SORT versions COMPARE NATURAL ORDER DESCENDING)
    if(NOT versions)
      tsb_fail("cannot read which ${tag} versions ${path} offers")
    endif()
    list(GET versions 0 newest)
    z_tsb_json_set_string(platform ${member} "${newest}")
  endforeach()
  set(${out} "${platform}" PARENT_SCOPE)
endfunction()

# z_tsb_host_libraries(<out-var> <artifact json> <bundle report>): the libraries that the host must have, each with the package
# of this machine, or of the superbuild, that it was built against; empty for an artifact with deps.
function(z_tsb_host_libraries out artifact bundle)
  z_tsb_cuda_versions(versions "${artifact}")
  string(JSON libraries GET "${bundle}" host_libraries)
  z_tsb_json_get_each(names "${bundle}" host_libraries name)
  set(index 0)
  foreach(name IN LISTS names)
    z_tsb_cuda_owner(owner "${artifact}" "${name}")
    if(owner)
      z_tsb_cuda_library_version(owner_version "${versions}" ${owner} "${name}")
    else()
      z_tsb_system_package(owner "${name}") # of a library that no package owns nothing is known
    endif()
    set(against "{}")
    z_tsb_json_set_string(against package "${owner}")
    z_tsb_json_set_string(against version "${owner_version}")
    string(JSON libraries SET "${libraries}" ${index} built_against "${against}")
    math(EXPR index "${index} + 1")
  endforeach()
  set(${out} "${libraries}" PARENT_SCOPE)
endfunction()

# z_tsb_libtorch_manifest(<artifact json> <root of the staged tree> <bundle report>): writes manifest.json and build-hash.
function(z_tsb_libtorch_manifest artifact root report)
  z_tsb_json_get(build_folder "${artifact}" build_folder)
  set(manifest "{\"schema\": 1, \"cxx11_abi\": true, \"compiler\": {}}")
  z_tsb_json_set_string(manifest name "libtorch")
  foreach(
    member
    IN
    ITEMS version backend product linkage deps preset
  )
    z_tsb_json_get(value "${artifact}" ${member})
    z_tsb_json_set_string(manifest ${member} "${value}")
  endforeach()
  z_tsb_json_get(debug_file "${artifact}" debug_file)
  z_tsb_json_set_string(manifest debug_package "${debug_file}") # none: empty
  foreach(member IN ITEMS id version)
    z_tsb_json_get(value "${artifact}" compiler_${member})
    z_tsb_json_quote(quoted "${value}")
    string(JSON manifest SET "${manifest}" compiler ${member} "${quoted}")
  endforeach()
  z_tsb_json_get(compiler "${artifact}" compiler)
  z_tsb_runtime_versions(platform "${compiler}")
  string(JSON manifest SET "${manifest}" platform "${platform}")

  set(list "[]")
  z_tsb_artifact_packages(packages "${artifact}" "${report}")
  foreach(package IN LISTS packages)
    # What is only a view of this machine's files was not built: no pin knows it. Its versions are in the member cuda.
    z_tsb_cuda_machine(machine "${artifact}" ${package})
    if(NOT machine STREQUAL "{}")
      continue()
    endif()
    file(READ "${build_folder}/packages/${package}/manifest.json" entry)
    if(package STREQUAL "pytorch")
      z_tsb_json_get(commit "${entry}" commit)
      string(JSON features GET "${entry}" features)
      string(JSON manifest SET "${manifest}" features "${features}")
      z_tsb_json_set_string(manifest git_version "${commit}")
    endif()
    string(JSON length LENGTH "${list}")
    string(JSON list SET "${list}" ${length} "${entry}")
  endforeach()
  string(JSON manifest SET "${manifest}" packages "${list}")
  file(READ "${report}" bundle)
  string(JSON copied GET "${bundle}" bundled)
  string(JSON manifest SET "${manifest}" bundled "${copied}")
  z_tsb_host_libraries(wanted "${artifact}" "${bundle}")
  string(JSON manifest SET "${manifest}" host_libraries "${wanted}")
  z_tsb_cuda_manifest(manifest "${artifact}")
  z_tsb_write_file("${root}/manifest.json" "${manifest}\n")
  file(WRITE "${root}/build-hash" "${commit}\n")
endfunction()
