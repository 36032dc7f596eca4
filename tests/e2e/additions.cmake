# SPDX-License-Identifier: BSD-3-Clause
# A made-up release, backend and processor, found through TSB_ADDITIONS and nothing else: their options, features,
# names, doctor, toolkit and library are in what one workflow makes, which passes its checks. The machine compiles as
# before. The libraries have versions, which TSB_SONAME_VERSION asks for.
include(${CMAKE_CURRENT_LIST_DIR}/stand_in.cmake)
include("${TSB_SOURCE_DIR}/cmake/detail/z_tsb_json.cmake")
set(tree "${WORK}/additions")
copy_tree("${tree}")
file(REMOVE_RECURSE "${WORK}/store of additions")
set(additions "${WORK}/folder of additions")
set(release "${additions}/releases/9.9.0")
foreach(kind IN ITEMS release backend target)
  file(COPY "${TSB_SOURCE_DIR}/tests/fixtures/additions-${kind}/" DESTINATION "${additions}")
endforeach()

# Its pins are the stand-in's, whose hashes the mirror has.
file(COPY "${WORK}/stand-in/pins/" DESTINATION "${release}")
foreach(file IN ITEMS sources.json components.json)
  file(READ "${release}/${file}" json)
  string(JSON json SET "${json}" release "\"9.9.0\"")
  if(file STREQUAL "sources.json")
    string(JSON json SET "${json}" sources pytorch candidates 0 version "\"9.9.0\"")
  endif()
  file(WRITE "${release}/${file}" "${json}\n")
endforeach()
file(COPY "${WORK}/stand-in/mirror/pytorch/${pytorch}/" DESTINATION "${WORK}/stand-in/mirror/pytorch/9.9.0")

set(toolkit "${WORK}/abacus")
file(WRITE "${toolkit}/include/beads.h" "extern \"C\" int beads();\n")
file(WRITE "${toolkit}/beads.c" "int beads(void) { return 7; }\n")
file(WRITE "${toolkit}/LICENSE.txt" "Abacus's terms.\n")
file(WRITE "${toolkit}/version.txt" "7.0.3\n")
file(MAKE_DIRECTORY "${toolkit}/lib")
execute_process(
  COMMAND cc -shared -fPIC -Wl,-soname,libbeads.so.7 "${toolkit}/beads.c" -o "${toolkit}/lib/libbeads.so.7"
          COMMAND_ERROR_IS_FATAL ANY
)
set(bin "${TSB_TEST_DIR}/bin")
file(WRITE "${bin}/uname" "#!/bin/sh\n[ \"$*\" != -m ] || exec echo madeup64\nexec /usr/bin/uname \"$@\"\n")
file(CHMOD "${bin}/uname" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)

# What the doctor refuses, before anything is built.
set(preset cpu-libtorch-shared)
# No torchpkg is given: the one that the workflow compiles knows the additions' libraries.
set(
  environment "PATH=${bin}:$ENV{PATH}" TSB_PINS_FILE= TSB_PYTORCH_VERSION= TSB_TORCHPKG= PIP_NO_INDEX=1
              TSB_CONDA_CHANNEL=/nowhere
)
macro(configure)
  run_in("${tree}" ENVIRONMENT ${environment} ${ARGN} COMMAND "${CMAKE_COMMAND}" --preset ${preset})
endmacro()
configure()
bad(
  "an unknown processor" "processor: this machine's is 'madeup64', and only these are known: x86_64, aarch64"
  "build on one of those, or describe this one in targets/madeup64.json"
)
run_in(
  "${tree}" COMMAND python3 engine presets/generate_presets.py --additions "${additions}" --output
                    "${tree}/presets/additions.json"
)
good("the presets")
# The stand-in has only MKL, which is not this processor's default: its name is in the version.
find_usable_python()
set(others "")
if(tag)
  set(others "wheel-py${tag};conda-libtorch")
  list(APPEND environment "TSB_PYTHON_${tag}=${python}")
endif()
configure_file("${CMAKE_CURRENT_LIST_DIR}/additions_presets.json" "${tree}/CMakeUserPresets.json" @ONLY)
set(preset mine)
set(build "${tree}/build/${preset}")
list(APPEND environment "TSB_ADDITIONS=${additions}" TSB_SONAME_VERSION=ON)
configure()
bad("without its toolkit" "Abacus 7.0: TSB_ABACUS_HOME is '', which has no version.txt" "set it to a toolkit")
list(APPEND environment "TSB_ABACUS_HOME=${toolkit}")
configure(TSB_DOCTOR_SKIP=disk,memory,abacus_toolkit)
bad("without its check" "abacus_toolkit: TSB_DOCTOR_SKIP names it, but the build needs what this check finds")

workflow("${tree}" ENVIRONMENT ${environment})
good("the workflow")
tsb_expect("the doctor" CONTAINS "${output}" "a made-up processor" "-- Abacus 7.0.3 in ${toolkit}")
set(zip "${tree}/dist/libtorch-shared-with-deps-9.9.0+ab70.mkl.zip")
tsb_expect("the zip" CONTAINS "${output}" "done: ${zip}, ")

