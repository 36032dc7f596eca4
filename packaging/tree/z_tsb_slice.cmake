# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/detail/tsb_progress.cmake)

# z_tsb_slice(<folder>): of an artifact for certain GPUs (TSB_CUDA_SLICES) the libraries below the folder keep the
# device code of these alone. Called while only PyTorch's own are there: NVIDIA's may be passed on unchanged only.
function(z_tsb_slice folder)
  if(NOT artifact_slice_archs)
    return()
  endif()
  tsb_progress("cutting the device code")
  tsb_read_record("${artifact_build_folder}/settings.json" settings)
  list(TRANSFORM artifact_slice_archs PREPEND "--arch;" OUTPUT_VARIABLE archs)
  execute_process(COMMAND "${settings_torchpkg}" slice ${archs} "${folder}" RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    tsb_fail("cannot cut the device code in ${folder}" "see the message above")
  endif()
endfunction()
