# SPDX-License-Identifier: BSD-3-Clause
# cpack packs a staged conda package.
include("${CMAKE_CURRENT_LIST_DIR}/superbuild.cmake")
set(stage "${build}/stage/conda-libtorch")
set(packed "${build}/packed/conda-libtorch")
stand_in_torchpkg()
set(python "${CMAKE_CURRENT_LIST_DIR}/superbuild/python.sh")

# configured(): with that Python.
macro(configured)
  configure(conda-libtorch)
  tsb_expect("configure (${output})" EQUAL ${code} 0)
  file(READ "${build}/fetch/request.json" request)
  string(JSON request SET "${request}" python "\"${python}\"")
  file(WRITE "${build}/fetch/request.json" "${request}")
endmacro()

# stage_conda(<hash> <text>)
function(stage_conda hash text)
  file(WRITE "${TSB_TEST_DIR}/hash" ${hash})
  file(
    WRITE "${stage}/prefix/info/index.json"
    "{\"name\": \"libtorch\", \"version\": \"2.6.0\", \"build\": \"cpu_mkl_${hash}_0\", \"subdir\": \"linux-64\"}"
  )
  staged(conda-libtorch "${text}")
endfunction()

configured()
file(MAKE_DIRECTORY "${stage}/debug/libtorch")
stage_conda(h0000000 one)
pack(good yes)
tsb_expect_file("options" LACKS "${TSB_TEST_DIR}/ran" "--placeholder")
foreach(file IN ITEMS linux-64/libtorch-2.6.0-cpu_mkl_h0000000_0.conda debug-libtorch-2.6.0+cpu-conda.zip)
  tsb_expect("the files" EXISTS "${packed}/${file}")
endforeach()
pack(good no)

stage_conda(h1111111 two)
file(WRITE "${stage}/placeholder.txt" "/placehold")
pack(good yes)
tsb_expect_file("options" CONTAINS "${TSB_TEST_DIR}/ran" "--placeholder /placehold")
file(GLOB files RELATIVE "${packed}" "${packed}/linux-64/*")
set(conda linux-64/libtorch-2.6.0-cpu_mkl_h1111111_0.conda)
tsb_expect("the files" EQUAL "${files}" "${conda};${conda}.intoto.json")

file(WRITE "${TSB_TEST_DIR}/fail" "")
stage_conda(h1111111 three)
pack(bad no)
tsb_expect("the reason" CONTAINS "${output}" "the disk is full")
