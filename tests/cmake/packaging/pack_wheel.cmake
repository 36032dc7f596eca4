# SPDX-License-Identifier: BSD-3-Clause
# cpack packs a staged wheel under the name that staging has given it.
include("${CMAKE_CURRENT_LIST_DIR}/superbuild.cmake")
set(stage "${build}/stage/wheel-py311")
set(packed "${build}/packed/wheel-py311")
set(python "${TSB_TEST_DIR}/python")
file(WRITE "${python}" "#!/bin/sh\necho 'CPython|3.11|3.11.7||headers|cpython-311|${python}'\n")
file(CHMOD "${python}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
set(ENV{TSB_PYTHON_311} "${python}")
configure(wheel-py311)
tsb_expect("configure (${output})" EQUAL ${code} 0)
stand_in_torchpkg()

# stage_wheel(<tag> <text>)
function(stage_wheel tag text)
  file(
    WRITE "${stage}/wheel.json"
    "{\"file\": \"torch-2.6.0+cpu-cp311-cp311-${tag}.whl\", \"dist_info\": \"torch-2.6.0+cpu.dist-info\"}"
  )
  staged(wheel-py311 "${text}")
endfunction()

file(MAKE_DIRECTORY "${stage}/site-packages/torch" "${stage}/debug/torch")
stage_wheel(linux_x86_64 one)
pack(good yes)
file(READ "${TSB_TEST_DIR}/ran" ran)
set(info torch-2.6.0+cpu.dist-info)
tsb_expect("options" CONTAINS "${ran}" "--flat --last ${info} --last ${info}/WHEEL --last ${info}/RECORD")
foreach(file IN ITEMS torch-2.6.0+cpu-cp311-cp311-linux_x86_64.whl debug-torch-2.6.0+cpu-cp311-cp311.zip)
  tsb_expect("the files" EXISTS "${packed}/${file}")
endforeach()
pack(good no)

stage_wheel(manylinux_2_35_x86_64 two)
pack(good yes)
set(debug debug-torch-2.6.0+cpu-cp311-cp311.zip)
set(wheel torch-2.6.0+cpu-cp311-cp311-manylinux_2_35_x86_64.whl)
file(GLOB files RELATIVE "${packed}" "${packed}/*")
tsb_expect("the files" EQUAL "${files}" "${debug};${debug}.intoto.json;${wheel};${wheel}.intoto.json")
file(REMOVE "${packed}/${wheel}")
pack(good yes)

file(WRITE "${TSB_TEST_DIR}/fail" "")
stage_wheel(manylinux_2_35_x86_64 three)
pack(bad no)
tsb_expect("the reason" CONTAINS "${output}" "torchpkg: the disk is full")
