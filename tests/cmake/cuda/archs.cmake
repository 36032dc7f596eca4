# SPDX-License-Identifier: BSD-3-Clause
# What the settings of CUDA come to, and each way to get them wrong that the data tells.
include(${CMAKE_CURRENT_LIST_DIR}/fake_toolkit.cmake)
include(${TSB_SOURCE_DIR}/backends/cuda/cmake/tsb_cuda_size.cmake)
include(${TSB_SOURCE_DIR}/cmake/settings/tsb_settings.cmake)

# load_release(<version>): its facts, and those of CUDA, whichever backends it has.
macro(load_release version)
  tsb_load_model(--release=${version})
  file(READ "${TSB_SOURCE_DIR}/backends/cuda/versions.json" facts)
  tsb_set_record(versions facts)
  set(backend_kind cuda)
  set(backend_folder cuda)
endmacro()

# resolve(<CUDA> <architecture>...): sets the record `backend_configured`, `size`, and `fault`.
macro(resolve cuda)
  set(backend_version ${cuda})
  set(TSB_CUDA_ARCHS ${ARGN})
  tsb_ask_backend(resolved backend resolve)
  tsb_set_record(backend_configured resolved)
  tsb_cuda_size(size)
  tsb_ask_backend(fault backend settings)
endmacro()
load_release(${pytorch})

# The default is the official list. The real library has 903 MB; NCCL and MAGMA may come to it.
resolve(12.4)
tsb_expect("default" EQUAL "${backend_configured_archs}" "5.0;6.0;7.0;7.5;8.0;8.6;9.0")
tsb_expect("default" EQUAL "${fault}" "")
if(size LESS 900 OR size GREATER 1200)
  message(FATAL_ERROR "the estimate of the official list is ${size} MB")
endif()

resolve(12.4 9.0)
tsb_expect("the host's code, this one's, and what is linked in" EQUAL ${size} 276)
resolve(12.4 8.7)
tsb_expect("one that was not measured: the next lower one" EQUAL ${size} 270)

# Order, forms. What an artifact is built for that is cut to some GPUs has the same.
foreach(list IN ITEMS "9.0a|8.6+PTX|8.0" "8.6|8.0|9.0a|8.6+PTX")
  string(REPLACE "|" ";" archs "${list}")
  resolve(12.4 ${archs})
  tsb_expect("error of ${list}" EQUAL "${fault}" "")
  tsb_ask_backend(slice backend slice ${archs})
  tsb_set_record(slice slice)
  foreach(record IN ITEMS backend_configured slice)
    tsb_expect("${list}" EQUAL "${${record}_archs}" "8.0;8.6+PTX;9.0a")
    tsb_expect("${list}" EQUAL "${${record}_cmake_archs}" "80-real;86-real;86-virtual;90a-real")
  endforeach()
endforeach()
load_release(2.8.0)
resolve(12.8 12.0 9.0 10.0)
tsb_expect("two digits" EQUAL "${backend_configured_archs}" "9.0;10.0;12.0")
tsb_expect("two digits" EQUAL "${backend_configured_cmake_archs}" "90-real;100-real;120-real")
load_release(${pytorch})

# fault(<CUDA> <architectures> <part>)
macro(fault cuda list part)
  resolve(${cuda} ${list})
  tsb_expect("${list}" CONTAINS "${fault}" "TSB_CUDA_ARCHS ${part}")
endmacro()
fault(12.4 "8.0;3.5" "has 3.5, but 3.7 is the lowest that upstream makes PyTorch ${pytorch} for: remove it")
fault(12.4 "10.0f+PTX" "has 10.0f, but PyTorch ${pytorch} knows none with an f: write 10.0")
set(release_cuda_arch_letters a f)
resolve(12.9 10.0f)
tsb_expect("a release that knows f" EQUAL "${backend_configured_cmake_archs}" "100f-real")
tsb_expect("a release that knows f" EQUAL "${fault}" "")
fault(12.8 "10.0f" "has 10.0f, which CUDA 12.8 does not know: write 10.0")
fault(11.8 "9.0a" "has 9.0a, which CUDA 11.8 does not know: write 9.0")

