# SPDX-License-Identifier: BSD-3-Clause
# A folder in the standard layout out of each other one: what is in it, and what is not.
include(${CMAKE_CURRENT_LIST_DIR}/fake_toolkit.cmake)
include(${TSB_SOURCE_DIR}/backends/cuda/cmake/tsb_lay_out_cuda_toolkit.cmake)
include(${TSB_SOURCE_DIR}/cmake/model/tsb_load_model.cmake)
tsb_load_model()
set(cxx "${TSB_TEST_DIR}/g++")
cxx_of_glibc("${cxx}" 41)
# Another toolkit's tools are first on the PATH.
foreach(tool IN ITEMS cicc ptxas fatbinary cudafe++ nvlink)
  cuda_tool("${TSB_TEST_DIR}/other/${tool}" 12.8.93)
endforeach()
set(ENV{PATH} "${TSB_TEST_DIR}/other:/usr/bin:/bin")
set(home_standard "${TSB_TEST_DIR}/standard")
set(home_distribution "${TSB_TEST_DIR}/unpacked/usr")
set(home_conda "${TSB_TEST_DIR}/conda")
set(home_pip "${TSB_TEST_DIR}/site-packages/nvidia/cu13")

foreach(layout IN ITEMS standard distribution conda pip)
  fake_toolkit("${home_${layout}}" 13.0.88 LAYOUT ${layout})
  find_toolkits("" "TSB_CUDA_HOME=${home_${layout}}")
  string(JSON toolkit GET "${toolkits}" 0)
  string(JSON nvcc GET "${toolkit}" nvcc)
  execute_process(COMMAND touch -d 2020-05-05 "${nvcc}")
  string(JSON found GET "${toolkit}" layout)
  tsb_expect("layout" EQUAL "${found}" ${layout})
  set(folder "${TSB_TEST_DIR}/out ${layout}")
  file(WRITE "${folder}/include/left_over.h" "")
  file(RENAME "${TSB_TEST_DIR}/toolkit-0.json" "${TSB_TEST_DIR}/${layout}.json")
  tsb_lay_out_cuda_toolkit("${TSB_TEST_DIR}/${layout}.json" "${folder}" HOST_COMPILER "${cxx}")

  foreach(
    file IN
    ITEMS
      bin/ptxas bin/fatbinary bin/cudafe++ bin/nvlink bin/bin2c nvvm/bin/cicc nvvm/libdevice/libdevice.10.bc
      include/cuda_runtime.h include/crt/host_config.h include/thrust/version.h lib64/libcudart_static.a
      lib64/libcublas.so lib64/libcublas.so.13 lib/libcublas.so lib64/stubs/libcuda.so
  )
    tsb_expect("${layout}" EXISTS "${folder}/${file}")
  endforeach()
  foreach(
    file IN ITEMS include/cudnn.h lib64/libcudnn.so.9 lib64/libcudnn.so include/stdio.h include/left_over.h
                  lib64/libc.so lib64/libcuda.so
  )
    tsb_expect("${layout}" ABSENT "${folder}/${file}")
  endforeach()
  # A copy: nvcc finds its parts beside the file that it really is.
  if(IS_SYMLINK "${folder}/bin/nvcc")
    message(FATAL_ERROR "${layout}: bin/nvcc is a link")
  endif()
  # ... with that file's time, by which ccache knows compilers.
  file(TIMESTAMP "${folder}/bin/nvcc" time "%Y" UTC)
  tsb_expect("${layout}: the year of nvcc" EQUAL "${time}" 2020)
  execute_process(COMMAND "${folder}/bin/nvcc" --version OUTPUT_VARIABLE version)
  tsb_expect("${layout}" CONTAINS "${version}" "V13.0.88")
  file(READ "${folder}/bin/nvcc.profile" profile)
  tsb_expect("${layout}" CONTAINS "${profile}" "NVVMIR_LIBRARY_DIR = $(TOP)/nvvm/libdevice")
  tsb_expect("${layout}" LACKS "${profile}" "nowhere")
  # Its header declared sinpi() otherwise than glibc from 2.41 on.
  execute_process(COMMAND "${folder}/bin/nvcc" -std=c++17 -ccbin "${cxx}" COMMAND_ERROR_IS_FATAL ANY)
  file(READ "${folder}/include/crt/math_functions.h" text)
  tsb_expect("corrected" CONTAINS "${text}" " sinpi(double x) noexcept(true);")
  tsb_expect("corrected" CONTAINS "${text}" "__func__(double sinpi(double a) noexcept(true));")
  tsb_expect("not declared by this glibc" CONTAINS "${text}" " rsqrt(double x);")
  tsb_expect("had one" CONTAINS "${text}" " sin(double x) __THROW;")
  tsb_expect_file(
    "corrected" CONTAINS "${folder}/include/crt/math_functions.hpp"
    "__func__(double sinpi(double a) noexcept(true))\n{"
  )
  string(JSON include GET "${toolkit}" include 0)
  tsb_expect_file("the machine's own" LACKS "${include}/crt/math_functions.h" "noexcept")
  file(REAL_PATH "${folder}/include/crt/machine/math_functions.h" real)
  file(REAL_PATH "${include}/crt/math_functions.h" own)
  tsb_expect("the machine's own, by a link" EQUAL "${real}" "${own}")
