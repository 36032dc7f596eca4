# SPDX-License-Identifier: BSD-3-Clause
# Static libraries of a CUDA build: one for each shared one, each made beside those before it; the two sources that know
# BUILD_LAZY_CUDA_LINALG are compiled again without it, and take the places of their objects.
#
# In: FAULT: one of them does not compile then.
include("${CMAKE_CURRENT_LIST_DIR}/package.cmake")
find_program(ninja NAMES ninja ninja-build REQUIRED)
set(packages "${TSB_TEST_DIR}/a folder/packages")
set(source "${packages}/pytorch/source")
set(build "${packages}/pytorch/build")
set(install "${packages}/pytorch/install")
file(MAKE_DIRECTORY "${install}" "${build}/lib")

# Stands in for `torchpkg archive`: copies what it is given, and makes what is asked for.
file(
  WRITE "${TSB_TEST_DIR}/torchpkg"
  "#!/bin/sh\necho \"$@\" >> '${TSB_TEST_DIR}/calls'\nwhile [ $# -gt 0 ]; do
  case $1 in --link-command) cat \"$2\" >> '${TSB_TEST_DIR}/links' ;; --output) ar rc \"$2\" ;; esac
  shift\ndone\n"
)
file(CHMOD "${TSB_TEST_DIR}/torchpkg" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
# make_static(<more of the backend>)
function(make_static backend)
  file(
    WRITE "${TSB_TEST_DIR}/a folder/settings.json"
    "{\"ninja\": \"${ninja}\", \"torchpkg\": \"${TSB_TEST_DIR}/torchpkg\", \"CMAKE_STRIP\": \"strip\", \"backend\":
      {\"kind\": \"cuda\", \"libraries\": [\"c10_cuda\", \"torch_cuda\", \"torch_cuda_linalg\"] ${backend}}}"
  )
  execute_process(
    COMMAND "${CMAKE_COMMAND}" "-DTSB_SOURCE_DIR=${source}" "-DTSB_BUILD_DIR=${build}" "-DTSB_INSTALL_DIR=${install}"
            -P "${TSB_SOURCE_DIR}/superbuild/pytorch/make_static_libraries.cmake" COMMAND_ERROR_IS_FATAL ANY
  )
endfunction()

foreach(name IN ITEMS plain unaware)
  file(WRITE "${source}/${name}.c" "int ${name}(void) { return 0; }\n")
endforeach()
set(body "int stub(void) { return 1; }\n")
set(otherwise "")
if(FAULT)
  set(otherwise "#else\n#error it was never compiled so\n")
endif()
file(WRITE "${source}/stubs.c" "#ifdef BUILD_LAZY_CUDA_LINALG\n${body}${otherwise}#endif\n")
file(
  WRITE "${source}/batch.c"
  "#ifdef BUILD_LAZY_CUDA_LINALG\n#define solve lazy_solve\n#endif\nint solve(void) { return 2; }\n"
)
file(
  WRITE "${build}/build.ninja"
  [[
rule compile
  command = cc $flags -fPIC -o $out -c $in
rule link
  command = cc -shared -o $out $in
build plain.o: compile ../source/plain.c
build stubs.o: compile ../source/stubs.c
  flags = -DBUILD_LAZY_CUDA_LINALG
build unaware.o: compile ../source/unaware.c
  flags = -DBUILD_LAZY_CUDA_LINALG
build batch.o: compile ../source/batch.c
  flags = -DBUILD_LAZY_CUDA_LINALG
build lib/libc10.so: link plain.o
build lib/libtorch_cpu.so: link plain.o | lib/libc10.so
build lib/libc10_cuda.so: link plain.o | lib/libc10.so
build lib/libtorch_cuda.so: link stubs.o plain.o | lib/libtorch_cpu.so lib/libc10_cuda.so
build lib/libtorch_cuda_linalg.so: link unaware.o batch.o plain.o | lib/libtorch_cuda.so
]]
)
run(good "${ninja}" -C "${build}")
file(SHA256 "${build}/batch.o" before)
make_static([[, "artifacts": "libtorch-shared-with-deps|wheel-py.*"]])
tsb_expect("a backend without a static artifact" ABSENT "${install}/static")
make_static("")
file(GLOB found RELATIVE "${install}/static" "${install}/static/*")
set(wanted libc10.a libc10_cuda.a libtorch_cpu.a libtorch_cuda.a libtorch_cuda_linalg.a)
tsb_expect("static libraries" EQUAL "${found}" "${wanted}")
file(READ "${TSB_TEST_DIR}/links" links)
tsb_expect("the stubs" CONTAINS "${links}" "libtorch_cuda.so stubs.static.o plain.o\n")
tsb_expect("the functions" CONTAINS "${links}" "libtorch_cuda_linalg.so unaware.o batch.static.o plain.o\n")
file(STRINGS "${TSB_TEST_DIR}/calls" calls)
list(GET calls 4 call)
set(beside "--beside S/libc10.a --beside S/libtorch_cpu.a --beside S/libc10_cuda.a --beside S/libtorch_cuda.a")
string(REPLACE "S/" "${install}/static/" beside "${beside}")
tsb_expect("the last one" CONTAINS "${call}" "--output ${install}/static/libtorch_cuda_linalg.a ${beside}")
run(good nm --defined-only "${build}/batch.static.o")
tsb_expect("the functions" CONTAINS "${output}" " solve")
tsb_expect("the functions" LACKS "${output}" "lazy_solve")
run(good nm --defined-only "${build}/stubs.static.o")
tsb_expect("the stubs" LACKS "${output}" "stub")
file(SHA256 "${build}/batch.o" after)
tsb_expect("the object of the shared library" EQUAL "${after}" "${before}")
