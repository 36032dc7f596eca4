# SPDX-License-Identifier: BSD-3-Clause
# Step pack: packs the staged tree into dist/, as its product wants it.
include("${CMAKE_CURRENT_LIST_DIR}/../conda/z_tsb_pack_conda.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/../libtorch/z_tsb_pack_libtorch.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/../wheel/z_tsb_pack_wheel.cmake")

macro(z_tsb_inputs_of_artifact_pack)
  z_tsb_step_after(inputs ${name} stage)
  z_tsb_step_value(inputs "dist" "${dist}")
  z_tsb_step_value(inputs "SOURCE_DATE_EPOCH" "$ENV{SOURCE_DATE_EPOCH}") # torchpkg reads it when it packs
  z_tsb_step_file(inputs "torchpkg" "${torchpkg}")
  z_tsb_step_scripts(
    inputs steps/pack.cmake z_tsb_pack_named_file.cmake z_tsb_pack_zip.cmake ${product}/z_tsb_pack_${product}.cmake
  )
endmacro()

# Files of an earlier run that are not made again are removed from dist, such as a wheel with another tag.
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
  cmake_language(CALL z_tsb_pack_${product} files "${artifact}" "${stage}" "${dist}" "${torchpkg}")
  list(TRANSFORM files PREPEND "${dist}/")
  list(REMOVE_ITEM earlier ${files})
  foreach(file IN LISTS earlier)
    string(FIND "${file}" "${dist}/" at)
    if(at EQUAL 0)
      file(REMOVE "${file}")
    endif()
  endforeach()
  set(outputs ${files} PARENT_SCOPE)
endfunction()
