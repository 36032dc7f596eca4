# SPDX-License-Identifier: BSD-3-Clause
# TSB_LOCAL_magma names an installed MAGMA: its archive or library and its headers are taken, its architectures are
# compared with the preset's, and what does not fit is named.
include("${CMAKE_CURRENT_LIST_DIR}/fixture.cmake")
set(ENV{TSB_TORCHPKG} "${TORCHPKG}")
set(prefix "${box}/a prefix")
find_program(cxx c++ REQUIRED)
set(stand_in "${TSB_SOURCE_DIR}/tests/fixtures/magma-stand-in")
file(
  COPY "${stand_in}/include/"
  DESTINATION "${prefix}/include"
  FILES_MATCHING
  PATTERN "*.h"
)
file(WRITE "${prefix}/include/magma_config.h" "#define MAGMA_HAVE_CUDA\n")
file(WRITE "${prefix}/include/others.h" "")
file(WRITE "${prefix}/share/doc/libmagma-dev/copyright" "the licence\n")
# make_library(<architectures> <more source>): with code for these GPUs, and `ptx80` for intermediate code.
find_program(python python3 REQUIRED)
function(make_library archs text)
  file(READ "${stand_in}/control/auxiliary.cpp" source)
  if(archs)
    execute_process(
      COMMAND "${python}" -B "${TSB_SOURCE_DIR}/tests/fixtures/fat_binary.py" ${archs} OUTPUT_VARIABLE bytes
      OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY
    )
    string(
      APPEND source
      "static const unsigned char code[] __attribute__((used, aligned(8), section(\".nv_fatbin\"))) = {${bytes}};\n"
    )
  endif()
  file(WRITE "${TSB_TEST_DIR}/auxiliary.cpp" "${source}${text}")
  execute_process(
    COMMAND "${cxx}" -fPIC "-I${prefix}/include" -c "${TSB_TEST_DIR}/auxiliary.cpp" -o "${TSB_TEST_DIR}/auxiliary.o"
            COMMAND_ERROR_IS_FATAL ANY
  )
  file(MAKE_DIRECTORY "${prefix}/lib")
  file(REMOVE "${prefix}/lib/libmagma.a")
  execute_process(COMMAND ar cr "${prefix}/lib/libmagma.a" "${TSB_TEST_DIR}/auxiliary.o" COMMAND_ERROR_IS_FATAL ANY)
endfunction()
# As if made for a newer C library; strtol() of this one is called in the end.
make_library(
  "70;90;ptx80"
  "extern \"C\" long __isoc23_strtol(const char*, char**, int);\nlong magma_number(const char* text) { return __isoc23_strtol(text, nullptr, 10); }\n"
)
set(ENV{TSB_LOCAL_magma} "${prefix}")
add_stand_in(magma 2.9.0)
file(READ "${TSB_SOURCE_DIR}/releases/${pytorch}/sources.json" real_pins)
string(JSON patterns GET "${real_pins}" sources magma prebuilt)
string(JSON pins SET "${pins}" magma prebuilt "${patterns}")
file(WRITE "$ENV{TSB_PINS_FILE}" "{\"schema\": 1, \"sources\": ${pins}}")
declare_real(magma "7.0;9.0" magma)
configure()
make(good magma)
expect_ran("the package" cuda-toolkit-stage magma-stage)
set(package "${build}/packages/magma")
foreach(file IN ITEMS lib/libmagma.a include/magma_v2.h include/magma_types.h include/magma_config.h)
  tsb_expect("installed" EXISTS "${package}/install/${file}")
endforeach()
tsb_expect("others' header" ABSENT "${package}/install/include/others.h")
tsb_expect("the licence" EXISTS "${package}/licenses/magma/copyright")
tsb_expect("output" LACKS "${output}" "magma: this MAGMA has code")
execute_process(COMMAND nm "${package}/install/lib/libmagma.a" OUTPUT_VARIABLE symbols)
execute_process(COMMAND getconf GNU_LIBC_VERSION OUTPUT_VARIABLE libc OUTPUT_STRIP_TRAILING_WHITESPACE)
string(REGEX MATCH "[0-9.]+$" libc "${libc}")
if(libc VERSION_LESS 2.38)
  tsb_expect(
    "output" CONTAINS "${output}"
    "magma: this MAGMA was made for a newer C library than ${libc}; it calls the older forms of __isoc23_strtol now"
  )
  tsb_expect("the installed archive" LACKS "${symbols}" "__isoc23_strtol")
  tsb_expect("the installed archive" CONTAINS "${symbols}" "U strtol")
else()
  tsb_expect("the installed archive" CONTAINS "${symbols}" "U __isoc23_strtol")
