# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../z_tsb_pack_named_file.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../z_tsb_pack_zip.cmake)

# z_tsb_pack_wheel(<out-var of the files> <artifact json> <stage> <dist> <torchpkg>): the wheel, whose platform tag torchpkg finds out,
# and its debug zip.
function(z_tsb_pack_wheel out artifact stage dist torchpkg)
  z_tsb_json_take(artifact python_tag debug_file build)
  # pip's name for two wheels of one version: torch-9.9.0+cu124-1large-cp311-....whl
  if(build)
    set(build --build ${build})
  endif()
  if(debug_file)
    z_tsb_pack_zip("${torchpkg}" "${stage}/debug/torch" "${dist}/${debug_file}")
  endif()
  z_tsb_pack_named_file(
    file "[^/\n]+\\.whl" "${torchpkg}" pack wheel --root "${stage}/site-packages" --output "${dist}" --python
    ${python_tag} --abi ${python_tag} ${build}
  )
  set(${out} ${file} ${debug_file} PARENT_SCOPE)
endfunction()
