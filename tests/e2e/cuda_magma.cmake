# SPDX-License-Identifier: BSD-3-Clause
# The conda package of MAGMA, here of an installed one, as from a distribution. Nothing of PyTorch is fetched or built,
# cuDNN is not asked for, and a conda client installs it without a network. A program is compiled with it.
include(${CMAKE_CURRENT_LIST_DIR}/cuda_fixture.cmake)
set(stand_in "${TSB_SOURCE_DIR}/tests/fixtures/magma-stand-in")
set(installed "${TSB_TEST_DIR}/magma")
file(GLOB headers "${stand_in}/include/*.h")
file(COPY ${headers} DESTINATION "${installed}/include")
file(COPY "${stand_in}/COPYRIGHT" DESTINATION "${installed}")
file(WRITE "${installed}/include/magma_config.h" "#define MAGMA_HAVE_CUDA\n")
find_program(python python3 REQUIRED)
execute_process(
  COMMAND "${python}" -B "${TSB_SOURCE_DIR}/tests/fixtures/fat_binary.py" 80 90 OUTPUT_VARIABLE bytes
  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY
)
file(READ "${stand_in}/control/auxiliary.cpp" source)
set(section "__attribute__((used, aligned(8), section(\".nv_fatbin\")))")
file(WRITE "${TSB_TEST_DIR}/a.cpp" "${source}static const unsigned char code[] ${section} = {${bytes}};\n")
file(MAKE_DIRECTORY "${installed}/lib")
foreach(command IN ITEMS "c++ -g -fPIC -Imagma/include -c a.cpp" "ar cr magma/lib/libmagma.a a.o")
  separate_arguments(command UNIX_COMMAND "${command}")
  execute_process(COMMAND ${command} WORKING_DIRECTORY "${TSB_TEST_DIR}" COMMAND_ERROR_IS_FATAL ANY)
endforeach()

set(preset cu124-conda-magma)
file(REMOVE_RECURSE "${tree}/build/${preset}")
workflow(
  "${tree}" ENVIRONMENT ${environment} "TSB_LOCAL_magma=${installed}" "TSB_DIST=${TSB_TEST_DIR}/dist" TSB_CUDNN_HOME=
  TSB_CUSPARSELT_HOME= TSB_OFFLINE=ON TSB_NIGHTLY=20261123
)
good("the conda package of MAGMA")
file(GLOB package "${TSB_TEST_DIR}/dist/linux-64/magma-*.conda")
get_filename_component(name "${package}" NAME)
if(NOT name MATCHES "^magma-cuda124-2[.]9[.]0-h[0-9a-f]+_200[.]conda$")
  message(FATAL_ERROR "the package is called ${name}")
endif()
tsb_expect("what ran" LACKS "${output}" "-- pytorch")
tsb_expect(
  "the checks" CONTAINS "${output}" "not run: install: without what it depends on" "headers and libraries: 5"
  "done: ${package}, "
)
tsb_expect("the statement" EXISTS "${package}.intoto.json")

set(prefix "${tree}/build/${preset}/stage/conda-magma/prefix")
file(READ "${prefix}/info/index.json" index)
string(JSON depends GET "${index}" depends)
tsb_expect("what it depends on" EQUAL "${depends}" "[ \"cuda-version >=12.4,<13.0a0\" ]")
tsb_expect_file("the bill" CONTAINS "${prefix}/share/magma-cuda124/sbom.spdx.json" "./lib/libmagma.a")
tsb_expect("the licence" EXISTS "${prefix}/info/licenses/magma/COPYRIGHT")
execute_process(COMMAND readelf -S "${prefix}/lib/libmagma.a" OUTPUT_VARIABLE sections COMMAND_ERROR_IS_FATAL ANY)
tsb_expect("debug information" LACKS "${sections}" ".debug_info")
file(WRITE "${TSB_TEST_DIR}/user.c" "#include <magma_types.h>\nint user = MAGMA_VERSION_MAJOR;\n")
execute_process(
  COMMAND cc -c "-I${prefix}/include" "${TSB_TEST_DIR}/user.c" -o "${TSB_TEST_DIR}/user.o" COMMAND_ERROR_IS_FATAL ANY
)
