# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../z_tsb_pack_zip.cmake)

# z_tsb_finish_libtorch(<artifact json> <stage> <dist>): the bill of materials beside the zip, <zip without .zip>.spdx.json and
# .cdx.json: the same files as in the zip.
function(z_tsb_finish_libtorch artifact stage dist)
  z_tsb_json_take(artifact file)
  string(REGEX REPLACE "\\.zip$" "" base "${file}")
  foreach(kind IN ITEMS spdx cdx)
    set(bill "${dist}/${base}.${kind}.json")
    if(EXISTS "${stage}/libtorch/sbom.${kind}.json" AND NOT EXISTS "${bill}")
      file(COPY_FILE "${stage}/libtorch/sbom.${kind}.json" "${bill}.new")
      file(RENAME "${bill}.new" "${bill}")
    endif()
  endforeach()
endfunction()

# z_tsb_pack_libtorch(<out-var of the files> <out-var of the error> <artifact json> <stage> <dist> <torchpkg> <earlier files>): the
# zip and its debug zip.
function(z_tsb_pack_libtorch out_files out_error artifact stage dist torchpkg earlier)
  z_tsb_json_take(artifact file debug_file)
  # Those of an earlier zip.
  string(REGEX REPLACE "\\.zip$" "" base "${file}")
  file(REMOVE "${dist}/${base}.spdx.json" "${dist}/${base}.cdx.json" "${dist}/debug-${file}")
  set(error "")
  if(debug_file)
    z_tsb_pack_zip(error "${torchpkg}" "${stage}/debug/libtorch" "${dist}/${debug_file}")
  endif()
  if(NOT error)
    z_tsb_pack_zip(error "${torchpkg}" "${stage}/libtorch" "${dist}/${file}")
  endif()
  set(${out_error} "${error}" PARENT_SCOPE)
  set(${out_files} ${file} ${debug_file} PARENT_SCOPE)
endfunction()
