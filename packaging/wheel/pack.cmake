# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# z_tsb_pack_wheel(<out-var of the files> <stage> <dist> <torchpkg>): the wheel. What it is called was decided when it
# was staged (finish_wheel.py).
function(z_tsb_pack_wheel out stage dist torchpkg)
  file(READ "${stage}/wheel.json" wheel)
  z_tsb_json_take(wheel file dist_info)
  # At the end, where tools that read only that look first.
  z_tsb_pack_zip(
    "${torchpkg}" "${stage}/site-packages" "${dist}/${file}" --flat --last ${dist_info} --last ${dist_info}/WHEEL
    --last ${dist_info}/RECORD
  )
  set(${out} "${file}" PARENT_SCOPE)
endfunction()
