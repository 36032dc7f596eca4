# SPDX-License-Identifier: BSD-3-Clause
# CUDA's static zips, with and without dependencies, of the compile that e2e.cuda has left.
include(${CMAKE_CURRENT_LIST_DIR}/cuda_fixture.cmake)
set(archives libc10.a libc10_cuda.a libtorch_cpu.a libtorch_cuda.a libtorch_cuda_linalg.a)

# With NVIDIA's shared libraries beside the static ones.
set(preset cu124-libtorch-static)
set(static libtorch-cxx11-abi-static-with-deps-${pytorch}+cu124)
workflow("${tree}" ENVIRONMENT ${environment})
good("the static zip with dependencies")
tsb_expect("the checks" CONTAINS "${output}" "done: ${tree}/dist/${static}.zip, ")
tsb_expect("what ran" LACKS "${output}" "-- pytorch build\n")
tsb_expect(
  "the ways to link it" CONTAINS "${output}" "ok first, run g++, bfd, fixed address"
  "ok first, run g++, bfd, position-independent, gc-sections" "ok first, run g++, bfd, shared library"
)
set(static_lib "${TSB_TEST_DIR}/un packed static/libtorch/lib")
file(ARCHIVE_EXTRACT INPUT "${tree}/dist/${static}.zip" DESTINATION "${TSB_TEST_DIR}/un packed static")
file(GLOB found RELATIVE "${static_lib}" "${static_lib}/*.a")
tsb_expect("static libraries" EQUAL "${found}" "${archives}")
file(GLOB found RELATIVE "${static_lib}" "${static_lib}/*.so*")
list(FILTER found EXCLUDE REGEX "^lib(gomp|z)[-.]") # for libtorch_cpu, and for cuDNN
list(SORT found)
tsb_expect("NVIDIA's libraries beside static ones" EQUAL "${found}" "${of_nvidia}")

# Each object is in one archive only; the linear algebra opened by name is inside, and the stubs that open it are not.
execute_process(COMMAND ar t "${static_lib}/libtorch_cuda.a" OUTPUT_VARIABLE members COMMAND_ERROR_IS_FATAL ANY)
tsb_expect("objects of libtorch_cuda" CONTAINS "${members}" "flash_fwd.cpp.o" "LinearAlgebraStubs.cpp.static.o")
tsb_expect("objects of libtorch_cuda" LACKS "${members}" "LinearAlgebraStubs.cpp.o")
tsb_expect("objects that libtorch_cpu has" LACKS "${members}" "context.cc.o")
execute_process(
  COMMAND nm --defined-only --extern-only -C "${static_lib}/libtorch_cuda_linalg.a"
  OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY
)
tsb_expect("linear algebra" CONTAINS "${symbols}" " at::native::cholesky_solve(double, double)")

# What a program that has them inside needs: what libtorch's own libraries need, and no more.
file(READ "${static_lib}/pkgconfig/torch.pc" text)
tsb_expect(
  "torch.pc" CONTAINS "${text}"
  "libc10.a,\${libdir}/libtorch_cpu.a,\${libdir}/libc10_cuda.a,\${libdir}/libtorch_cuda.a,\${libdir}/libtorch_cuda_linalg.a"
)
foreach(library IN ITEMS libcudart.so.12 libcusolver.so.11 libcupti.so.12 libnccl.so.2 libgomp.so.1)
  tsb_expect("torch.pc" CONTAINS "${text}" " -l:${library}")
endforeach()
tsb_expect("torch.pc" LACKS "${text}" libnvrtc.so.12 libcudnn_ops.so.9 libnvJitLink.so.12 libz)
tsb_expect_file("the bill" CONTAINS "${static_lib}/../sbom.spdx.json" "bundled-libcublasLt")
consumer(torch/torch.h "" "${static_lib}/..")
consumer(c10/cuda/CUDAFunctions.h "${nvidia}/toolkit" "${static_lib}/..")

set(preset cu124-libtorch-static-without-deps)
string(REPLACE with-deps without-deps static_without "${static}")
workflow("${tree}" ENVIRONMENT ${environment})
good("the static zip without dependencies")
tsb_expect("the checks" CONTAINS "${output}" "done: ${tree}/dist/${static_without}.zip, ")
set(stage "${tree}/build/${preset}/stage/libtorch-static-without-deps/libtorch")
file(GLOB found RELATIVE "${stage}/lib" "${stage}/lib/lib*")
tsb_expect("libraries without deps" EQUAL "${found}" "${archives}")
foreach(library IN LISTS archives)
  file(SHA256 "${stage}/lib/${library}" without_deps)
  file(SHA256 "${static_lib}/${library}" with_deps)
  tsb_expect("${library} of both zips" EQUAL "${without_deps}" "${with_deps}")
endforeach()
host_libraries_of("${stage}" hosts)
set(shared "${tree}/build/cu124-libtorch-shared-without-deps/stage/libtorch-shared-without-deps/libtorch")
host_libraries_of("${shared}" hosts_of_shared)
tsb_expect("host_libraries of both linkages" EQUAL "${hosts}" "${hosts_of_shared}")