# Too long: refused before the linker does. More compression, where it may be used, is the other way out.
set(all 5.0 5.2 5.3 6.0 6.1 6.2 7.0 7.2 7.5 8.0 8.6 8.7 8.9 9.0)
fault(12.4 "${all}" "has 14 architectures, which need about")
set(what "a libtorch_cuda.so cannot exceed 2147 MB (relocation truncated)")
tsb_expect("too long" CONTAINS "${fault}" "${size} MB, and ${what}: name fewer, since those of one major number")
tsb_expect("too long" LACKS "${fault}" "TSB_CUDA_LOWEST_DRIVER")
load_release(2.8.0)
fault(12.8 "${all};10.0+PTX" "has 16 architectures")
tsb_expect("too long" CONTAINS "${fault}" "or set TSB_CUDA_LOWEST_DRIVER=550.54.14")
set(TSB_CUDA_LOWEST_DRIVER 550.54.14)
resolve(12.8 ${all} 10.0+PTX)
tsb_expect("compressed" EQUAL "${fault}" "")
unset(TSB_CUDA_LOWEST_DRIVER)

# With static libraries a program has to be possible: the official lists are, and of others a shared library may be
# where a program is not.
set(TSB_ARTIFACTS libtorch-static-with-deps)
foreach(release IN LISTS model_releases)
  load_release(${release})
  foreach(version IN LISTS release_backends_cuda)
    resolve(${version})
    tsb_expect("static, ${release} with ${version}" EQUAL "${fault}" "")
  endforeach()
endforeach()
load_release(${pytorch})
set(some 5.0 5.2 5.3 6.0 6.1 6.2 7.0 7.2 7.5 8.0 8.6 8.7)
resolve(12.4 ${some})
math(EXPR linked "${size} + 400 - 21 * 12") # what a program has besides, and not of NCCL
set(what "a program with the static libraries inside cannot exceed 2147 MB")
tsb_expect("too long" CONTAINS "${fault}" "has 12 architectures, which need about ${linked} MB, and ${what}")
set(shared "or take a preset of shared libraries: a libtorch_cuda.so of about ${size} MB")
tsb_expect("too long" CONTAINS "${fault}" "${shared}")
set(TSB_ARTIFACTS all)
resolve(12.4 ${some})
tsb_expect("too long for one of all" CONTAINS "${fault}" "${what}")
resolve(12.4 ${all})
tsb_expect("too long for both" LACKS "${fault}" "preset of shared libraries")
set(TSB_ARTIFACTS libtorch-shared-with-deps)
resolve(12.4 ${some})
tsb_expect("shared" EQUAL "${fault}" "")

# Compression: by nvcc and by the oldest driver that is to load the code.
foreach(
  case IN ITEMS "11.8||speed" "12.4|580|speed" "12.8||speed" "12.8|525.60.13|speed" "12.9|550.54.14|size" "13.0||size"
)
  string(REPLACE "|" ";" case "${case}")
  list(POP_FRONT case cuda TSB_CUDA_LOWEST_DRIVER mode)
  set(expected "-Xfatbin;-compress-all")
  if(mode STREQUAL "size")
    list(APPEND expected -compress-mode=size)
  endif()
  resolve(${cuda} 9.0)
  tsb_expect("${cuda}, driver ${TSB_CUDA_LOWEST_DRIVER}" EQUAL "${backend_configured_compression}" "${expected}")
endforeach()

# Where a toolkit is here, its nvcc takes them.
find_program(real nvcc NO_CACHE)
if(real)
  execute_process(COMMAND "${real}" --version OUTPUT_VARIABLE version)
  string(REGEX MATCH "release ([0-9.]+)" ignored "${version}")
  resolve(${CMAKE_MATCH_1} 9.0)
  execute_process(
    COMMAND "${real}" ${backend_configured_compression} --dryrun -c -x cu /dev/null -o nothing RESULT_VARIABLE status
    ERROR_VARIABLE output
  )
  tsb_expect("with ${real}: ${output}" EQUAL "${status}" 0)
endif()
