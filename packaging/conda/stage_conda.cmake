# SPDX-License-Identifier: BSD-3-Clause
# Stages a conda package: stage/<artifact>/prefix, what is to lie in a prefix, with info/.
#
#   sh run_script.sh cmake -D TSB_ARTIFACT=<artifacts/x.json> -P stage_conda.cmake
#
# Two packages, as conda-forge has them: libtorch for C++, and pytorch for each Python, which needs exactly that libtorch.
# First a tree as that of a zip or a wheel is staged, with the same libraries byte for byte, and that is what is checked;
# then it is laid out as a prefix, by hard links.
cmake_minimum_required(VERSION 3.25)
set(z_tsb_cmake "${CMAKE_CURRENT_LIST_DIR}/../../cmake")
include("${z_tsb_cmake}/detail/tsb_fail.cmake")
include("${z_tsb_cmake}/detail/z_tsb_json.cmake")
include("${z_tsb_cmake}/detail/z_tsb_write_file.cmake")
include("${z_tsb_cmake}/lock/tsb_lock.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/../libtorch/z_tsb_stage_inputs.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_conda_libtorch.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_conda_pytorch.cmake")

function(z_tsb_stage_conda)
  file(READ "${TSB_ARTIFACT}" artifact)
  z_tsb_json_get(build_folder "${artifact}" build_folder)
  z_tsb_json_get(name "${artifact}" artifact)
  z_tsb_json_get(python "${artifact}" python_tag)
  tsb_lock(DIRECTORY "${build_folder}")
  set(stage "${build_folder}/stage/${name}")
  z_tsb_begin_stage(inputs "${artifact}")
  if(inputs STREQUAL "")
    return()
  endif()
  file(MAKE_DIRECTORY "${stage}")
  if(python)
    z_tsb_conda_pytorch("${artifact}" "${stage}")
  else()
    z_tsb_conda_libtorch("${artifact}" "${stage}")
  endif()
  z_tsb_write_file("${stage}/inputs.json" "${inputs}")
endfunction()

z_tsb_stage_conda()
