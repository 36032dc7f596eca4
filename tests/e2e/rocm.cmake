# SPDX-License-Identifier: BSD-3-Clause
# ROCm's zip on stand-ins for PyTorch and ROCm: hipified on a copy, compiled by hipcc for the GPUs that are asked for,
# and packed with ROCm's libraries and their data, up to its checks.
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

set(preset rocm6.2-libtorch-shared)
set(environment "TSB_STORE=${store}" PIP_NO_INDEX=1)
set(base libtorch-cxx11-abi-shared-with-deps-${pytorch}+rocm6.2)
workflow("${tree}" ENVIRONMENT ${environment} ROCM_PATH=/nowhere)
bad("no ROCm" "ROCm toolkit: ROCM_PATH is /nowhere, but it lacks" "name a toolkit 6.2")
list(APPEND environment "ROCM_PATH=${rocm}")
workflow("${tree}" ENVIRONMENT ${environment} TSB_ROCM_ARCHS=gfx950)
bad("an unknown GPU" "TSB_ROCM_ARCHS is \"gfx950\": ROCm 6.2 does not know gfx950" "remove it")
list(APPEND environment "TSB_ROCM_ARCHS=gfx90a gfx906")
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
file(GLOB found RELATIVE "${root}/lib" "${root}/lib/*")
foreach(name IN ITEMS libc10_hip.so libtorch_hip.so libamdhip64.so.6 librocblas.so.4 libMIOpen.so.1 librccl.so.1)
  tsb_expect("libraries" CONTAINS ";${found};" ";${name};")
endforeach()
tsb_expect("CUDA's libraries" LACKS "${found}" "cuda")
file(GLOB found RELATIVE "${root}/lib/rocblas/library" "${root}/lib/rocblas/library/*")
tsb_expect(
  "kernels of rocBLAS" EQUAL "${found}"
  "TensileLibrary.dat;TensileLibrary_lazy_gfx906.dat;TensileLibrary_lazy_gfx90a.dat"
)
file(GLOB found RELATIVE "${root}/share/miopen/db" "${root}/share/miopen/db/*")
tsb_expect("tables of MIOpen" EQUAL "${found}" "gfx90a68.db")
tsb_expect("algorithms of RCCL" EXISTS "${root}/share/rccl/msccl-algorithms/allreduce.xml")
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
file(READ "${root}/sbom.spdx.json" bill)
tsb_expect("bill" CONTAINS "${bill}" "\"name\": \"composable_kernel\"")
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

# A wheel of it, for which only the Python layer is compiled; ROCm's libraries and their data are inside.
find_usable_python(python tag)
if(tag STREQUAL "")
  message("No wheel: ${python} has no headers, no venv, or is of a version that PyTorch does not support")
else()
  set(preset rocm6.2-wheel-py${tag})
  workflow("${tree}" ENVIRONMENT ${environment} "TSB_PYTHON_${tag}=${python}")
  good("the wheel")
  tsb_expect("what ran" LACKS "${output}" "-- pytorch build\n")
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
  set(preset rocm6.2-libtorch-shared)
endif()

# Other GPUs compile again.
list(APPEND environment TSB_ROCM_ARCHS=gfx1100)
run_in("${tree}" ENVIRONMENT ${environment} COMMAND "${CMAKE_COMMAND}" --preset ${preset})
good("configuring for another GPU")
run_in("${tree}" ENVIRONMENT ${environment} COMMAND "${CMAKE_COMMAND}" --build --preset ${preset} --target explain)
tsb_expect("why" CONTAINS "${output}" "environment PYTORCH_ROCM_ARCH: was: gfx90a gfx906")
