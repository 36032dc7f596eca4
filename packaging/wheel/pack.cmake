# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# z_tsb_pack_wheel(<out-var of the files> <stage> <folder> <torchpkg>): the wheel. What it is called was decided when it
# was staged (finish_wheel.py).
function(z_tsb_pack_wheel out stage folder torchpkg)
  tsb_read_record("${stage}/wheel.json" wheel)
  # At the end, where tools that read only that look first.
  z_tsb_pack_zip(
    "${torchpkg}" "${stage}/site-packages" "${folder}/${wheel_file}" --flat --last ${wheel_dist_info} --last
    ${wheel_dist_info}/WHEEL --last ${wheel_dist_info}/RECORD
  )
  set(${out} "${wheel_file}" PARENT_SCOPE)
endfunction()
