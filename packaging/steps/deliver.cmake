# SPDX-License-Identifier: BSD-3-Clause
# Step deliver: puts what has passed its checks into dist/, and beside it what they could not try. What it did is in
# check/<artifact>/dist.json (deliver.py).
include("${CMAKE_CURRENT_LIST_DIR}/../../cmake/python/tsb_call_python.cmake")

macro(z_tsb_inputs_of_artifact_deliver)
  z_tsb_step_after(inputs ${name} consumer)
  z_tsb_step_after(inputs ${name} statement)
  z_tsb_step_value(inputs "dist" "${dist}")
  z_tsb_step_scripts(inputs steps/deliver.cmake deliver.py consumer_results.py ../engine/partial_file.py)
endmacro()

function(z_tsb_run_deliver)
  z_tsb_step_outputs(files "${name}" pack)
  z_tsb_step_outputs(statements "${name}" statement)
  string(REPLACE "${packed}/" "" files "${files};${statements}")
  tsb_call_python("${TSB_BUILD_FOLDER}" deliver.py "${packed}" "${dist}" "${work}/dist.json" ${files})
  z_tsb_packed_files(file debug)
  string(REPLACE "${packed}/" "" file "${file}")
  list(APPEND files "${file}.checks.json")
  list(TRANSFORM files PREPEND "${dist}/")
  set(outputs ${files} PARENT_SCOPE)
endfunction()
