# SPDX-License-Identifier: BSD-3-Clause
# Each CUDA version that a release names has its drivers. The lowest driver is that of the major version, which is what
# conda packages ask for. Which release a version of CUDA has by default.
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)
include(${TSB_SOURCE_DIR}/tests/fixtures/release.cmake)
include(${TSB_SOURCE_DIR}/cmake/model/tsb_load_model.cmake)
tsb_load_model()
foreach(release IN LISTS model_releases)
  tsb_load_model(--release=${release})
  foreach(version IN LISTS release_backends_cuda)
    string(REPLACE "." "" digits "${version}")
    tsb_load_model(--release=${release} --backend=cu${digits})
    set(lowest "${versions_cuda_${version}_lowest_driver}")
    foreach(
      variable IN ITEMS release_backends_cuda_${version}_archs release_backends_cuda_${version}_cudnn
                        versions_cuda_${version}_driver lowest
    )
      if("${${variable}}" STREQUAL "")
        message(FATAL_ERROR "PyTorch ${release} with CUDA ${version}: no ${variable}")
      endif()
    endforeach()
    string(REGEX MATCH "^[0-9]+" major "${version}")
    if(NOT DEFINED lowest_of_${major})
      set(lowest_of_${major} "${lowest}")
    endif()
    tsb_expect("the lowest driver of CUDA ${version}" EQUAL "${lowest}" "${lowest_of_${major}}")
  endforeach()
endforeach()

set(TSB_ADDITIONS "${TSB_TEST_DIR}/additions")
file(
  WRITE "${TSB_TEST_DIR}/additions/releases/9.9.0/release.json"
  [[{"cxx_standard": "17", "libtorch_zip": "x", "pythons": [], "backends": {"cuda": {"12.6": {"archs": ["9.0"]}}}}]]
)
file(WRITE "${TSB_TEST_DIR}/additions/releases/9.9.0/options.json" [[{"options": [], "features": []}]])
foreach(pair IN ITEMS "cu124;${pytorch}" "cu126;${pytorch}" "cu128;2.8.0" "cu130;2.11.0" "cu129;")
  list(POP_FRONT pair name expected)
  tsb_load_model(--backend=${name})
  tsb_expect("the release for ${name}" EQUAL "${release_folder}" "${expected}")
  tsb_expect("the release for ${name}" EQUAL "${model_backends_${name}}" "${expected}")
endforeach()
