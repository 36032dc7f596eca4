# SPDX-License-Identifier: BSD-3-Clause
# Checks a staged tree before it is packed: the checks of `torchpkg check` that need no zip.
#
#   sh run_script.sh cmake -D TSB_ARTIFACT=<artifacts/x.json> -P check_stage.cmake
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_check_package.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_staged_trees.cmake")
include("${z_tsb_cmake}/lock/tsb_lock.cmake")

function(z_tsb_check_stage)
  file(READ "${TSB_ARTIFACT}" artifact)
  z_tsb_json_take(artifact build_folder name)
  tsb_lock(DIRECTORY "${build_folder}")
  set(stage "${build_folder}/stage/${name}")
  if(NOT EXISTS "${stage}/inputs.json")
    tsb_fail("${name} is not staged" "build first: cmake --build \"${build_folder}\"")
  endif()
  file(SHA256 "${stage}/inputs.json" hash)
  z_tsb_checker_hash(checker "${artifact}")
  string(APPEND hash " ${checker}")
  if(EXISTS "${stage}/checked.txt")
    file(READ "${stage}/checked.txt" checked)
    if(checked STREQUAL hash)
      message(STATUS "${name}: the staged tree was checked already")
      return()
    endif()
  endif()
  z_tsb_staged_trees(tree debug "${artifact}")
  z_tsb_check_package("${artifact}" "${tree}" "${debug}" "${stage}/check")
  z_tsb_write_file("${stage}/checked.txt" "${hash}")
endfunction()

z_tsb_check_stage()
