# SPDX-License-Identifier: BSD-3-Clause
# Step pack: packs the staged tree into dist/, as its product wants it (<product>/pack.cmake), and its debug zip.
include("${CMAKE_CURRENT_LIST_DIR}/../z_tsb_staged_trees.cmake")

macro(z_tsb_inputs_of_artifact_pack)
  z_tsb_step_after(inputs ${name} stage)
  z_tsb_step_value(inputs "dist" "${dist}")
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

# z_tsb_remove_earlier(<file>...): files of an earlier run of this step that are not among these are removed, such as a
# wheel with another tag. Only from where this step would put them: the folder of an earlier dist may be below this one.
function(z_tsb_remove_earlier)
  list(REMOVE_ITEM earlier ${ARGN})
  foreach(file IN LISTS earlier)
    set(platform "")
    if(file MATCHES "\\.conda(\\.[^/]*)?$")
      set(platform "[a-z0-9-]+/")
    endif()
    file(RELATIVE_PATH place "${dist}" "${file}")
    if(place MATCHES "^${platform}[^/]+$")
      file(REMOVE "${file}")
    endif()
  endforeach()
endfunction()

function(z_tsb_run_pack)
  execute_process(
    COMMAND mkdir -p "${dist}"
    RESULT_VARIABLE result
    ERROR_VARIABLE text
    ERROR_STRIP_TRAILING_WHITESPACE
  )
  if(NOT result EQUAL 0)
    tsb_fail("cannot make the folder ${dist}: ${text}" "set TSB_DIST to a folder that can be written")
  endif()
  z_tsb_staged_trees(tree debug)
  if(artifact_debug_file)
    z_tsb_pack_zip("${torchpkg}" "${debug}" "${dist}/${artifact_debug_file}")
  endif()
  include("${Z_TSB_PACKAGING}/${product}/pack.cmake")
  cmake_language(CALL z_tsb_pack_${product} files "${stage}" "${dist}" "${torchpkg}")
  list(APPEND files ${artifact_debug_file})
  list(TRANSFORM files PREPEND "${dist}/")
  z_tsb_remove_earlier(${files})
  set(outputs ${files} PARENT_SCOPE)
endfunction()
