# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../cuda/cmake/tsb_cuda_code_archs.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/versions.cmake)

# The manifest's member `cuda`: version of the toolkit, architectures, versions. What upstream's libraries have beside
# the release's architectures is read in those of the tree: single sources are compiled for more, some libraries for
# fewer, and a slice has what is left.
function(z_tsb_cuda_manifest out root)
  tsb_read_record("${artifact_build_folder}/settings.json" settings)
  file(GLOB libraries "${root}/lib/libtorch_*.so")
  list(FILTER libraries EXCLUDE REGEX "/libtorch_cpu[.]so$")
  set(found "")
  foreach(library IN LISTS libraries)
    tsb_cuda_code_archs(code "${library}")
    list(TRANSFORM code_INTERMEDIATE APPEND "+PTX")
    list(APPEND found ${code_MACHINE} ${code_INTERMEDIATE})
  endforeach()
  list(REMOVE_DUPLICATES found)
  list(SORT found COMPARE NATURAL)
  set(lacking ${backend_configured_archs})
  list(REMOVE_ITEM lacking ${found})
  if(lacking AND NOT artifact_slice_name)
    list(JOIN lacking ", " lacking)
    tsb_fail(
      "the official libraries have no code for ${lacking}, which release.json of the release names"
      "import the release again: tools/import_official/import_official.py"
    )
  endif()
  set(cuda "{}")
  z_tsb_json_set_string(cuda version "${backend_version}")
  z_tsb_json_set_array(cuda archs ${backend_configured_archs})
  set(entry "{\"from\": \"upstream\"}")
  z_tsb_json_set_array(entry archs ${found})
  string(JSON cuda SET "${cuda}" other_code "[${entry}]")
  z_tsb_cuda_versions(versions)
  string(JSON cuda SET "${cuda}" versions "${versions}")
  set(${out} "${cuda}" PARENT_SCOPE)
endfunction()
