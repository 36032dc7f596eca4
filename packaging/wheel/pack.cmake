# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# z_tsb_pack_wheel(<out-var of the files> <artifact json> <stage> <dist> <torchpkg>): the wheel, whose platform tag
# torchpkg finds out.
function(z_tsb_pack_wheel out artifact stage dist torchpkg)
  z_tsb_json_take(artifact python_tag build)
  # pip's name for two wheels of one version: torch-9.9.0+cu124-1large-cp311-....whl
  if(build)
    set(build --build ${build})
  endif()
  z_tsb_pack_named_file(
    file "[^/\n]+\\.whl" "${torchpkg}" pack wheel --root "${stage}/site-packages" --output "${dist}" --python
    ${python_tag} --abi ${python_tag} ${build}
  )
  set(${out} ${file} PARENT_SCOPE)
endfunction()
