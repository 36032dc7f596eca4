# SPDX-License-Identifier: BSD-3-Clause
# Phase patch: unpacks the sources, completes the tree and applies the patches. The tree is made anew each time,
# beside, and takes its place when it is whole.

function(z_tsb_unpack source_json destination)
  execute_process(
    COMMAND
      sh "${z_tsb_cmake}/sources/run_script.sh" "${CMAKE_COMMAND}" "-DTSB_SOURCE=${source_json}"
      "-DTSB_DESTINATION=${destination}" -P "${z_tsb_cmake}/sources/unpack_source.cmake"
    RESULT_VARIABLE result
  )
  if(NOT result EQUAL 0)
    tsb_fail("cannot unpack into ${destination}")
  endif()
endfunction()

function(z_tsb_phase_patch package)
  file(READ "${TSB_PACKAGE_DIR}/sources.json" sources)
  z_tsb_json_get(main "${package}" source)
  set(tree "${TSB_PACKAGE_DIR}/source.new")
  file(REMOVE_RECURSE "${tree}" "${TSB_PACKAGE_DIR}/source")
  if(main STREQUAL "")
    file(MAKE_DIRECTORY "${tree}")
  else()
    z_tsb_json_get(entry "${sources}" "${main}")
    z_tsb_unpack("${entry}" "${tree}")
  endif()

  z_tsb_json_get(complete "${sources}" "${main}" complete)
  z_tsb_json_get_list(places "${package}" place)
  if(NOT complete)
    foreach(place IN LISTS places)
      string(REGEX MATCH "^([^=]+)=(.*)$" ignored "${place}")
      set(source "${CMAKE_MATCH_1}")
      set(folder "${CMAKE_MATCH_2}")
      z_tsb_json_get(status "${sources}" ${source} status)
      if(NOT status STREQUAL "ok")
        continue()
      endif()
      z_tsb_json_get(entry "${sources}" ${source})
      # An archive of the main source may hold an empty folder or a stray link in the submodule's place.
      if(IS_SYMLINK "${tree}/${folder}")
        file(REMOVE "${tree}/${folder}")
      else()
        file(REMOVE_RECURSE "${tree}/${folder}")
      endif()
      z_tsb_unpack("${entry}" "${tree}/${folder}")
    endforeach()
  endif()

  z_tsb_json_get(patches "${package}" patches)
  execute_process(
    COMMAND
      sh "${z_tsb_cmake}/sources/run_script.sh" "${CMAKE_COMMAND}" "-DTSB_PATCHES=${patches}" "-DTSB_TREE=${tree}"
      "-DTSB_SOURCES_JSON=${TSB_PACKAGE_DIR}/sources.json" -P "${z_tsb_cmake}/sources/apply_patches.cmake"
    RESULT_VARIABLE result
  )
  if(NOT result EQUAL 0)
    z_tsb_json_get(name "${package}" name)
    tsb_fail("package ${name}: the patches do not apply")
  endif()
  file(RENAME "${tree}" "${TSB_PACKAGE_DIR}/source")
endfunction()
