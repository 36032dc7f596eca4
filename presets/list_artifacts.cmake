# SPDX-License-Identifier: BSD-3-Clause
# Prints what generate_presets.py makes presets of, as JSON: for each release that is ready, the newest first, with
# each of its backends {"release": "2.6.0", "backend": {...}, "artifacts": [...]}; see tsb_list_backends and
# packaging/artifacts.json.
cmake_minimum_required(VERSION 3.25)
set(cmake ${CMAKE_CURRENT_LIST_DIR}/../cmake)
include(${cmake}/artifact/z_tsb_list_artifacts.cmake)
include(${cmake}/backend/tsb_list_backends.cmake)
include(${cmake}/data/tsb_list_data.cmake)
include(${cmake}/release/tsb_read_release.cmake)

set(entries "")
tsb_list_data(versions releases)
foreach(version IN LISTS versions)
  tsb_read_release(release ${version})
  z_tsb_json_get(ready "${release}" ready)
  if(ready STREQUAL "OFF")
    continue()
  endif()
  tsb_list_backends(backends "${release}")
  foreach(backend IN LISTS backends)
    z_tsb_list_artifacts(artifacts "${release}" "${backend}" "")
    list(JOIN artifacts "," artifacts)
    list(APPEND entries "{\"release\": \"${version}\", \"backend\": ${backend}, \"artifacts\": [${artifacts}]}")
  endforeach()
endforeach()
list(JOIN entries "," entries)
execute_process(COMMAND ${CMAKE_COMMAND} -E echo "[${entries}]")
