# SPDX-License-Identifier: BSD-3-Clause
# Stages the tree of a libtorch zip: stage/<artifact>/libtorch, from the packages' install trees; and beside it that of
# the debug zip, stage/<artifact>/debug/libtorch, which is unpacked over the same folder.
#
#   sh run_script.sh cmake -D TSB_ARTIFACT=<artifacts/x.json> -P stage_libtorch.cmake
cmake_minimum_required(VERSION 3.25)
set(z_tsb_cmake "${CMAKE_CURRENT_LIST_DIR}/../../cmake")
include("${z_tsb_cmake}/detail/tsb_fail.cmake")
include("${z_tsb_cmake}/detail/z_tsb_json.cmake")
include("${z_tsb_cmake}/detail/z_tsb_write_file.cmake")
include("${z_tsb_cmake}/lock/tsb_lock.cmake")
include("${z_tsb_cmake}/package/z_tsb_phase_inputs.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_stage_inputs.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_stage_libtorch_tree.cmake")

function(z_tsb_stage_libtorch)
  file(READ "${TSB_ARTIFACT}" artifact)
  z_tsb_json_get(build_folder "${artifact}" build_folder)
  z_tsb_json_get(name "${artifact}" artifact)
  tsb_lock(DIRECTORY "${build_folder}")

  set(stage "${build_folder}/stage/${name}")
  z_tsb_begin_stage(inputs "${artifact}")
  if(inputs STREQUAL "")
    return()
  endif()
  z_tsb_stage_libtorch_tree("${artifact}" "${TSB_ARTIFACT}" "${stage}")
  z_tsb_write_file("${stage}/inputs.json" "${inputs}")
endfunction()

z_tsb_stage_libtorch()
