# SPDX-License-Identifier: BSD-3-Clause
# What is in CUDA's static zips, with and without dependencies, of e2e.cuda.
include(${CMAKE_CURRENT_LIST_DIR}/cuda_fixture.cmake)
set(with_deps "${build}/stage/libtorch-static-with-deps/libtorch")
set(without_deps "${build}/stage/libtorch-static-without-deps/libtorch")

# Each object is in one archive only; the linear algebra opened by name is inside, and the stubs that open it are not.
execute_process(COMMAND ar t "${with_deps}/lib/libtorch_cuda.a" OUTPUT_VARIABLE members COMMAND_ERROR_IS_FATAL ANY)
tsb_expect("objects of libtorch_cuda" CONTAINS "${members}" "flash_fwd.cpp.o" "LinearAlgebraStubs.cpp.static.o")
tsb_expect("objects of libtorch_cuda" LACKS "${members}" "LinearAlgebraStubs.cpp.o")
tsb_expect("objects that libtorch_cpu has" LACKS "${members}" "context.cc.o")
execute_process(
  COMMAND nm --defined-only --extern-only -C "${with_deps}/lib/libtorch_cuda_linalg.a"
  OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY
)
tsb_expect("linear algebra" CONTAINS "${symbols}" " at::native::cholesky_solve(double, double)")

# What a program that has them inside needs: what libtorch's own libraries need, and no more.
file(READ "${with_deps}/lib/pkgconfig/torch.pc" text)
tsb_expect(
  "torch.pc" CONTAINS "${text}"
  "libc10.a,\${libdir}/libtorch_cpu.a,\${libdir}/libc10_cuda.a,\${libdir}/libtorch_cuda.a,\${libdir}/libtorch_cuda_linalg.a"
)
foreach(library IN ITEMS libcudart.so.12 libcusolver.so.11 libcupti.so.12 libnccl.so.2 libgomp.so.1)
  tsb_expect("torch.pc" CONTAINS "${text}" " -l:${library}")
endforeach()
tsb_expect("torch.pc" LACKS "${text}" libnvrtc.so.12 libcudnn_ops.so.9 libnvJitLink.so.12 libz)
tsb_expect_file("the bill" CONTAINS "${with_deps}/sbom.spdx.json" "bundled-libcublasLt")

foreach(library IN ITEMS libc10.a libc10_cuda.a libtorch_cpu.a libtorch_cuda.a libtorch_cuda_linalg.a)
  file(SHA256 "${with_deps}/lib/${library}" first)
  file(SHA256 "${without_deps}/lib/${library}" second)
  tsb_expect("${library} of both zips" EQUAL "${second}" "${first}")
endforeach()
host_libraries_of("${without_deps}" hosts)
host_libraries_of("${build}/stage/libtorch-shared-without-deps/libtorch" hosts_of_shared)
tsb_expect("host_libraries of both linkages" EQUAL "${hosts}" "${hosts_of_shared}")
