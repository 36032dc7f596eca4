# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/backend/tsb_ask_backend.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/detail/z_tsb_json.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/detail/z_tsb_write_file.cmake)

# z_tsb_describe_artifact(<artifact json>): adds what is known of the machine by now and writes artifacts/<name>.json,
# which the scripts of the product read. All of it decides what is in the artifact.
function(z_tsb_describe_artifact artifact)
  z_tsb_json_take(artifact name product linkage)
  z_tsb_json_get(prebuilt "${TSB_BACKEND_FACTS}" prebuilt)
  if(TSB_DEBUG_INFO STREQUAL "none" OR prebuilt)
    z_tsb_json_set_string(artifact debug_file "")
  endif()
  # On request, for a system that has two releases side by side; a release is compatible with its own patches only.
  if(product STREQUAL "libtorch" AND linkage STREQUAL "shared" AND "$ENV{TSB_SONAME_VERSION}")
    string(REGEX MATCH "^[0-9]+\\.[0-9]+" soname_version "${TSB_SOURCE_VERSION}")
    z_tsb_json_set_string(artifact soname_version "${soname_version}")
  endif()
  string(JSON artifact SET "${artifact}" target "${TSB_TARGET}")
  set(backend "${TSB_BACKEND_FACTS}") # with what the doctor has found
  z_tsb_json_get_list(slice "${artifact}" slice archs)
  if(slice)
    tsb_ask_backend(configured "${backend}" slice ${slice})
    string(JSON backend SET "${backend}" configured "${configured}")
  endif()
  string(JSON artifact SET "${artifact}" backend "${backend}")
  z_tsb_json_set_string(artifact build_folder "${CMAKE_BINARY_DIR}")
  z_tsb_json_set_string(artifact compiler "${CMAKE_CXX_COMPILER}")
  z_tsb_json_set_string(artifact objcopy "${CMAKE_OBJCOPY}")
  z_tsb_write_file("${CMAKE_BINARY_DIR}/artifacts/${name}.json" "${artifact}\n")
endfunction()