endforeach()

# With an older glibc it is what the toolkit has.
cxx_of_glibc("${cxx}" 40)
tsb_lay_out_cuda_toolkit("${TSB_TEST_DIR}/pip.json" "${folder}" HOST_COMPILER "${cxx}")
file(REAL_PATH "${folder}/include/crt/math_functions.h" real)
tsb_expect("not corrected" EQUAL "${real}" "${include}/crt/math_functions.h")

# Two folders with the same subfolder, as the older packages for pip have: it has the headers of both.
file(WRITE "${TSB_TEST_DIR}/more/crt/other.h" "")
file(WRITE "${TSB_TEST_DIR}/more/crt/host_config.h" "the second")
string(JSON toolkit SET "${toolkit}" include 1 "\"${TSB_TEST_DIR}/more\"")
file(WRITE "${TSB_TEST_DIR}/pip.json" "${toolkit}")
tsb_lay_out_cuda_toolkit("${TSB_TEST_DIR}/pip.json" "${folder}" HOST_COMPILER "${cxx}")
tsb_expect("both" EXISTS "${folder}/include/crt/other.h")
tsb_expect_file("the first stays" CONTAINS "${folder}/include/crt/host_config.h" "__GNUC__ >")
tsb_expect("nothing written through a link" ABSENT "${home_pip}/include/crt/other.h")
file(GLOB beside "${folder}.*")
tsb_expect("nothing left" EQUAL "${beside}" "")

# Whatever the reason: what nvcc would take from elsewhere is an error.
string(JSON home GET "${toolkit}" home)
file(REMOVE "${home}/bin/fatbinary" "${home}/nvvm/bin/cicc")
tsb_lay_out_cuda_toolkit("${TSB_TEST_DIR}/pip.json" "${folder}" HOST_COMPILER "${cxx}" RESULT_ERROR error)
tsb_expect("foreign" EQUAL "${error}" "nvcc would run cicc, which does not exist; fatbinary of ${TSB_TEST_DIR}/other")
file(REMOVE "${TSB_TEST_DIR}/other/fatbinary")
executable("${home}/nvvm/bin/cicc" "exit 1")
tsb_lay_out_cuda_toolkit("${TSB_TEST_DIR}/pip.json" "${folder}" HOST_COMPILER "${cxx}" RESULT_ERROR error)
tsb_expect("nowhere" EQUAL "${error}" "nvcc would run fatbinary, which does not exist")
executable("${home}/bin/nvcc" "echo 'nvcc warning: old'; echo 'nvcc fatal: no host compiler'; exit 1")
tsb_lay_out_cuda_toolkit("${TSB_TEST_DIR}/pip.json" "${folder}" HOST_COMPILER "${cxx}" RESULT_ERROR error)
tsb_expect("no answer" EQUAL "${error}" "nvcc --dryrun fails: nvcc fatal: no host compiler")
