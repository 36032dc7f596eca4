# SPDX-License-Identifier: BSD-3-Clause
# Step pack: packs the staged tree into packed/<artifact>/, as its product wants it (<product>/pack.cmake), and its
# debug zip. What passes its checks gets from there into dist/ (deliver.cmake).
include("${CMAKE_CURRENT_LIST_DIR}/../z_tsb_staged_trees.cmake")

macro(z_tsb_inputs_of_artifact_pack)
  z_tsb_step_after(inputs ${name} stage)
  z_tsb_step_value(inputs "SOURCE_DATE_EPOCH" "$ENV{SOURCE_DATE_EPOCH}")
  z_tsb_step_file(inputs "torchpkg" "${torchpkg}")
  z_tsb_step_scripts(
    inputs steps/pack.cmake z_tsb_staged_trees.cmake ${product}/pack.cmake ../cmake/sources/partial_file.py
  )
  if(product STREQUAL "conda")
    z_tsb_step_scripts(inputs conda/pack_conda.py tools/elf_needs.py tools/requirements.txt)
  endif()
endmacro()

# z_tsb_pack_zip(<torchpkg> <root> <zip> [<option>...])
function(z_tsb_pack_zip torchpkg root zip)
  execute_process(COMMAND "${torchpkg}" pack --root "${root}" --output "${zip}" ${ARGN} RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    tsb_fail("packing ${zip} failed" "see the message above")
  endif()
endfunction()

function(z_tsb_run_pack)
  file(REMOVE_RECURSE "${packed}")
  file(MAKE_DIRECTORY "${packed}")
  z_tsb_staged_trees(tree debug)
  if(artifact_debug_file)
    z_tsb_pack_zip("${torchpkg}" "${debug}" "${packed}/${artifact_debug_file}")
  endif()
  include("${Z_TSB_PACKAGING}/${product}/pack.cmake")
  cmake_language(CALL z_tsb_pack_${product} files "${stage}" "${packed}" "${torchpkg}")
  list(APPEND files ${artifact_debug_file})
  list(TRANSFORM files PREPEND "${packed}/")
  set(outputs ${files} PARENT_SCOPE)
endfunction()
