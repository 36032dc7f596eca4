# SPDX-License-Identifier: BSD-3-Clause
# Stages what a wheel holds: stage/<artifact>/site-packages; and beside it the tree of the debug zip, stage/<artifact>/debug,
# which is unpacked into site-packages.
#
#   sh run_script.sh cmake -D TSB_ARTIFACT=<artifacts/x.json> -P stage_wheel.cmake
cmake_minimum_required(VERSION 3.25)
set(z_tsb_cmake "${CMAKE_CURRENT_LIST_DIR}/../../cmake")
include("${z_tsb_cmake}/detail/tsb_fail.cmake")
include("${z_tsb_cmake}/detail/z_tsb_json.cmake")
include("${z_tsb_cmake}/detail/z_tsb_write_file.cmake")
include("${z_tsb_cmake}/lock/tsb_lock.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/../libtorch/z_tsb_stage_inputs.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_stage_site_packages.cmake")

function(z_tsb_stage_wheel)
  file(READ "${TSB_ARTIFACT}" artifact)
  z_tsb_json_get(build_folder "${artifact}" build_folder)
  z_tsb_json_get(name "${artifact}" artifact)
  tsb_lock(DIRECTORY "${build_folder}")
  set(stage "${build_folder}/stage/${name}")
  z_tsb_begin_stage(inputs "${artifact}")
  if(inputs STREQUAL "")
    return()
  endif()
  z_tsb_stage_site_packages("${artifact}" "${TSB_ARTIFACT}" "${stage}")
  z_tsb_write_file("${stage}/inputs.json" "${inputs}")
endfunction()

z_tsb_stage_wheel()
