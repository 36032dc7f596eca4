# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/detail/tsb_progress.cmake)

# z_tsb_slice(<artifact json> <folder>): of an artifact for certain GPUs (TSB_CUDA_SLICES) the libraries below the
# folder keep the device code of these alone. Called while only PyTorch's own are there: NVIDIA's may be passed on
# unchanged only.
function(z_tsb_slice artifact folder)
  z_tsb_json_get_list(archs "${artifact}" slice archs)
  if(NOT archs)
    return()
  endif()
  tsb_progress("cutting the device code")
  z_tsb_json_take(artifact build_folder)
  file(READ "${build_folder}/settings.json" settings)
  z_tsb_json_take(settings torchpkg)
  list(TRANSFORM archs PREPEND "--arch;")
  execute_process(COMMAND "${torchpkg}" slice ${archs} "${folder}" RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    tsb_fail("cannot cut the device code in ${folder}" "see the message above")
  endif()
endfunction()
