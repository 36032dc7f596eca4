# SPDX-License-Identifier: BSD-3-Clause
# No package fails for a warning, in whatever way it makes warnings errors; what it tests with -Werror keeps it. A
# pragma in a source is beyond any flag.
include("${CMAKE_CURRENT_LIST_DIR}/fixture.cmake")
set(build "${TSB_TEST_DIR}/build")

# Each source has an unused variable; each target treats that as an error in another way.
file(
  WRITE "${box}/trees/w/CMakeLists.txt"
  [[
cmake_minimum_required(VERSION 3.18)
project(w LANGUAGES C CXX)
include(CheckCSourceCompiles)
set(CMAKE_REQUIRED_FLAGS "-Wall -Werror")
check_c_source_compiles("int main(void) { int unused; return 0; }" WARNING_IS_NO_ERROR)
unset(CMAKE_REQUIRED_FLAGS)
if(WARNING_IS_NO_ERROR)
  message(FATAL_ERROR "a test of the project's lost its -Werror")
endif()
add_compile_options(-Wall "-DBLANKS=\"a  b\"")
add_library(options STATIC options.c)
target_compile_options(options PRIVATE -Werror)
add_library(properties STATIC properties.cpp)
set_source_files_properties(properties.cpp PROPERTIES COMPILE_FLAGS "-Werror=unused-variable -Wextra")
add_library(pedantic STATIC pedantic.cpp)
target_compile_options(pedantic PRIVATE -pedantic-errors)
set(CMAKE_C_FLAGS "${CMAKE_C_FLAGS} -Werror")
set(CMAKE_CXX_FLAGS "${CMAKE_CXX_FLAGS} -Wall -Werror")
add_library(w STATIC flags.c flags.cpp)
if(PRAGMA)
  target_sources(w PRIVATE pragma.c)
endif()
install(TARGETS w)
]]
)
foreach(file IN ITEMS options.c properties.cpp flags.c flags.cpp)
  file(WRITE "${box}/trees/w/${file}" "int f(void);\nint f(void) { int unused; return 0; }\n")
endforeach()
file(APPEND "${box}/trees/w/options.c" "const char* blanks(void) { return BLANKS; }\n")
file(WRITE "${box}/trees/w/pedantic.cpp" "struct S { int x; } s = { .x = 1 };\nint a[0];\n")
file(
  WRITE "${box}/trees/w/pragma.c"
  "#pragma GCC diagnostic error \"-Wunused-variable\"\nint g(void) { int unused; return 0; }\n"
)
file(WRITE "${box}/trees/w/LICENSE" "licence of w\n")
add_source(w 1.0)
file(
  WRITE "${box}/trees/m/Makefile"
  "CXXFLAGS += -Wall -Werror -Werror=unused-variable\nbuild:\n\t$(CC) -Wall -Werror -c m.c -o $(BUILDDIR)/c.o\n"
  "\t$(CXX) $(CXXFLAGS) -DTEXT='\"a  b\"' -c m.cpp -o $(BUILDDIR)/m.o\n"
)
file(WRITE "${box}/trees/m/m.c" "int f(void) { int unused; return 0; }\n")
file(WRITE "${box}/trees/m/m.cpp" "const char* f() { int unused; return TEXT; }\n")
file(WRITE "${box}/trees/m/LICENSE" "licence of m\n")
add_source(m 1.0)
file(WRITE "${box}/copy.cmake" [[file(COPY "${TSB_BUILD_DIR}/" DESTINATION "${TSB_INSTALL_DIR}")]])

# declare_both(<value of PRAGMA>)
function(declare_both pragma)
  declare(
    "tsb_declare_package(w DESCRIPTION \"W\" SOURCE w OPTIONS PRAGMA=${pragma} LICENSE_FILES LICENSE)
tsb_declare_package(m DESCRIPTION \"M\" SOURCE m BUILD_SYSTEM make OPTIONS BUILDDIR=@BUILD_DIR@ STAGE_SCRIPTS \"${box}/copy.cmake\" LICENSE_FILES LICENSE)"
    w
    m
  )
  configure()
endfunction()

declare_both(OFF)
make(good w)
file(STRINGS "${build}/packages/w/build/build.ninja" flags REGEX "^  FLAGS = ")
tsb_expect("other options" CONTAINS "${flags}" "-Wextra" "-pedantic")
file(STRINGS "${build}/packages/w/build/liboptions.a" strings REGEX "a  b")
tsb_expect("a definition with blanks" EQUAL "${strings}" "a  b")
make(good m)
file(STRINGS "${build}/packages/m/install/m.o" strings REGEX "a  b")
tsb_expect("a definition with blanks, make" EQUAL "${strings}" "a  b")

declare_both(ON)
make(bad w)
tsb_expect("output" CONTAINS "${output}" "[-Werror=unused-variable]")

# nvcc's lines: its own option, which takes a word more, and those that it hands to the host's compiler.
file(
  WRITE "${TSB_TEST_DIR}/build.ninja"
  [[
build x.o: CUDA_COMPILER__x_ x.cu
  FLAGS = -Werror all-warnings -std=c++17 -Xcompiler -Wall,-Werror,-fPIC -Xcompiler=-Werror -Xcompiler -Werror=format -O3
build y.o: CXX_COMPILER__y_ y.cpp
  FLAGS = -Werror all-warnings
build z.o: CUDA_COMPILER__z_ z.cu
  FLAGS = --Werror=cross-execution-space-call -Xcompiler=-Wno-error=foo --compiler-options -Werror --compiler-options=-Wall,-Werror -O2
  DEFINES = -DX -Werror
]]
)
execute_process(
  COMMAND awk -v "heavy=" -f "${TSB_SOURCE_DIR}/cmake/package/z_tsb_edit_ninja_file.awk" "${TSB_TEST_DIR}/build.ninja"
  OUTPUT_VARIABLE edited COMMAND_ERROR_IS_FATAL ANY
)
tsb_expect(
  "the lines" EQUAL "${edited}" [[
build x.o: CUDA_COMPILER__x_ x.cu
  FLAGS = -std=c++17 -Xcompiler=-Wall,-fPIC -O3
build y.o: CXX_COMPILER__y_ y.cpp
  FLAGS = all-warnings
build z.o: CUDA_COMPILER__z_ z.cu
  FLAGS = -Xcompiler=-Wno-error=foo -Xcompiler=-Wall -O2
  DEFINES = -DX -Werror
]]
)
