# SPDX-License-Identifier: BSD-3-Clause
# What a C++ user gets: PyTorch's shared libraries with their links, stripped, without those that only Python needs.
include("${CMAKE_CURRENT_LIST_DIR}/package.cmake")
include("${TSB_SOURCE_DIR}/packaging/libtorch/z_tsb_stage_shared_libraries.cmake")
# What they need is the business of `torchpkg bundle`, which has its own tests.
function(z_tsb_bundle)
endfunction()
set(install "${TSB_TEST_DIR}/an install/lib")
file(MAKE_DIRECTORY "${install}")
file(
  WRITE "${TSB_TEST_DIR}/one.c"
  "int exported(void) { return 1; }\nstatic __attribute__((used)) int internal(void) { return 2; }\n"
)
run(
  good
  cc
  -shared
  -fPIC
  "${TSB_TEST_DIR}/one.c"
  -o
  "${install}/libc10.so"
)
foreach(
  name
  IN
  ITEMS libtorch_cpu.so libtorch.so.2.6 libtorch_python.so libshm.so libtorch_global_deps.so
)
  file(COPY_FILE "${install}/libc10.so" "${install}/${name}")
endforeach()
file(CREATE_LINK libtorch.so.2.6 "${install}/libtorch.so" SYMBOLIC)
file(WRITE "${install}/libcpuinfo.a" "an archive")

z_tsb_stage_shared_libraries("{\"strip\": \"strip\"}" "${TSB_TEST_DIR}/an install" "${TSB_TEST_DIR}/a root" report.json)
file(GLOB found RELATIVE "${TSB_TEST_DIR}/a root/lib" "${TSB_TEST_DIR}/a root/lib/*")
tsb_expect("libraries" EQUAL "${found}" "libc10.so;libtorch.so;libtorch.so.2.6;libtorch_cpu.so;libtorch_global_deps.so")
file(READ_SYMLINK "${TSB_TEST_DIR}/a root/lib/libtorch.so" link)
tsb_expect("link" EQUAL "${link}" libtorch.so.2.6)
run(good readelf --symbols --wide "${TSB_TEST_DIR}/a root/lib/libc10.so")
tsb_expect("symbols" CONTAINS "${output}" " exported")
tsb_expect("symbols" LACKS "${output}" " internal")
