# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# z_tsb_pack_libtorch(<out-var of the files> <artifact json> <stage> <dist> <torchpkg>): the zip and, beside it, its
# bills of materials, <zip without .zip>.spdx.json and .cdx.json: the same files as in the zip.
function(z_tsb_pack_libtorch out artifact stage dist torchpkg)
  z_tsb_json_take(artifact file)
  z_tsb_pack_zip("${torchpkg}" "${stage}/libtorch" "${dist}/${file}")
  set(files ${file})
  string(REGEX REPLACE "\\.zip$" "" base "${file}")
  foreach(kind IN ITEMS spdx cdx)
    if(EXISTS "${stage}/libtorch/sbom.${kind}.json")
      file(COPY_FILE "${stage}/libtorch/sbom.${kind}.json" "${dist}/${base}.${kind}.json.new")
      file(RENAME "${dist}/${base}.${kind}.json.new" "${dist}/${base}.${kind}.json")
      list(APPEND files ${base}.${kind}.json)
    endif()
  endforeach()
  set(${out} ${files} PARENT_SCOPE)
endfunction()
