# SPDX-License-Identifier: BSD-3-Clause
# Static libraries of a CUDA build: a source that knows BUILD_LAZY_CUDA_LINALG is compiled again without it, and fails.
# e2e.cuda-static makes good ones.
include("${CMAKE_CURRENT_LIST_DIR}/package.cmake")
find_program(ninja NAMES ninja ninja-build REQUIRED)
set(packages "${TSB_TEST_DIR}/a folder/packages")
set(build "${packages}/pytorch/build")
file(MAKE_DIRECTORY "${packages}/pytorch/install" "${build}/lib")
file(
  WRITE "${packages}/pytorch/source/stubs.c"
  [[
#ifndef BUILD_LAZY_CUDA_LINALG
#error it was never compiled so
#endif
]]
)
file(
  WRITE "${build}/build.ninja"
  [[
rule compile
  command = cc $flags -fPIC -o $out -c $in
rule link
  command = cc -shared -o $out $in
build stubs.o: compile ../source/stubs.c
  flags = -DBUILD_LAZY_CUDA_LINALG
build lib/libtorch_cuda.so: link stubs.o
build lib/libtorch_cuda_linalg.so: link stubs.o
]]
)
run(good "${ninja}" -C "${build}")
file(
  WRITE "${TSB_TEST_DIR}/a folder/settings.json"
  "{\"ninja\": \"${ninja}\", \"torchpkg\": \"false\", \"CMAKE_STRIP\": \"strip\"}"
)
file(
  WRITE "${TSB_TEST_DIR}/a folder/plan/backend.json"
  [[{"folder": "cuda", "kind": "cuda", "linkages": ["static"], "libraries": ["torch_cuda", "torch_cuda_linalg"]}]]
)
execute_process(
  COMMAND
    "${CMAKE_COMMAND}" "-DTSB_SOURCE_DIR=${packages}/pytorch/source" "-DTSB_BUILD_DIR=${build}"
    "-DTSB_INSTALL_DIR=${packages}/pytorch/install" -P
    "${TSB_SOURCE_DIR}/superbuild/pytorch/make_static_libraries.cmake" COMMAND_ERROR_IS_FATAL ANY
)
