# SPDX-License-Identifier: BSD-3-Clause
# Builds NCCL for one architecture with the CUDA toolkit of this machine, as a preset does, and a program with each of
# its libraries. Only a few of its functions are compiled (ONLY_FUNCS, which NCCL has for its own developers): all of
# them take hours. Without a GPU NCCL says so, and nothing more can be run.
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)
set(build "${TSB_TEST_DIR}/build")
set(packages "${TSB_SOURCE_DIR}/backends/cuda/packages")
file(READ "${packages}/nccl.cmake" text)
string(REPLACE "\${CMAKE_CURRENT_LIST_DIR}" "${packages}" text "${text}")
string(REPLACE " BUILDDIR=" " \"ONLY_FUNCS=AllReduce Sum f32 RING LL|SendRecv\" BUILDDIR=" text "${text}")
tsb_expect("the declaration" CONTAINS "${text}" "ONLY_FUNCS")
file(WRITE "${TSB_TEST_DIR}/additions/backends/cuda/packages/nccl.cmake" "${text}")
set(
  environment
  env "TSB_STORE=${TSB_TEST_DIR}/store" "TSB_DIST=${TSB_TEST_DIR}/dist" "TSB_TORCHPKG=${TORCHPKG}"
  "TSB_ADDITIONS=${TSB_TEST_DIR}/additions" --unset=TSB_PINS_FILE TSB_CUDA_ARCHS=9.0 TSB_DOCTOR_SKIP=disk,memory
)

# run(<command>...): sets status and output.
function(run)
  tsb_run(status output IN "${TSB_SOURCE_DIR}" ${environment} ${ARGN})
  set(status "${status}" PARENT_SCOPE)
  set(output "${output}" PARENT_SCOPE)
endfunction()
macro(good what)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${what}: it ended with ${status}:\n${output}")
  endif()
endmacro()

run(${CMAKE_COMMAND} --preset cu124-libtorch-shared -B "${build}" -DTSB_PACKAGES=nccl)
if(NOT status EQUAL 0 AND output MATCHES "This machine is not ready:[ \n]*((CUDA|cuDNN)[^\n]*)")
  message("SKIP: the doctor finds this machine not fit for cu124: ${CMAKE_MATCH_1}")
  return()
endif()
good("configure")
run(${CMAKE_COMMAND} --build "${build}" --target fetch)
if(NOT status EQUAL 0 AND output MATCHES "required sources are missing" AND NOT output MATCHES "wrong sha256")
  message("SKIP: no provider of NCCL's source can be reached")
  return()
endif()
good("fetch")
run(${CMAKE_COMMAND} --build "${build}" --target nccl)
good("build")
set(install "${build}/packages/nccl/install")
file(READ "${build}/packages/nccl/manifest.json" manifest)
string(JSON version GET "${manifest}" version)
foreach(library IN ITEMS libnccl.so libnccl_static.a)
  file(READ "${build}/packages/nccl/log/stage-copy_library.log" log)
  tsb_expect("the version of ${library}" CONTAINS "${log}" "NCCL ${version}: ${install}/lib/${library}")
  execute_process(
    COMMAND "${build}/packages/cuda-toolkit/install/bin/cuobjdump" --list-elf "${install}/lib/${library}"
    OUTPUT_VARIABLE listing
  )
  string(REGEX MATCHALL "sm_[0-9a-z]+" archs "${listing}")
  list(REMOVE_DUPLICATES archs)
  tsb_expect("the architectures of ${library}" EQUAL "${archs}" sm_90)
endforeach()

# Two programs: one loads the library, one has it inside.
file(
  WRITE "${TSB_TEST_DIR}/program.cpp"
  [[
#include <cstdio>
#include <nccl.h>

int main() {
  int version = 0;
  if (ncclGetVersion(&version) != ncclSuccess) return 1;
  ncclUniqueId id;
  const ncclResult_t result = ncclGetUniqueId(&id);
  std::printf("%d %d, unique id: %s\n", version, NCCL_VERSION_CODE, ncclGetErrorString(result));
  return version != NCCL_VERSION_CODE;
}
]]
)
set(toolkit "${build}/packages/cuda-toolkit/install")
foreach(library IN ITEMS libnccl.so libnccl_static.a)
  run(
    c++ "${TSB_TEST_DIR}/program.cpp" "-I${install}/include" "-I${toolkit}/include" "${install}/lib/${library}"
    "-Wl,-rpath,${install}/lib" "${toolkit}/lib64/libcudart_static.a" -lpthread -lrt -ldl -o "${TSB_TEST_DIR}/program"
  )
  good("linking with ${library}")
  run("${TSB_TEST_DIR}/program")
  good("the program with ${library}")
  message("${library}: ${output}")
endforeach()
