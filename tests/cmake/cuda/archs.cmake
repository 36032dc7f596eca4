# SPDX-License-Identifier: BSD-3-Clause
# Lists of architectures: what is taken, in which forms it comes out, and each way to get it wrong.
include(${CMAKE_CURRENT_LIST_DIR}/fake_toolkit.cmake)
include(${TSB_SOURCE_DIR}/backends/cuda/cmake/tsb_cuda_archs.cmake)
include(${TSB_SOURCE_DIR}/backends/cuda/cmake/tsb_cuda_compression.cmake)
include(${TSB_SOURCE_DIR}/cmake/model/tsb_load_model.cmake)

# load_release(<version>): its facts, and those of CUDA, whichever backends it has.
macro(load_release version)
  tsb_load_model(--release=${version})
  file(READ "${TSB_SOURCE_DIR}/backends/cuda/versions.json" facts)
  tsb_set_record(versions facts)
endmacro()
load_release(${pytorch})

# The default is the official list.
tsb_cuda_archs(x "" CUDA 12.4.131)
tsb_expect("default" EQUAL "${x_ARCHS}" "5.0;6.0;7.0;7.5;8.0;8.6;9.0")
tsb_expect("default" EQUAL "${x_FAULT}" "")
# The real library has 903 MB; NCCL and MAGMA may come to it.
if(x_SIZE_MB LESS 900 OR x_SIZE_MB GREATER 1200)
  message(FATAL_ERROR "the estimate of the official list is ${x_SIZE_MB} MB")
endif()

# Order, forms.
foreach(list IN ITEMS "9.0a|8.6+PTX|8.0" "8.0|9.0a|8.6+PTX")
  string(REPLACE "|" ";" archs "${list}")
  tsb_cuda_archs(x "${archs}" CUDA 12.4.131)
  tsb_expect("error of ${list}" EQUAL "${x_FAULT}" "")
  tsb_expect("${list}" EQUAL "${x_ARCHS}" "8.0;8.6+PTX;9.0a")
  tsb_expect("${list}" EQUAL "${x_CMAKE}" "80-real;86-real;86-virtual;90a-real")
  set(gencode "arch=compute_80,code=sm_80" "arch=compute_86,code=sm_86" "arch=compute_86,code=compute_86")
  list(APPEND gencode "arch=compute_90a,code=sm_90a")
  list(TRANSFORM gencode PREPEND "-gencode=")
  tsb_expect("${list}" EQUAL "${x_GENCODE}" "${gencode}")
endforeach()
load_release(2.8.0)
tsb_cuda_archs(x "12.0;9.0;10.0" CUDA 12.8)
load_release(${pytorch})
tsb_expect("two digits" EQUAL "${x_ARCHS}" "9.0;10.0;12.0")
tsb_expect("two digits" EQUAL "${x_CMAKE}" "90-real;100-real;120-real")

tsb_cuda_archs(x "8.6+PTX;8.6" CUDA 12.4)
tsb_expect("one twice" EQUAL "${x_CMAKE}" "86-real;86-virtual")

# fault(<list> <part>)
function(fault list part)
  tsb_cuda_archs(x "${list}" CUDA 12.4)
  tsb_expect("${list}" CONTAINS "${x_FAULT}" "${part}")
endfunction()
fault("8.0;3.5" "has 3.5, but 3.7 is the lowest that upstream makes PyTorch ${pytorch} for: remove it")
fault("10.0f" "has 10.0f, but PyTorch ${pytorch} knows none with an f: write 10.0")
set(release_cuda_arch_letters a f)
tsb_cuda_archs(x "10.0f" CUDA 12.9.86)
tsb_expect("a release that knows f" EQUAL "${x_CMAKE}" "100f-real")
tsb_cuda_archs(x "9.0a" CUDA 11.8.89)
tsb_expect("a" CONTAINS "${x_FAULT}" "has 9.0a, which CUDA 11.8.89 does not know: write 9.0")

