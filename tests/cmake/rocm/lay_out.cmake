# SPDX-License-Identifier: BSD-3-Clause
# ROCm as a prefix of links, in both layouts; and in which order headers are found with it: ours, ROCm's, the machine's,
# although hipcc puts ROCm's folder behind all others.
include("${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake")
include("${TSB_SOURCE_DIR}/tests/fixtures/rocm.cmake")
include("${TSB_SOURCE_DIR}/cmake/model/tsb_json_object.cmake")

# lay_out(<home> <layout> [<library>...]): as <test's folder>/<layout>.
function(lay_out home layout)
  set(libraries ${ARGN})
  tsb_json_object(toolkit "" TEXTS home layout LISTS libraries)
  file(WRITE "${TSB_TEST_DIR}/${layout}.json" "${toolkit}")
  execute_process(
    COMMAND
      "${CMAKE_COMMAND}" "-DTSB_MACHINE=${TSB_TEST_DIR}/${layout}.json" "-DTSB_INSTALL_DIR=${TSB_TEST_DIR}/${layout}"
      -P "${TSB_SOURCE_DIR}/backends/rocm/packages/rocm-toolkit/lay_out.cmake" COMMAND_ERROR_IS_FATAL ANY
  )
endfunction()

set(home "${TSB_TEST_DIR}/opt/rocm 6")
make_rocm("${home}" 6.2.4)
set(usr "${TSB_TEST_DIR}/machine/usr")
make_rocm("${usr}" 6.2.4 LAYOUT distribution)
file(WRITE "${usr}/include/stdio.h" "the C library's\n")
lay_out("${home}" standard "${home}/lib/libhip.so" "${home}/lib/librocblas.so.4")
lay_out("${usr}" distribution "${usr}/lib/x86_64-linux-gnu/libhip.so" "${usr}/lib/x86_64-linux-gnu/librocblas.so.4")
foreach(layout IN ITEMS standard distribution)
  set(prefix "${TSB_TEST_DIR}/${layout}")
  tsb_expect("headers" EXISTS "${prefix}/include/hip/hip_runtime.h")
  tsb_expect("headers of the machine" ABSENT "${prefix}/include/stdio.h")
  file(GLOB libraries RELATIVE "${prefix}/lib" "${prefix}/lib/*")
  tsb_expect("libraries, ${layout}" EQUAL "${libraries}" "libhip.so;librocblas.so.4")
endforeach()
tsb_expect("all of it" EXISTS "${TSB_TEST_DIR}/standard/rocm/lib/cmake/hip/hip-config-version.cmake")
tsb_expect("all of the machine" ABSENT "${TSB_TEST_DIR}/distribution/rocm")

# Decoys: one header in all three places, one in ROCm and on the machine.
set(ours "${TSB_TEST_DIR}/ours")
set(machine "${TSB_TEST_DIR}/machine")
file(WRITE "${ours}/decoys/in_all.h" "in_all_1\n")
foreach(pair IN ITEMS "${home}/include=2" "${machine}=3")
  string(REGEX MATCH "^(.*)=(.*)$" ignored "${pair}")
  file(WRITE "${CMAKE_MATCH_1}/decoys/in_all.h" "in_all_${CMAKE_MATCH_2}\n")
  file(WRITE "${CMAKE_MATCH_1}/decoys/in_two.h" "in_two_${CMAKE_MATCH_2}\n")
endforeach()
file(WRITE "${machine}/decoys/in_one.h" "in_one_3\n")
lay_out("${home}" standard)
file(
  WRITE "${TSB_TEST_DIR}/try.hip"
  "#include <decoys/in_all.h>\n#include <decoys/in_two.h>\n#include <decoys/in_one.h>\n"
)

# expect_order(<what> <headers in their order> <option>...): what hipcc includes.
function(expect_order what expected)
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -E env "PATH=${TSB_TEST_DIR}/bin:$ENV{PATH}" "ROCM_PATH=${home}"
            "CPLUS_INCLUDE_PATH=${machine}" "${home}/bin/hipcc" -E ${ARGN} "${TSB_TEST_DIR}/try.hip"
    OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY
  )
  string(REGEX MATCHALL "in_[a-z]+_[0-9]" found "${output}")
  tsb_expect("${what}" EQUAL "${found}" "${expected}")
endfunction()

set(compilers 0)
foreach(name IN ITEMS g++ clang++)
  find_program(compiler_${name} ${name} NO_CACHE)
  if(compiler_${name})
    file(REMOVE "${TSB_TEST_DIR}/bin/c++")
    file(MAKE_DIRECTORY "${TSB_TEST_DIR}/bin")
    file(CREATE_LINK "${compiler_${name}}" "${TSB_TEST_DIR}/bin/c++" SYMBOLIC)
    expect_order("${name}: ROCm's own folder comes last" "in_all_1;in_two_3;in_one_3" "-I${ours}" "-I${home}/include")
    expect_order(
      "${name}: the prefix does not" "in_all_1;in_two_2;in_one_3" "-I${ours}" "-I${home}/include" -isystem
      "${TSB_TEST_DIR}/standard/include"
    )
    math(EXPR compilers "${compilers} + 1")
  endif()
endforeach()
if(compilers EQUAL 0)
  message("SKIP: neither g++ nor clang++ is here")
endif()
