# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../z_tsb_pack_named_file.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../z_tsb_pack_zip.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../z_tsb_staged_trees.cmake)

# z_tsb_finish_conda(<artifact json> <stage> <dist>): nothing lies beside a conda package.
function(z_tsb_finish_conda)

endfunction()

# z_tsb_pack_conda(<out-var of the files> <out-var of the error> <artifact json> <stage> <dist> <torchpkg> <earlier files>): the
# package, dist/<platform>/<name>-<version>-<build>.conda, and its debug zip. One of an earlier stage with another build string goes away.
function(z_tsb_pack_conda out_files out_error artifact stage dist torchpkg earlier)
  z_tsb_json_take(artifact debug_file)
  set(error "")
  set(file "")
  set(placeholder "")
  if(EXISTS "${stage}/placeholder.txt")
    file(READ "${stage}/placeholder.txt" text)
    set(placeholder --placeholder "${text}")
  endif()
  if(debug_file)
    z_tsb_staged_trees(tree debug "${artifact}")
    z_tsb_pack_zip(error "${torchpkg}" "${debug}" "${dist}/${debug_file}")
  endif()
  if(NOT error)
    z_tsb_pack_named_file(
      file error "${dist}" "[^/\n]+/[^/\n]+\\.conda" "${earlier}" "${debug_file}" "${torchpkg}" pack conda --root
      "${stage}/prefix" --output "${dist}" ${placeholder}
    )
  endif()
  set(${out_error} "${error}" PARENT_SCOPE)
  set(${out_files} ${file} ${debug_file} PARENT_SCOPE)
endfunction()
