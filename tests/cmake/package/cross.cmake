# SPDX-License-Identifier: BSD-3-Clause
# A target of another processor: packages get its compilers and find nothing of this machine; what is BUILD_ONLY is for
# this machine; other packages run it. The compilers are this machine's by other names.
include("${CMAKE_CURRENT_LIST_DIR}/fixture.cmake")
write_trees()
find_program(real_cc cc REQUIRED)
# The folder of the launcher is on the packages' PATH.
write_program("${box}/bin/launcher" [[exec "$@"]])
set(ENV{TEST_LAUNCHER} "${box}/bin/launcher")
set(ENV{PATH} "${box}/bin:$ENV{PATH}")
foreach(name IN ITEMS gcc g++)
  write_program("${box}/bin/other-linux-gnu-${name}" "exec '${real_cc}' \"$@\"")
endforeach()
# What a package knows and finds of this machine: a library, a header, a program.
file(
  APPEND "${box}/trees/a/CMakeLists.txt"
  [[
get_filename_component(compiler "${CMAKE_C_COMPILER}" NAME)
find_library(OF_MACHINE m PATHS /usr/lib/x86_64-linux-gnu /usr/lib/aarch64-linux-gnu /usr/lib64 /usr/lib)
find_path(HEADER_OF_MACHINE stdio.h)
find_program(PROGRAM sh)
set(found "")
foreach(variable IN ITEMS OF_MACHINE HEADER_OF_MACHINE PROGRAM)
  if(${variable})
    string(APPEND found " ${variable}")
  endif()
endforeach()
file(WRITE "${CMAKE_BINARY_DIR}/told.txt" "${compiler} ${CMAKE_CROSSCOMPILING} ${CMAKE_SYSTEM_PROCESSOR}${found}")
add_executable(generator a.c more.c generator.c)
set_target_properties(generator PROPERTIES RUNTIME_OUTPUT_DIRECTORY bin)
if(GENERATOR)
  execute_process(COMMAND "${GENERATOR}" OUTPUT_FILE "${CMAKE_BINARY_DIR}/generated.txt")
endif()
]]
)
file(WRITE "${box}/trees/a/generator.c" "#include <stdio.h>\nint main(void) { return puts(\"generated\") < 0; }\n")
add_source(a 1.0)
add_source(b 1.0)
file(
  WRITE "${box}/additions/targets/other64.json"
  [[{"processor": "other64", "title": "another processor", "triplet": "other-linux-gnu", "wheel_machine": "other64",
  "conda_subdir": "linux-other64", "blas": ["openblas"]}]]
)
set(ENV{TSB_ADDITIONS} "${box}/additions")
set(
  packages
  "tsb_declare_package(a-tools DESCRIPTION \"T\" SOURCE a BUILD_ONLY NO_INSTALL TARGETS generator LICENSE_FILES LICENSE
  STAGE_SCRIPTS \"${TSB_SOURCE_DIR}/superbuild/shared/copy_programs.cmake\" SYSTEM OF_MACHINE HEADER_OF_MACHINE)
${declaration_of_a} SYSTEM OF_MACHINE HEADER_OF_MACHINE DEPENDS a-tools OPTIONS GENERATOR=@PREFIX_a-tools@/bin/generator)
${declaration_of_b}"
)
declare("tsb_load_model(--processor=other64)\n${packages}" b)
configure()
make(good b)
execute_process(COMMAND uname -m OUTPUT_VARIABLE machine OUTPUT_STRIP_TRAILING_WHITESPACE)
get_filename_component(cc "${real_cc}" NAME)
set(folder "${build}/packages")
tsb_expect_file("a" EQUAL "${folder}/a/build/told.txt" "other-linux-gnu-gcc TRUE other64 PROGRAM")
tsb_expect_file("the generator of a" EQUAL "${folder}/a/build/generated.txt" "generated\n")
tsb_expect_file(
  "its tools" EQUAL "${folder}/a-tools/build/told.txt" "${cc} FALSE ${machine} OF_MACHINE HEADER_OF_MACHINE PROGRAM"
)
execute_process(COMMAND "${folder}/b/install/bin/b" OUTPUT_VARIABLE said)
tsb_expect("b, which found a" CONTAINS "${said}" "none")

# Both are inputs: what is compiled for, and its C library, by its content.
foreach(pair IN ITEMS a=other64 a-tools=${machine})
  string(REGEX MATCH "^(.*)=(.*)$" ignored "${pair}")
  file(READ "${folder}/${CMAKE_MATCH_1}/package.json" package)
  string(JSON processor GET "${package}" toolchain PROCESSOR)
  tsb_expect("the processor of ${CMAKE_MATCH_1}" EQUAL "${processor}" "${CMAKE_MATCH_2}")
endforeach()
execute_process(COMMAND cc -print-file-name=libc.so.6 OUTPUT_VARIABLE library OUTPUT_STRIP_TRAILING_WHITESPACE)
file(SHA256 "${library}" hash)
tsb_expect_file("the C library of a" CONTAINS "${folder}/a/package.json" "\"C_LIBRARY\": \"${hash}\"")
tsb_expect_file("that of its tools" LACKS "${folder}/a-tools/package.json" "${hash}")

# A makefile would get this machine's compilers.
write_trees(m)
add_source(m 1.0)
declare(
  "tsb_load_model(--processor=other64)
tsb_declare_package(m DESCRIPTION \"M\" SOURCE m BUILD_SYSTEM make STAGE_SCRIPTS \"${box}/project/declarations.cmake\")"
  m
)
tsb_run(code text "${CMAKE_COMMAND}" -S "${box}/project" -B "${build}" -G Ninja)
tsb_expect("end with a makefile" ENDS "${code}" bad)
tsb_expect("a makefile" CONTAINS "${text}" "package m: BUILD_SYSTEM make is not supported for another processor")
