# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# z_tsb_pack_libtorch(<out-var of the files> <stage> <folder> <torchpkg>): the zip and, beside it, its bills of
# materials, <zip without .zip>.spdx.json and .cdx.json: the same files as in the zip.
function(z_tsb_pack_libtorch out stage folder torchpkg)
  z_tsb_pack_zip("${torchpkg}" "${stage}/libtorch" "${folder}/${artifact_file}")
  set(files ${artifact_file})
  string(REGEX REPLACE "\\.zip$" "" base "${artifact_file}")
  foreach(kind IN ITEMS spdx cdx)
    if(EXISTS "${stage}/libtorch/sbom.${kind}.json")
      file(COPY_FILE "${stage}/libtorch/sbom.${kind}.json" "${folder}/${base}.${kind}.json" RESULT text)
      if(text)
        tsb_fail("cannot write ${folder}/${base}.${kind}.json: ${text}" "free space on the disk")
      endif()
      list(APPEND files ${base}.${kind}.json)
    endif()
  endforeach()
  set(${out} ${files} PARENT_SCOPE)
endfunction()
