# SPDX-License-Identifier: BSD-3-Clause
# What a preset makes. One of one Python keeps its artifact, whatever the machine has; one that
# makes everything takes what is there.
include(${CMAKE_CURRENT_LIST_DIR}/artifacts_of.cmake)
set(python "${TSB_TEST_DIR}/python")
file(WRITE "${python}" "#!/bin/sh\necho 'CPython|3.11|3.11.7||headers|cpython-311|${python}'\n")
file(CHMOD "${python}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
set(TSB_PYTHON_311 "${python}")
foreach(version IN ITEMS 39 310 312 313)
  set(TSB_PYTHON_${version} "${TSB_TEST_DIR}/nothing")
endforeach()

# expect_artifacts(<preset> <backend> <artifacts asked for> <name>...)
function(expect_artifacts preset backend asked)
  artifacts_of("${preset}" ${backend} "${asked}")
  tsb_expect("artifacts of ${preset}" EQUAL "${values}" "${ARGN}")
  return(PROPAGATE values_ROWS)
endfunction()

set(zips libtorch-shared-with-deps libtorch-shared-without-deps libtorch-static-with-deps libtorch-static-without-deps)
expect_artifacts(cpu-wheel-py313 cpu wheel-py313 wheel-py313)
expect_artifacts(cpu-libtorch-static cpu libtorch-static-with-deps libtorch-static-with-deps)
expect_artifacts(cpu-conda-py311 cpu conda-py311 conda-libtorch conda-py311)
expect_artifacts(mine cu124 "wheel-py311-large;libtorch-shared-with-deps" wheel-py311-large libtorch-shared-with-deps)

expect_artifacts(cpu-all cpu all ${zips} wheel-py311 conda-libtorch conda-py311)
set(of_cuda ${zips} wheel-py311 wheel-py311-large conda-libtorch conda-py311)
expect_artifacts(cu124-all-${pytorch} cu124 all ${of_cuda} conda-magma)
set(TSB_MAGMA OFF)
expect_artifacts(cu124-all cu124 all ${of_cuda})
expect_artifacts(cu124-conda-magma cu124 conda-magma conda-magma)
unset(TSB_MAGMA)

expect_artifacts(rocm6.2-all rocm6.2 all libtorch-shared-with-deps wheel-py311) # its backend has no others

set(TSB_PYTHONS "3.11;3.13") # 3.13 is not there: the doctor says so
expect_artifacts(cpu-all cpu all ${zips} wheel-py311 wheel-py313 conda-libtorch conda-py311 conda-py313)
set(TSB_PYTHONS 3.11)
expect_artifacts(cpu-wheel-py313 cpu wheel-py313 wheel-py313)
set(TSB_PYTHONS none)
expect_artifacts(cpu-all cpu all ${zips} conda-libtorch)

# One compile gives an artifact for each slice.
set(TSB_PYTHONS 3.11)
set(TSB_CUDA_SLICES "7.5,7.5;7.5;9.0+PTX,8.6;8.6,9.0+PTX,8.6") # in whatever order, and how often
expect_artifacts(
  mine cu124 "wheel-py311;libtorch-shared-with-deps" wheel-py311-sm75 libtorch-shared-with-deps-sm75
  wheel-py311-sm86.sm90ptx libtorch-shared-with-deps-sm86.sm90ptx
)
expect_artifacts(
  mine cu124 conda-py311 conda-libtorch-sm75 conda-py311-sm75 conda-libtorch-sm86.sm90ptx conda-py311-sm86.sm90ptx
)
set(TSB_PYTORCH_VERSION 2.15.0)
set(TSB_SOURCE_VERSION 2.15.0)
set(TSB_CUDA_SLICES 9.0)
expect_artifacts(official-cuda-conda-py312 official-cuda conda-py312 conda-libtorch-sm90 conda-py312-sm90)
tsb_expect("their rows" EQUAL "${values_ROWS}" "conda-libtorch;conda-py312")
set(TSB_PYTORCH_VERSION ${pytorch})
set(TSB_SOURCE_VERSION ${pytorch})

# native asks the driver's program.
set(ENV{PATH} "${TSB_TEST_DIR}/bin:$ENV{PATH}")
file(WRITE "${TSB_TEST_DIR}/bin/nvidia-smi" "#!/bin/sh\nprintf '9.0\\n8.6\\n9.0\\n'\n")
file(CHMOD "${TSB_TEST_DIR}/bin/nvidia-smi" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
foreach(slices IN ITEMS native "native;8.6,9.0")
  set(TSB_CUDA_SLICES ${slices})
  expect_artifacts(mine cu124 wheel-py311 wheel-py311-sm86.sm90)
endforeach()
