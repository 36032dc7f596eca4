# SPDX-License-Identifier: BSD-3-Clause
# What the doctor asks for: more for each artifact, for CUDA and ROCm, their libraries, each further architecture.
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)
include(${TSB_SOURCE_DIR}/cmake/model/tsb_load_model.cmake)
include(${TSB_SOURCE_DIR}/cmake/doctor/z_tsb_build_needs.cmake)

# expect_needs(<build> <store> <memory> <arguments>...): in MB.
function(expect_needs build store memory)
  z_tsb_build_needs(needs lines ${ARGN})
  tsb_expect("${ARGN}: the build folder" EQUAL "${needs_BUILD_DISK_MB}" ${build})
  tsb_expect("${ARGN}: the store" EQUAL "${needs_STORE_DISK_MB}" ${store})
  tsb_expect("${ARGN}: the memory" EQUAL "${needs_MEMORY_MB}" ${memory})
  tsb_expect("${ARGN}: the source cache" EQUAL "${needs_SOURCES_DISK_MB}" 400)
endfunction()
set(zip libtorch-shared-with-deps)
set(wheel wheel-py311)
set(large_wheel wheel-py311-large)

tsb_load_model(--backend=cpu)
z_tsb_build_needs(cpu lines "${zip}")
tsb_expect("CPU" EQUAL "${cpu_BUILD_DISK_MB} ${cpu_STORE_DISK_MB} ${cpu_MEMORY_MB}" "11000 2500 4000")
tsb_expect("CPU, dist" EQUAL "${cpu_DIST_DISK_MB} ${cpu_SOURCES_DISK_MB}" "500 400")
z_tsb_build_needs(cpu full "${zip}" "${wheel}")
tsb_expect("CPU, everything" EQUAL "${cpu_BUILD_DISK_MB}" 41000)

# As measured, and a third more; then what each thing adds.
tsb_load_model(--backend=cu124)
expect_needs(39180 8480 7200 "${zip}") # seven
set(backend_configured_cmake_archs 90-real)
expect_needs(27000 5300 7200 "${zip}")
expect_needs(29500 5300 7200 "${zip}" "${wheel}")
expect_needs(35500 5300 7200 "${zip}" "${large_wheel}")
set(
  nine ${zip} libtorch-shared-without-deps libtorch-static-with-deps libtorch-static-without-deps ${wheel}
       ${large_wheel} conda-libtorch conda-py311 conda-magma
)
expect_needs(59000 5300 7200 ${nine}) # measured: 46 GB at most, and 3.8
set(backend_configured_cmake_archs 80-real 90-real 90-virtual)
expect_needs(31060 6360 7200 "${zip}")

tsb_load_model(--backend=rocm7.2)
set(backend_configured_archs gfx90a)
z_tsb_build_needs(rocm none "${zip}")
tsb_expect("ROCm" EQUAL "${rocm_BUILD_DISK_MB} ${rocm_STORE_DISK_MB} ${rocm_MEMORY_MB}" "25000 2700 4000")
set(backend_configured_archs gfx90a gfx1100)
z_tsb_build_needs(rocm lines "${zip}" "${wheel}")
tsb_expect("ROCm, more" EQUAL "${rocm_BUILD_DISK_MB} ${rocm_STORE_DISK_MB}" "45800 3320")

# Nothing of NVIDIA's is in a wheel.
set(TSB_PYTORCH_VERSION 2.15.0)
tsb_load_model(--backend=official-cuda)
foreach(case IN ITEMS "${zip}=19000 5000 3700 3540" "wheel-py312=14600 1600 1000 2660")
  string(REGEX MATCH "^(.*)=(.*)$" ignored "${case}")
  set(expected "${CMAKE_MATCH_2}")
  z_tsb_build_needs(official none "${CMAKE_MATCH_1}")
  set(found "${official_BUILD_DISK_MB} ${official_STORE_DISK_MB} ${official_SOURCES_DISK_MB} ${official_DIST_DISK_MB}")
  tsb_expect("${case}" EQUAL "${found}" "${expected}")
endforeach()