endif()
execute_process(COMMAND nm "${prefix}/lib/libmagma.a" OUTPUT_VARIABLE symbols)
tsb_expect("the user's archive" CONTAINS "${symbols}" "U __isoc23_strtol")
file(READ "${package}/manifest.json" manifest)
string(JSON provider GET "${manifest}" sources 0 provider)
tsb_expect("the provider in the manifest" EQUAL "${provider}" local)

# Architectures that it has not: one from its intermediate code, one not at all.
declare_real(magma "6.0;8.6;9.0+PTX" magma)
configure()
make(good magma)
set(has "magma: this MAGMA has code for 7.0 9.0, intermediate for 8.0;")
tsb_expect("output" CONTAINS "${output}" "${has} the driver translates that for 8.6 when it is first used")
tsb_expect("output" CONTAINS "${output}" "${has} it does not run on 6.0, which the preset asks for")

# No code at all.
make_library("" "")
make(bad magma)
tsb_expect("output" CONTAINS "${output}" "libmagma.a has no code for any GPU")
tsb_expect("output" CONTAINS "${output}" "name a MAGMA made for CUDA with TSB_LOCAL_magma")
tsb_expect("output" CONTAINS "${output}" "stage-copy_prebuilt.log error: package magma: the stage phase failed")
make_library(90 "")

# Another version in the header.
file(READ "${prefix}/include/magma_types.h" types)
string(REPLACE "MAGMA_VERSION_MINOR 9" "MAGMA_VERSION_MINOR 8" other "${types}")
file(WRITE "${prefix}/include/magma_types.h" "${other}")
make(bad magma)
tsb_expect(
  "output" CONTAINS "${output}"
  "include/magma_types.h is of MAGMA 2.8.0, but ${package}/install/lib/libmagma.a is 2.9.0"
  "name another MAGMA with TSB_LOCAL_magma, or unset it: MAGMA is built from source"
)
file(WRITE "${prefix}/include/magma_types.h" "${types}")

# A shared library only: it has to be loadable here.
file(REMOVE "${prefix}/lib/libmagma.a")
file(WRITE "${TSB_TEST_DIR}/lapack.c" "void dlaset_(const char* a, const int* b, double* c) { }\n")
execute_process(
  COMMAND "${cxx}" -x c -shared -fPIC "${TSB_TEST_DIR}/lapack.c" -Wl,-soname,liblapack.so.99 -o
          "${TSB_TEST_DIR}/liblapack.so" COMMAND_ERROR_IS_FATAL ANY
)
make_library(90 "")
file(REMOVE "${prefix}/lib/libmagma.a")
execute_process(
  COMMAND "${cxx}" -shared "${TSB_TEST_DIR}/auxiliary.o" "${TSB_TEST_DIR}/liblapack.so" -Wl,-soname,libmagma.so.2 -o
          "${prefix}/lib/libmagma.so.2" COMMAND_ERROR_IS_FATAL ANY
)
file(CREATE_LINK libmagma.so.2 "${prefix}/lib/libmagma.so" SYMBOLIC)
make(bad magma)
tsb_expect(
  "output" CONTAINS "${output}" "install/lib/libmagma.so cannot be used on this machine: liblapack.so.99: cannot open"
)
execute_process(
  COMMAND "${cxx}" -shared "${TSB_TEST_DIR}/auxiliary.o" -Wl,-soname,libmagma.so.2 -o "${prefix}/lib/libmagma.so.2"
          COMMAND_ERROR_IS_FATAL ANY
)
make(good magma)
foreach(file IN ITEMS lib/libmagma.so lib/libmagma.so.2)
  tsb_expect("installed" EXISTS "${package}/install/${file}")
endforeach()
tsb_expect("installed" ABSENT "${package}/install/lib/libmagma.a")

# Said when the superbuild is configured: no headers, no licence.
# expect_refused(<what> <part of the message>...)
function(expect_refused what)
  tsb_run(code text "${CMAKE_COMMAND}" -S "${box}/project" -B "${build}" -G Ninja)
  tsb_expect("${what}, the end" EQUAL ${code} 1)
  tsb_expect("${what}" CONTAINS "${text}" ${ARGN})
endfunction()
file(REMOVE_RECURSE "${prefix}/share")
expect_refused(
  "no licence" "${prefix} (TSB_LOCAL_magma) has no text of MAGMA's licence"
  "put the file COPYRIGHT of MAGMA's source there"
)
file(REMOVE "${prefix}/include/magma_v2.h")
expect_refused(
  "no headers" "(TSB_LOCAL_magma) has lib/libmagma, but no include/magma_v2.h" "unset it: MAGMA is built from source"
)