# Too long: refused before the linker does. More compression, where it may be used, is the other way out.
set(all 5.0 5.2 5.3 6.0 6.1 6.2 7.0 7.2 7.5 8.0 8.6 8.7 8.9 9.0)
tsb_cuda_archs(x "${all}" CUDA 12.4.131)
tsb_expect("too long" CONTAINS "${x_FAULT}" "has 14 architectures, which need about")
tsb_expect("too long" CONTAINS "${x_FAULT}" "a libtorch_cuda.so cannot exceed 2147 MB (relocation truncated)")
tsb_expect("too long" CONTAINS "${x_FAULT}" "name fewer, since those of one major number")
tsb_expect("too long" LACKS "${x_FAULT}" "TSB_CUDA_LOWEST_DRIVER")
load_release(2.8.0)
tsb_cuda_archs(x "${all};10.0+PTX" CUDA 12.8.90)
tsb_expect("too long" CONTAINS "${x_FAULT}" "or set TSB_CUDA_LOWEST_DRIVER=550.54.14")
tsb_cuda_archs(x "${all};10.0+PTX" CUDA 12.8.90 COMPRESSION size)
tsb_expect("compressed" EQUAL "${x_FAULT}" "")

# With static libraries a program has to be possible: the official lists are, and of others a shared library may be
# where a program is not.
foreach(release IN LISTS model_releases)
  load_release(${release})
  foreach(version IN LISTS release_backends_cuda)
    tsb_cuda_archs(x "" CUDA ${version} STATIC)
    tsb_expect("static, ${release} with ${version}" EQUAL "${x_FAULT}" "")
    list(LENGTH x_CMAKE count)
    math(EXPR more "${x_PROGRAM_MB} - ${x_SIZE_MB} + 21 * ${count}")
    tsb_expect("what a program has besides, and not of NCCL" EQUAL ${more} 400)
  endforeach()
endforeach()
load_release(${pytorch})
set(some 5.0 5.2 5.3 6.0 6.1 6.2 7.0 7.2 7.5 8.0 8.6 8.7)
tsb_cuda_archs(x "${some}" CUDA 12.4.131)
tsb_expect("shared" EQUAL "${x_FAULT}" "")
tsb_expect("shared" EQUAL "${x_PROGRAM_MB}" "")
tsb_cuda_archs(x "${some}" CUDA 12.4.131 STATIC)
tsb_expect("too long" CONTAINS "${x_FAULT}" "has 12 architectures, which need about")
tsb_expect("too long" CONTAINS "${x_FAULT}" "a program with the static libraries inside cannot exceed 2147 MB")
tsb_expect("too long" CONTAINS "${x_FAULT}" "or take a preset of shared libraries: a libtorch_cuda.so of about")
tsb_cuda_archs(x "${all}" CUDA 12.4.131 STATIC)
tsb_expect("too long for both" LACKS "${x_FAULT}" "preset of shared libraries")

# Compression: by nvcc and by the oldest driver that is to load the code.
foreach(
  case IN ITEMS "11.8||speed" "12.4.131|580|speed" "12.8.90||speed" "12.8.90|525.60.13|speed" "12.9.86|550.54.14|size"
                "13.0.88||size"
)
  string(REPLACE "|" ";" case "${case}")
  list(POP_FRONT case cuda driver expected)
  tsb_cuda_compression(flags mode ${cuda} ${driver})
  tsb_expect("compression of ${cuda}, ${driver}" EQUAL "${mode}" ${expected})
  set(all_flags "-Xfatbin;-compress-all")
  if(expected STREQUAL "size")
    list(APPEND all_flags -compress-mode=size)
  endif()
  tsb_expect("flags of ${cuda}, ${driver}" EQUAL "${flags}" "${all_flags}")
endforeach()

# The program's real forms: where a toolkit is here, its nvcc takes all flags that it would be given.
find_program(real nvcc NO_CACHE)
if(real)
  execute_process(COMMAND "${real}" --version OUTPUT_VARIABLE version)
  if(version MATCHES "V([0-9.]+)")
    set(version ${CMAKE_MATCH_1})
    tsb_cuda_archs(x "8.0;9.0a+PTX" CUDA ${version})
    tsb_expect("with ${real}" EQUAL "${x_FAULT}" "")
    tsb_cuda_compression(flags mode ${version})
    execute_process(
      COMMAND "${real}" ${x_GENCODE} ${flags} --dryrun -c -x cu /dev/null -o nothing RESULT_VARIABLE status
      ERROR_VARIABLE output
    )
    message("${output}")
    tsb_expect("with ${real}" EQUAL "${status}" 0)
  endif()
endif()
