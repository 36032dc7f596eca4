# SPDX-License-Identifier: BSD-3-Clause
# What a C++ user gets: PyTorch's shared libraries with their links, stripped, without those that only Python needs; and
# what a debugger gets.
include("${CMAKE_CURRENT_LIST_DIR}/package.cmake")
include("${TSB_SOURCE_DIR}/packaging/tree/z_tsb_stage_shared_libraries.cmake")
# What they need is the business of bundle.py, which has its own tests.
function(z_tsb_bundle)

endfunction()
set(install "${TSB_TEST_DIR}/an install/lib")
file(MAKE_DIRECTORY "${install}")
file(
  WRITE "${TSB_TEST_DIR}/one.c"
  "int exported(void) { return 1; }\nstatic __attribute__((used)) int internal(void) { return 2; }\n"
)
run(good cc -g1 -shared -fPIC "${TSB_TEST_DIR}/one.c" -o "${install}/libc10.so")
foreach(name IN ITEMS libtorch_cpu.so libtorch.so.2.6 libtorch_python.so libshm.so libtorch_global_deps.so)
  file(COPY_FILE "${install}/libc10.so" "${install}/${name}")
endforeach()
file(CREATE_LINK libtorch.so.2.6 "${install}/libtorch.so" SYMBOLIC)
file(WRITE "${install}/libcpuinfo.a" "an archive")

# Stands in for `torchpkg scan FILE`.
file(WRITE "${TSB_TEST_DIR}/torchpkg" "#!/bin/sh\ncat '${TSB_TEST_DIR}/build-id'\n")
file(CHMOD "${TSB_TEST_DIR}/torchpkg" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
file(WRITE "${TSB_TEST_DIR}/settings.json" "{\"torchpkg\": \"${TSB_TEST_DIR}/torchpkg\"}")
set(artifact "{\"objcopy\": \"objcopy\", \"build_folder\": \"${TSB_TEST_DIR}\", \"debug_file\": \"\"}")
set(debug "${TSB_TEST_DIR}/a debug root")
z_tsb_stage_shared_libraries("${artifact}" "${TSB_TEST_DIR}/an install" "${TSB_TEST_DIR}/a root" report.json "${debug}")
tsb_expect("debug information" ABSENT "${debug}")
file(GLOB found RELATIVE "${TSB_TEST_DIR}/a root/lib" "${TSB_TEST_DIR}/a root/lib/*")
tsb_expect("libraries" EQUAL "${found}" "libc10.so;libtorch.so;libtorch.so.2.6;libtorch_cpu.so;libtorch_global_deps.so")
file(READ_SYMLINK "${TSB_TEST_DIR}/a root/lib/libtorch.so" link)
tsb_expect("link" EQUAL "${link}" libtorch.so.2.6)
run(good readelf --symbols --wide "${TSB_TEST_DIR}/a root/lib/libc10.so")
tsb_expect("symbols" CONTAINS "${output}" " exported")
tsb_expect("symbols" LACKS "${output}" " internal")
run(good readelf --sections --wide "${TSB_TEST_DIR}/a root/lib/libc10.so")
tsb_expect("sections" LACKS "${output}" "debug")

string(REPLACE "\"debug_file\": \"\"" "\"debug_file\": \"debug.zip\"" artifact "${artifact}")
file(WRITE "${TSB_TEST_DIR}/build-id" "{\"files\": [{\"build_id\": \"abcdef\"}]}")
z_tsb_stage_shared_libraries(
  "${artifact}" "${TSB_TEST_DIR}/an install" "${TSB_TEST_DIR}/a second root" report.json "${debug}"
)
run(good readelf --sections --wide "${TSB_TEST_DIR}/a second root/lib/libc10.so")
tsb_expect("sections" LACKS "${output}" ".debug_line")
tsb_expect("sections" CONTAINS "${output}" ".gnu_debuglink")
run(good readelf --sections --wide "${debug}/lib/.debug/libc10.so.debug")
tsb_expect("sections of the debug file" CONTAINS "${output}" ".debug_line")
file(READ_SYMLINK "${debug}/lib/.debug/.build-id/ab/cdef.debug" link)
tsb_expect("link by build ID" EQUAL "${link}" "../../libtorch_global_deps.so.debug"
)# the last one, here all have that ID
file(GLOB found RELATIVE "${debug}/lib/.debug" "${debug}/lib/.debug/*.debug")
tsb_expect(
  "debug files" EQUAL "${found}"
  "libc10.so.debug;libtorch.so.2.6.debug;libtorch_cpu.so.debug;libtorch_global_deps.so.debug"
)

file(WRITE "${TSB_TEST_DIR}/build-id" "{\"files\": [{\"build_id\": \"\"}]}")
file(
  WRITE "${TSB_TEST_DIR}/without.cmake"
  "include(\"${TSB_SOURCE_DIR}/cmake/detail/tsb_fail.cmake\")
include(\"${TSB_SOURCE_DIR}/cmake/detail/z_tsb_json.cmake\")
include(\"${TSB_SOURCE_DIR}/packaging/tree/z_tsb_split_debug_information.cmake\")
z_tsb_split_debug_information([[${artifact}]] \"${TSB_TEST_DIR}/an install/lib/libc10.so\" \"${debug}\")\n"
)
run(bad "${CMAKE_COMMAND}" -P "${TSB_TEST_DIR}/without.cmake")
tsb_expect("words" CONTAINS "${output}" "libc10.so has no build ID")
