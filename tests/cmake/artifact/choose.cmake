# SPDX-License-Identifier: BSD-3-Clause
# What a preset makes, and what an artifact is. One of one Python keeps its artifact, whatever the machine has; one that
# makes everything takes what is there.
include(${CMAKE_CURRENT_LIST_DIR}/artifacts_of.cmake)
set(python "${TSB_TEST_DIR}/python")
file(WRITE "${python}" "#!/bin/sh\necho 'CPython|3.11|3.11.7||headers|cpython-311|${python}'\n")
file(CHMOD "${python}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
set(TSB_PYTHON_311 "${python}")
foreach(version IN ITEMS 39 310 312 313)
  set(TSB_PYTHON_${version} "${TSB_TEST_DIR}/nothing")
endforeach()

# expect_artifacts(<preset> <backend> <artifacts asked for> <name>...): sets values.
function(expect_artifacts preset backend asked)
  artifacts_of("${preset}" ${backend} "${asked}")
  set(names "")
  foreach(value IN LISTS values)
    z_tsb_json_take(value name)
    list(APPEND names ${name})
  endforeach()
  tsb_expect("artifacts of ${preset}" EQUAL "${names}" "${ARGN}")
  set(values "${values}" PARENT_SCOPE)
endfunction()

# expect_members(<name> <member>=<value>...)
function(expect_members wanted)
  foreach(value IN LISTS values)
    z_tsb_json_take(value name)
    if(name STREQUAL wanted)
      foreach(pair IN LISTS ARGN)
        string(REGEX MATCH "^([^=]*)=(.*)$" pair "${pair}")
        string(REPLACE "." ";" path "${CMAKE_MATCH_1}")
        set(expected "${CMAKE_MATCH_2}")
        z_tsb_json_get(found "${value}" ${path})
        tsb_expect("${wanted}: ${path}" EQUAL "${found}" "${expected}")
      endforeach()
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "there is no ${wanted}")
endfunction()

set(zips libtorch-shared-with-deps libtorch-shared-without-deps libtorch-static-with-deps libtorch-static-without-deps)
expect_artifacts(cpu-wheel-py313 cpu wheel-py313 wheel-py313)
expect_members(
  wheel-py313 python=3.13 python_tag=cp313 package=pytorch-py313 version=${pytorch}+cpu release.version=${pytorch}
  backend.kind=cpu debug_file=debug-torch-${pytorch}+cpu-cp313-cp313.zip preset=cpu-wheel-py313 file= linkage=shared
  deps=with-deps
)
expect_artifacts(cpu-libtorch-static cpu libtorch-static-with-deps libtorch-static-with-deps)
expect_members(
  libtorch-static-with-deps python= debug_file= linkage=static product=libtorch
  file=libtorch-cxx11-abi-static-with-deps-${pytorch}+cpu.zip
)
expect_artifacts(cpu-conda-py311 cpu conda-py311 conda-libtorch conda-py311)
expect_members(conda-libtorch preset=cpu-all tree=libtorch product=conda deps=without-deps)
expect_members(conda-py311 preset=cpu-conda-py311 tree=wheel python_tag=cp311)
set(TSB_BLAS openblas)
expect_artifacts(mine cu124 "wheel-py311-large;libtorch-shared-with-deps" wheel-py311-large libtorch-shared-with-deps)
expect_members(
  wheel-py311-large build=1large style=large version=${pytorch}+cu124.openblas blas=openblas backend.version=12.4
  preset=mine debug_file=debug-torch-${pytorch}+cu124.openblas-1large-cp311-cp311.zip
)
set(TSB_BLAS mkl)

expect_artifacts(cpu-all cpu all ${zips} wheel-py311 conda-libtorch conda-py311)
expect_members(libtorch-shared-with-deps preset=cpu-libtorch-shared)
expect_members(wheel-py311 preset=cpu-wheel-py311 style=plain)
expect_members(conda-libtorch preset=cpu-all)
expect_artifacts(cu124-all-${pytorch} cu124 all ${zips} wheel-py311 wheel-py311-large conda-libtorch conda-py311)
expect_members(wheel-py311 preset=cu124-wheel-py311-${pytorch} style=small)

expect_artifacts(rocm6.2-all rocm6.2 all libtorch-shared-with-deps wheel-py311) # its backend has no others

set(TSB_PYTHONS "3.11;3.13") # 3.13 is not there: the doctor says so
expect_artifacts(cpu-all cpu all ${zips} wheel-py311 wheel-py313 conda-libtorch conda-py311 conda-py313)
set(TSB_PYTHONS 3.11)
expect_artifacts(cpu-wheel-py313 cpu wheel-py313 wheel-py313)
set(TSB_PYTHONS none)
expect_artifacts(cpu-all cpu all ${zips} conda-libtorch)

# One compile gives an artifact for each slice.
set(TSB_PYTHONS 3.11)
set(TSB_CUDA_SLICES "7.5;8.6,9.0+PTX")
expect_artifacts(
  mine cu124 "wheel-py311;libtorch-shared-with-deps" wheel-py311-sm75 libtorch-shared-with-deps-sm75
  wheel-py311-sm86.sm90ptx libtorch-shared-with-deps-sm86.sm90ptx
)
expect_members(
  wheel-py311-sm75 version=${pytorch}+cu124.sm75 slice.archs.0=7.5 slice.name=sm75 preset=mine
  debug_file=debug-torch-${pytorch}+cu124.sm75-cp311-cp311.zip
)
expect_members(
  libtorch-shared-with-deps-sm86.sm90ptx version=${pytorch}+cu124.sm86.sm90ptx slice.archs.0=8.6 slice.archs.1=9.0+PTX
  file=libtorch-cxx11-abi-shared-with-deps-${pytorch}+cu124.sm86.sm90ptx.zip
)
expect_artifacts(
  mine cu124 conda-py311 conda-libtorch-sm75 conda-py311-sm75 conda-libtorch-sm86.sm90ptx conda-py311-sm86.sm90ptx
)
set(TSB_PYTORCH_VERSION 2.15.0)
set(TSB_SOURCE_VERSION 2.15.0)
set(TSB_CUDA_SLICES 9.0)
expect_artifacts(official-cuda-conda-py312 official-cuda conda-py312 conda-libtorch-sm90 conda-py312-sm90)
expect_members(conda-libtorch-sm90 version=2.15.0+official.cu132.sm90 preset=official-cuda-conda-py312)
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
