# SPDX-License-Identifier: BSD-3-Clause
# Stages an artifact: fills stage/<artifact>, from the packages' install trees, with what is packed, and with the tree of the
# debug zip, stage/<artifact>/debug, which is unpacked over the same folder. Nothing is done when what is there was made
# of the same inputs.
#
#   sh run_script.sh cmake -D TSB_ARTIFACT=<artifacts/x.json> -P stage_artifact.cmake
cmake_minimum_required(VERSION 3.25)
set(z_tsb_cmake "${CMAKE_CURRENT_LIST_DIR}/../cmake")
include("${z_tsb_cmake}/detail/tsb_fail.cmake")
include("${z_tsb_cmake}/detail/tsb_progress.cmake")
include("${z_tsb_cmake}/detail/z_tsb_json.cmake")
include("${z_tsb_cmake}/detail/z_tsb_write_file.cmake")
include("${z_tsb_cmake}/lock/tsb_lock.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_stage_inputs.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/libtorch/z_tsb_stage_libtorch_tree.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/wheel/z_tsb_stage_site_packages.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/conda/z_tsb_stage_conda.cmake")

function(z_tsb_stage_artifact)
  file(READ "${TSB_ARTIFACT}" artifact)
  z_tsb_json_take(artifact build_folder name product)
  tsb_lock(DIRECTORY "${build_folder}")
  set(stage "${build_folder}/stage/${name}")
  tsb_progress("${name} stage")
  z_tsb_stage_inputs(inputs "${artifact}")
  if(EXISTS "${stage}/inputs.json")
    file(READ "${stage}/inputs.json" recorded)
    if(recorded STREQUAL inputs)
      return()
    endif()
  endif()
  message(STATUS "${name} stage")
  file(REMOVE "${stage}/inputs.json") # first: what is left of the rest counts for nothing
  file(REMOVE_RECURSE "${stage}")
  file(MAKE_DIRECTORY "${stage}")
  if(product STREQUAL "libtorch")
    z_tsb_stage_libtorch_tree("${artifact}" "${stage}" "")
  elseif(product STREQUAL "wheel")
    z_tsb_stage_site_packages("${artifact}" "${stage}" "")
  else()
    z_tsb_stage_conda("${artifact}" "${stage}")
  endif()
  z_tsb_write_file("${stage}/inputs.json" "${inputs}")
endfunction()

z_tsb_stage_artifact()