# What a compile with the toolkit gets, and one without it.
file(STRINGS "${build}/packages/pytorch/build/CMakeCache.txt" options REGEX "^(ABACUS|USE|BUILD)_[A-Z_]+:")
tsb_expect(
  "options" CONTAINS "${options}" "ABACUS_COMPILER:UNINITIALIZED=${toolkit}/bin/abc" "USE_CUDA:BOOL=OFF"
  "USE_NEW_THING:UNINITIALIZED=ON"
)
tsb_expect("an option of another release" LACKS "${options}" "USE_XPU")
file(READ "${build}/packages/pytorch/package.json" of_pytorch)
file(READ "${build}/packages/sleef/package.json" of_sleef)
string(JSON with_toolkit GET "${of_pytorch}" toolchain)
string(JSON without_toolkit GET "${of_sleef}" toolchain)
tsb_expect("the store's key" CONTAINS "${with_toolkit}" "ABACUS_COMPILER_VERSION" "madeup64")
tsb_expect("the store's key" CONTAINS "${without_toolkit}" "madeup64")
tsb_expect("the store's key without the toolkit" LACKS "${without_toolkit}" "ABACUS_COMPILER_VERSION")

set(root "${TSB_TEST_DIR}/out/libtorch")
file(ARCHIVE_EXTRACT INPUT "${zip}" DESTINATION "${TSB_TEST_DIR}/out")
file(GLOB bundled RELATIVE "${root}/lib" "${root}/lib/libbeads*")
list(LENGTH bundled count)
tsb_expect("its library: ${bundled}" EQUAL ${count} 1)
execute_process(COMMAND readelf -d "${root}/lib/libtorch_abacus.so" OUTPUT_VARIABLE dynamic COMMAND_ERROR_IS_FATAL ANY)
tsb_expect("what libtorch_abacus.so needs" CONTAINS "${dynamic}" "[${bundled}]")
foreach(library IN ITEMS libc10.so libtorch.so libtorch_cpu.so libtorch_global_deps.so libtorch_abacus.so)
  tsb_expect("with versions" EXISTS "${root}/lib/${library}.9.9")
  file(READ_SYMLINK "${root}/lib/${library}" link)
  tsb_expect("the link for the linker" EQUAL "${link}" ${library}.9.9)
endforeach()
tsb_expect_file("its licence" EQUAL "${root}/share/licenses/abacus-toolkit/LICENSE.txt" "Abacus's terms.\n")
tsb_expect_file("the bill" CONTAINS "${root}/sbom.spdx.json" "LicenseRef-Abacus" "Abacus's terms." "7.0.3")
tsb_expect_file("the C++ standard" CONTAINS "${root}/share/cmake/Caffe2/Caffe2Targets.cmake" cxx_std_20)
file(READ "${root}/manifest.json" manifest)
foreach(
  pair IN ITEMS "ab70=backend" "7.0=abacus;version" "7.0.3=abacus;versions;beads"
                "this release does without=features;FBGEMM;reason" "pinned=cell;word"
)
  string(REGEX MATCH "^([^=]*)=(.*)$" pair "${pair}")
  set(expected "${CMAKE_MATCH_1}")
  string(JSON value GET "${manifest}" ${CMAKE_MATCH_2})
  tsb_expect("manifest: ${pair}" EQUAL "${value}" "${expected}")
endforeach()
string(JSON features GET "${manifest}" features)
tsb_expect("a feature of another release" LACKS "${features}" KINETO)

# The library is in a wheel and in a conda package of its own: the wheel's tag and the package's dependencies know it.
if(tag)
  file(READ "${build}/stage/wheel-py${tag}/wheel.json" json)
  string(JSON file GET "${json}" file)
  set(platform "cp${tag}-cp${tag}-manylinux_2_[0-9]+_x86_64")
  if(NOT file MATCHES "^torch-9[.]9[.]0[+]ab70[.]mkl-(${platform})[.]whl$")
    message(FATAL_ERROR "the wheel is called '${file}'")
  endif()
  set(platform "${CMAKE_MATCH_1}")
  file(ARCHIVE_EXTRACT INPUT "${tree}/dist/${file}" DESTINATION "${TSB_TEST_DIR}/wheel" PATTERNS "*.dist-info/*")
  set(info "${TSB_TEST_DIR}/wheel/torch-9.9.0+ab70.mkl.dist-info")
  tsb_expect_file("its tag" CONTAINS "${info}/WHEEL" "Tag: ${platform}\n")
  tsb_expect_file("what it requires" CONTAINS "${info}/METADATA" "Requires-Dist: abacus-beads==7.0.3; platform_")
  file(READ "${build}/stage/conda-libtorch/prefix/info/index.json" index)
  string(JSON depends GET "${index}" depends)
  tsb_expect("what the conda package depends on" CONTAINS "${depends}" "\"libbeads >=7.0.3,<8.0a0\"")
  file(GLOB conda "${tree}/dist/linux-64/libtorch-9.9.0-abacus70_mkl_h*_100.conda")
  foreach(packed IN ITEMS "${tree}/dist/${file}" "${conda}")
    tsb_expect("its checks" CONTAINS "${output}" "done: ${packed}, ")
  endforeach()
  tsb_expect("its checks" LACKS "${output}" " 0 checks passed")
  tsb_expect(
    "what could not be tried" CONTAINS "${output}"
    "not run: run, scripts, program: it needs the libraries of abacus-beads==7.0.3: installed, but not used"
    "not run: run: it needs libraries of other packages: libbeads.so.7"
  )
endif()

# The made-up release has Pythons of its own.
run_in("${tree}" ENVIRONMENT ${environment} COMMAND "${CMAKE_COMMAND}" --list-presets)
tsb_expect("the Pythons" CONTAINS "${output}" "\"cpu-wheel-py315-9.9.0\"")
tsb_expect("the Pythons" LACKS "${output}" "\"cpu-wheel-py39-9.9.0\"")
