# SPDX-License-Identifier: BSD-3-Clause
# What is in the conda packages libtorch and pytorch of e2e.all: the libraries are those of the wheel.
include(${CMAKE_CURRENT_LIST_DIR}/stand_in.cmake)
include("${TSB_SOURCE_DIR}/cmake/python/tsb_python_command.cmake")
set(tree "${WORK}/all")
file(GLOB wheel "${tree}/dist/torch-${pytorch}+cpu-cp*.whl")
if(NOT wheel MATCHES "-cp(3[0-9]+)-")
  message("SKIP: e2e.all has made no wheel")
  return()
endif()
set(tag "${CMAKE_MATCH_1}")
string(REGEX REPLACE "^3" "3." version "${tag}")

file(GLOB packages RELATIVE "${tree}/dist/linux-64" "${tree}/dist/linux-64/*.conda")
list(SORT packages)
set(
  pattern
  "^libtorch-2\\.6\\.0-cpu_mkl_(h[0-9a-f]+)_0\\.conda;pytorch-2\\.6\\.0-cpu_mkl_py${tag}_(h[0-9a-f]+)_0\\.conda$"
)
if(NOT packages MATCHES "${pattern}")
  message(FATAL_ERROR "other packages were expected: ${packages}")
endif()
set(hash "${CMAKE_MATCH_1}")
tsb_expect("both are of one compile" EQUAL "${CMAKE_MATCH_2}" "${hash}")

set(prefix "${tree}/build/cpu-all/stage/conda-py${tag}/prefix")
file(READ "${prefix}/info/index.json" index)
foreach(
  need IN ITEMS "libtorch ${pytorch} cpu_mkl_${hash}_0" "python >=${version},<3." "python_abi ${version}.* *_cp${tag}"
                "_openmp_mutex >=4.5" "__glibc >=" "setuptools"
)
  tsb_expect("what pytorch depends on" CONTAINS "${index}" "\"${need}")
endforeach()
file(READ "${prefix}/bin/torchrun" script)
if(NOT script MATCHES "^#!/opt/torch(_placehold)+/bin/python\n")
  message(FATAL_ERROR "a console script begins otherwise than expected: ${script}")
endif()
file(ARCHIVE_EXTRACT INPUT "${wheel}" DESTINATION "${TSB_TEST_DIR}/wheel")
set(libtorch "${tree}/build/cpu-all/stage/conda-libtorch/prefix")
set(torch_lib "${prefix}/lib/python${version}/site-packages/torch/lib")
foreach(library IN ITEMS libc10.so libtorch.so libtorch_cpu.so libtorch_global_deps.so)
  file(SHA256 "${libtorch}/lib/${library}" in_conda)
  file(SHA256 "${TSB_TEST_DIR}/wheel/torch/lib/${library}" in_wheel)
  tsb_expect("${library} of conda package and wheel" EQUAL "${in_conda}" "${in_wheel}")
endforeach()
file(READ "${torch_lib}/../manifest.json" manifest)
string(JSON bundled GET "${manifest}" bundled)
tsb_expect("what pytorch's manifest says is bundled" EQUAL "${bundled}" "[]")

# What is loaded from torch/lib is the wheel's, too, but looks in the prefix first.
function(code_of out library)
  execute_process(
    COMMAND objcopy -O binary --only-section=.text "${library}" "${TSB_TEST_DIR}/code" COMMAND_ERROR_IS_FATAL ANY
  )
  file(SHA256 "${TSB_TEST_DIR}/code" hash)
  set(${out} "${hash}" PARENT_SCOPE)
endfunction()
file(READ "${torch_lib}/../../torch-${pytorch}+cpu.dist-info/sboms/torch.cdx.json" bill)
foreach(library IN ITEMS libtorch_python.so libshm.so libtorch_global_deps.so)
  code_of(in_conda "${torch_lib}/${library}")
  code_of(in_wheel "${TSB_TEST_DIR}/wheel/torch/lib/${library}")
  tsb_expect("the code of ${library} of conda package and wheel" EQUAL "${in_conda}" "${in_wheel}")
  execute_process(
    COMMAND patchelf --print-rpath "${torch_lib}/${library}" OUTPUT_VARIABLE rpath OUTPUT_STRIP_TRAILING_WHITESPACE
  )
  tsb_expect("the RPATH of ${library}" EQUAL "${rpath}" "$ORIGIN/../../../../../lib:$ORIGIN")
  file(SHA256 "${torch_lib}/${library}" sum)
  tsb_expect("${library} in the bill" CONTAINS "${bill}" "${sum}")
endforeach()

# The bills of materials are of these packages, not of the zip or the wheel.
file(GLOB bill "${prefix}/lib/python${version}/site-packages/torch-*.dist-info/sboms/torch.cdx.json")
file(READ "${bill}" bill)
tsb_expect(
  "pytorch's bill" CONTAINS "${bill}" "pkg:conda/pytorch@${pytorch}?build=cpu_mkl_py${tag}_${hash}_0&subdir=linux-64"
)
tsb_expect("pytorch's bill" LACKS "${bill}" "bundled-libgomp")
tsb_expect_file(
  "libtorch's bill" CONTAINS "${libtorch}/share/libtorch/sbom.spdx.json"
  "pkg:conda/libtorch@${pytorch}?build=cpu_mkl_${hash}_0&subdir=linux-64"
)

# A channel of it.
tsb_python_command(index python3 "${tree}/packaging/conda/index_channel.py" MODULES "${WORK}/python-tools")
run_in("${tree}" COMMAND ${index} "${tree}/dist")
good("the channel")
file(READ "${tree}/dist/linux-64/repodata.json" repodata)
foreach(package IN LISTS packages)
  tsb_expect("the channel" CONTAINS "${repodata}" "\"${package}\"")
endforeach()

# The statements are beside the packages, and not in the way of the index.
foreach(package IN LISTS packages)
  tsb_expect("the statement" EXISTS "${tree}/dist/linux-64/${package}.intoto.json")
endforeach()
tsb_expect("the channel" LACKS "${repodata}" "intoto")
