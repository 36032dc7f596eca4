# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../z_tsb_pack_named_file.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../z_tsb_pack_zip.cmake)

# z_tsb_finish_wheel(<artifact json> <stage> <dist>): nothing lies beside a wheel.
function(z_tsb_finish_wheel)

endfunction()

# z_tsb_pack_wheel(<out-var of the files> <out-var of the error> <artifact json> <stage> <dist> <torchpkg> <earlier files>): the wheel,
# whose platform tag torchpkg finds out, and its debug zip. A wheel of an earlier stage that had another tag goes away.
function(z_tsb_pack_wheel out_files out_error artifact stage dist torchpkg earlier)
  z_tsb_json_take(artifact python_tag debug_file build)
  # pip's name for two wheels of one version: torch-9.9.0+cu124-1large-cp311-....whl
  if(build)
    set(build --build ${build})
  endif()
  set(error "")
  set(file "")
  if(debug_file)
    z_tsb_pack_zip(error "${torchpkg}" "${stage}/debug/torch" "${dist}/${debug_file}")
  endif()
  if(NOT error)
    z_tsb_pack_named_file(
      file error "${dist}" "[^/\n]+\\.whl" "${earlier}" "${debug_file}" "${torchpkg}" pack wheel --root
      "${stage}/site-packages" --output "${dist}" --python ${python_tag} --abi ${python_tag} ${build}
    )
  endif()
  set(${out_error} "${error}" PARENT_SCOPE)
  set(${out_files} ${file} ${debug_file} PARENT_SCOPE)
endfunction()
