# SPDX-License-Identifier: BSD-3-Clause
# ROCm's zip and wheel on stand-ins for PyTorch and ROCm: hipified on a copy, compiled by hipcc for the GPUs that are
# asked for, and packed with ROCm's libraries and their data, up to their checks. e2e.file-lists has which files they
# have.
include(${CMAKE_CURRENT_LIST_DIR}/stand_in.cmake)
include("${TSB_SOURCE_DIR}/cmake/detail/z_tsb_json.cmake")
include("${TSB_SOURCE_DIR}/cmake/model/tsb_read_record.cmake")
include("${TSB_SOURCE_DIR}/tests/fixtures/rocm.cmake")
set(tree "${WORK}/rocm")
set(store "${WORK}/store of rocm")
set(rocm "${WORK}/opt/rocm 6.2.4")
copy_tree("${tree}")
file(REMOVE_RECURSE "${store}" "${rocm}")
foreach(package IN ITEMS mkl protobuf sleef)
  file(GLOB stored "${WORK}/store of a folder/${package}")
  if(stored)
    file(COPY ${stored} DESTINATION "${store}")
  endif()
endforeach()
make_rocm("${rocm}" 6.2.4 LIBRARIES)
file(GLOB cached "${WORK}/sources/pytorch/${pytorch}/*.tar*")
list(FILTER cached EXCLUDE REGEX "\\.ok$")
list(LENGTH cached count)
tsb_expect("archives of PyTorch: ${cached}" EQUAL "${count}" 1)
file(SHA256 "${cached}" before)

find_usable_python()
set(preset rocm6.2-all)
set(environment "TSB_STORE=${store}" PIP_NO_INDEX=1 "ROCM_PATH=${rocm}" "TSB_ROCM_ARCHS=gfx90a gfx906" ${pythons})
set(base libtorch-cxx11-abi-shared-with-deps-${pytorch}+rocm6.2)
workflow("${tree}" ENVIRONMENT ${environment})
good("the workflow")
tsb_expect("the doctor" CONTAINS "${output}" "ROCm toolkit: 6.2.4 in ${rocm} (ROCM_PATH)")
tsb_expect("what is off" CONTAINS "${output}" "pytorch: feature MAGMA is off: MAGMA for ROCm has no pin")
tsb_expect("the checks" CONTAINS "${output}" "done: ${tree}/dist/${base}.zip, ")

# hipify worked on the package's copy.
set(packages "${tree}/build/${preset}/packages")
tsb_expect("hipified" EXISTS "${packages}/pytorch/source/c10/hip/HIPFunctions.cpp")
file(READ "${packages}/pytorch/install/share/torch-superbuild/linked.json" record)
string(JSON original GET "${record}" copies c10/hip/HIPFunctions.cpp)
tsb_expect("a copy in the record of what was linked" EQUAL "${original}" c10/cuda/CUDAFunctions.cpp)
file(SHA256 "${cached}" after)
tsb_expect("the source cache" EQUAL "${after}" "${before}")

# What PyTorch gets.
file(STRINGS "${packages}/pytorch/build/CMakeCache.txt" options REGEX "^(USE_|HIP_|LIBKINETO)")
string(REPLACE "\\;" " " options "${options}")
tsb_expect(
  "options" CONTAINS "${options}" USE_ROCM:BOOL=ON USE_CUDA:BOOL=OFF USE_MAGMA:UNINITIALIZED=OFF
  USE_FLASH_ATTENTION:UNINITIALIZED=OFF LIBKINETO_NOROCTRACER:UNINITIALIZED=ON
  "HIP_CXX_COMPILER:UNINITIALIZED=${packages}/" "-isystem ${packages}/rocm-toolkit/install/include"
  "-ffile-prefix-map=${packages}=/usr/src/torch-superbuild"
)
file(READ "${packages}/pytorch/package.json" json)
z_tsb_json_get(toolchain "${json}" toolchain)
tsb_expect("the toolchain" CONTAINS "${toolchain}" "\"ROCM_VERSION\" : \"6.2.4\"")
z_tsb_json_get(told "${json}" environment)
tsb_expect("the environment" CONTAINS "${told}" "PYTORCH_ROCM_ARCH=gfx90a gfx906")
tsb_expect("folders in what the store's keys are made of" LACKS "${told}" "${rocm}")

# What is in the zip.
set(root "${TSB_TEST_DIR}/out/libtorch")
file(ARCHIVE_EXTRACT INPUT "${tree}/dist/${base}.zip" DESTINATION "${TSB_TEST_DIR}/out")
foreach(
  pair IN ITEMS "amdhip64.so.6=hip's terms." "rocblas.so.4=rocblas's terms."
                "composable_kernel=composable_kernel's terms."
)
  string(REGEX MATCH "^(.*)=(.*)$" ignored "${pair}")
  set(terms "${CMAKE_MATCH_2}")
  file(GLOB_RECURSE texts "${root}/share/licenses/rocm-toolkit/*")
  set(all "")
  foreach(text IN LISTS texts)
    file(READ "${text}" content)
    string(APPEND all "${content}")
  endforeach()
  tsb_expect("licences" CONTAINS "${all}" "${terms}")
endforeach()
tsb_expect_file("bill" CONTAINS "${root}/sbom.spdx.json" "\"name\": \"composable_kernel\"")
file(READ "${root}/manifest.json" manifest)
foreach(
  pair IN ITEMS "rocm6.2=backend" "6.2=rocm;version" "gfx90a=rocm;archs;0" "gfx906=rocm;archs;1"
                "4.2.4=rocm;versions;rocblas" "6.2.4=rocm;versions;rocm-core"
)
  string(REGEX MATCH "^([^=]*)=(.*)$" pair "${pair}")
  set(expected "${CMAKE_MATCH_1}")
  string(JSON value GET "${manifest}" ${CMAKE_MATCH_2})
  tsb_expect("manifest: ${pair}" EQUAL "${value}" "${expected}")
endforeach()
tsb_read_record("${tree}/build/${preset}/check/libtorch-shared-with-deps/check.json" report)
set(reasons "")
foreach(index IN LISTS report_checks)
  list(APPEND reasons "${report_checks_${index}_name}: ${report_checks_${index}_found}")
endforeach()
tsb_expect("the code in it" CONTAINS "${reasons}" "gpu-architectures: gfx906 gfx90a in 1 library")

# A wheel of it; ROCm's libraries and their data are inside.
if(NOT tag STREQUAL "")
  file(GLOB wheel "${tree}/dist/torch-${pytorch}+rocm6.2-cp${tag}-cp${tag}-*.whl")
  tsb_expect("the checks" CONTAINS "${output}" "done: ${wheel}, ")
  file(ARCHIVE_EXTRACT INPUT "${wheel}" DESTINATION "${TSB_TEST_DIR}/wheel")
  foreach(
    file IN ITEMS lib/libtorch_hip.so lib/libMIOpen.so.1 lib/rocblas/library/TensileLibrary_lazy_gfx90a.dat
                  share/miopen/db/gfx90a68.db
  )
    file(SHA256 "${root}/${file}" in_zip)
    file(SHA256 "${TSB_TEST_DIR}/wheel/torch/${file}" in_wheel)
    tsb_expect("${file} of zip and wheel" EQUAL "${in_zip}" "${in_wheel}")
  endforeach()
endif()
