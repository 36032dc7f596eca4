# SPDX-License-Identifier: BSD-3-Clause
# Phase stage: fills the install tree, collects the licences, writes the package's manifest and keeps all of it in the
# store. The output of each stage script has a log of its own, stage-<script>.log; a line in it that begins with
# "notice: " is for the user.
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_collect_licenses.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/../../../python/tsb_call_python.cmake")

# z_tsb_write_package_manifest(): <package>/manifest.json (package_manifest.py).
function(z_tsb_write_package_manifest)
  tsb_read_record("${TSB_PACKAGE_DIR}/sources.json" sources)
  z_tsb_package_fingerprint(fingerprint "${TSB_PACKAGE_DIR}")
  z_tsb_package_features(features)
  set(options "")
  foreach(feature IN LISTS package_features)
    if(features_${feature})
      list(APPEND options --on ${feature})
    else()
      string(REPLACE ";" "\\;" reason "${features_${feature}_reason}")
      list(APPEND options --off ${feature} "${reason}")
      if(features_${feature}_remedy)
        list(APPEND options --remedy ${feature} "${features_${feature}_remedy}")
      endif()
    endif()
  endforeach()
  tsb_call_python(
    "${package_build_folder}" model.package_manifest --package "${TSB_PACKAGE_DIR}" --fingerprint ${fingerprint}
    ${options}
  )
endfunction()

function(z_tsb_phase_stage)
  file(REMOVE_RECURSE "${TSB_PACKAGE_DIR}/install")
  if(package_build_system STREQUAL "cmake" AND NOT package_no_install)
    z_tsb_run(stage COMMAND "${CMAKE_COMMAND}" --install "${TSB_PACKAGE_DIR}/build")
  endif()
  z_tsb_expand(python "@PYTHON@")
  foreach(script IN LISTS package_stage_scripts)
    get_filename_component(name "${script}" NAME_WE)
    z_tsb_run(
      stage
      LOG "stage-${name}"
      COMMAND
        "${CMAKE_COMMAND}" "-DTSB_SOURCE_DIR=${TSB_PACKAGE_DIR}/source" "-DTSB_BUILD_DIR=${TSB_PACKAGE_DIR}/build"
        "-DTSB_INSTALL_DIR=${TSB_PACKAGE_DIR}/install" "-DTSB_PYTHON=${python}"
        "-DTSB_MACHINE=${TSB_PACKAGE_DIR}/machine.json" "-DTSB_PROJECT_DIR=${Z_TSB_PROJECT}" -P "${script}"
    )
    file(STRINGS "${TSB_PACKAGE_DIR}/log/stage-${name}.log" notices REGEX "^notice: ")
    foreach(notice IN LISTS notices)
      string(REGEX REPLACE "^notice: " "" notice "${notice}")
      message(NOTICE "${package_name}: ${notice}")
    endforeach()
  endforeach()
  z_tsb_touch_tree("${TSB_PACKAGE_DIR}/install")
  z_tsb_collect_licenses(STAGED)
  z_tsb_write_package_manifest()
  if(NOT package_machine)
    z_tsb_store_save()
  endif()
endfunction()
