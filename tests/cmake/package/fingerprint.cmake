# SPDX-License-Identifier: BSD-3-Clause
# What decides a package's result changes its fingerprint; what does not leaves it alone.
cmake_minimum_required(VERSION 3.25)
include("${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake")
include("${TSB_SOURCE_DIR}/cmake/package/tsb_declare_package.cmake")
include("${TSB_SOURCE_DIR}/cmake/package/tsb_declare_feature.cmake")
include("${TSB_SOURCE_DIR}/cmake/package/tsb_activate_packages.cmake")
include("${TSB_SOURCE_DIR}/cmake/package/z_tsb_phase_inputs.cmake")
set(TSB_PINS_FILE "${TSB_TEST_DIR}/pins/sources.json")
file(
  WRITE "${TSB_PINS_FILE}"
  [[{"schema": 1, "sources": {
  "a": {"candidates": [], "patches": [{"file": "one.patch", "reason": "why"}], "submodules":
    [{"name": "extra", "path": "third_party/extra", "required": false, "feature": "EXTRA"}]},
  "b": {"candidates": []}, "extra": {"candidates": []}}}]]
)
file(WRITE "${TSB_TEST_DIR}/pins/patches/one.patch" "a patch\n")
file(WRITE "${TSB_TEST_DIR}/included.cmake" "# included\n")
file(WRITE "${TSB_TEST_DIR}/stage.cmake" "# staged\n")
file(WRITE "${TSB_TEST_DIR}/input.txt" "one\n")

# make_compiler(<name> <machine> <more of the script>)
function(make_compiler name machine more)
  file(WRITE "${TSB_TEST_DIR}/${name}" "#!/bin/sh\n${more}echo ${machine}\n")
  file(CHMOD "${TSB_TEST_DIR}/${name}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endfunction()
make_compiler(c++ linux "")
file(CREATE_LINK c++ "${TSB_TEST_DIR}/link to c++" SYMBOLIC)
make_compiler(aarch64-c++ aarch64-linux "")
make_compiler(wrapper linux "# -D EVIL\n")
# Which names one of its parts.
file(WRITE "${TSB_TEST_DIR}/as" "an assembler")
file(CHMOD "${TSB_TEST_DIR}/as" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
make_compiler(gcc linux "case $1 in *=as) echo '${TSB_TEST_DIR}/as' && exit;; esac\n")
# Which calls another script.
make_compiler(outer linux "exec '${TSB_TEST_DIR}/inner' \"$@\"\n")
make_compiler(inner linux "case $* in -###*) echo ' cc1 -o /tmp/cc$$.s' >&2;; esac\n")
# What a program says does not depend on what it is asked here.
make_compiler(python "CPython 2 8" "")
make_compiler(another-python "CPython 2 8" "")
make_compiler(python2.9 "CPython 2 9" "")

set(first_options "${TSB_FRAMEWORK_OPTIONS}")
set(first_environment "${TSB_FRAMEWORK_ENVIRONMENT}")
set(first_compile_options "${TSB_FRAMEWORK_COMPILE_OPTIONS}")

# Sets everything to what the first build had.
macro(usual)
  set(TSB_STORE "${TSB_TEST_DIR}/store")
  set(CMAKE_BINARY_DIR "${TSB_TEST_DIR}/first")
  foreach(language IN ITEMS C CXX)
    set(CMAKE_${language}_COMPILER_ID GNU)
    set(CMAKE_${language}_COMPILER_VERSION 12.2.0)
  endforeach()
  set(CMAKE_CXX_COMPILER "${TSB_TEST_DIR}/c++")
  set(TSB_CODEGEN_PYTHON "${TSB_TEST_DIR}/python")
  set(target_processor x86_64)
  set(OPTION "TEXT=a b")
  set(ENVIRONMENT "PLACE=@PREFIX_b@" "FROM=@COMMIT@")
  set(SYSTEM Threads)
  set(MODULES BLAS)
  set(TARGETS "")
  set(LICENSE LICENSE)
  set(USE_X USE_X)
  set(OFF "")
  set(MEMORY 800)
  set(TSB_DEBUG_INFO lines)
  set(A_SHA256 1111)
  set(A_VERSION 1.0)
  set(A_COMMIT c0ffee)
  set(STRIP 1)
  set(B_SHA256 2222)
  set(EXTRA ok)
  set(B_OPTION "DEPTH=1")
  set(PROVIDED "B=b" "Other=c")
  set(TSB_FRAMEWORK_OPTIONS "${first_options}")
  set(TSB_FRAMEWORK_ENVIRONMENT "${first_environment}")
  set(TSB_FRAMEWORK_COMPILE_OPTIONS "${first_compile_options}")
endmacro()

# Declares the packages anew and writes what a build folder has of them; sets `fingerprint`.
macro(fingerprint)
  set_property(GLOBAL PROPERTY TSB_PACKAGES "")
  tsb_declare_package(
    b
    DESCRIPTION "B"
    SOURCE b
    OPTIONS ${B_OPTION}
  )
  tsb_declare_package(
    a
    DESCRIPTION "A"
    SOURCE a
    DEPENDS b
    SYSTEM ${SYSTEM}
    MODULES ${MODULES}
    OPTIONS "${OPTION}" "Python_EXECUTABLE=@PYTHON@"
    ENVIRONMENT "${ENVIRONMENT}"
    TARGETS ${TARGETS}
    LICENSE_FILES ${LICENSE}
    MEMORY_PER_JOB_MB ${MEMORY}
    INCLUDE "${TSB_TEST_DIR}/included.cmake"
    INPUTS "${TSB_TEST_DIR}/input.txt"
    STAGE_SCRIPTS "${TSB_TEST_DIR}/stage.cmake"
  )
  set(off "")
  if(NOT OFF STREQUAL "")
    set(off OFF "${OFF}")
  endif()
  tsb_declare_feature(a EXTRA OPTION ${USE_X} ${off})
  set_property(GLOBAL PROPERTY TSB_PROVIDED "${PROVIDED}")
  tsb_plan_packages(b a)
  file(
    WRITE "${CMAKE_BINARY_DIR}/packages/a/sources.json"
    "{
    \"a\": {\"status\": \"ok\", \"version\": \"${A_VERSION}\", \"sha256\": \"${A_SHA256}\", \"commit\": \"${A_COMMIT}\", \"strip\": ${STRIP},
      \"archive\": \"${CMAKE_BINARY_DIR}/a.tar\", \"provider\": \"mirror\"},
    \"extra\": {\"status\": \"${EXTRA}\", \"version\": \"3\", \"sha256\": \"3333\"}}"
  )
  file(
    WRITE "${CMAKE_BINARY_DIR}/packages/b/sources.json"
    "{\"b\": {\"status\": \"ok\", \"version\": \"2.0\", \"sha256\": \"${B_SHA256}\"}}"
  )
  z_tsb_package_fingerprint(fingerprint "${CMAKE_BINARY_DIR}/packages/a")
endmacro()

usual()
fingerprint()
set(first "${fingerprint}")
string(LENGTH "${first}" length)
tsb_expect("length of a fingerprint" EQUAL ${length} 64)

# same(<what> [<variable> <value>])
macro(same what)
  usual()
  if(${ARGC} GREATER 1)
    set(${ARGV1} "${ARGV2}")
  endif()
  fingerprint()
  tsb_expect("fingerprint with ${what}" EQUAL "${fingerprint}" "${first}")
endmacro()

# other(<what> [<variable> <value>])
set(seen "${first}")
macro(other what)
  usual()
  if(${ARGC} GREATER 1)
    set(${ARGV1} "${ARGV2}")
  endif()
  fingerprint()
  if(fingerprint IN_LIST seen)
    message(FATAL_ERROR "another ${what} does not change the fingerprint, or changes it to one that was there before")
  endif()
  list(APPEND seen "${fingerprint}")
endmacro()

same("nothing changed")
same("a link to the compiler" CMAKE_CXX_COMPILER "${TSB_TEST_DIR}/link to c++")
same("another Python of the same version" TSB_CODEGEN_PYTHON "${TSB_TEST_DIR}/another-python")
same("another build folder" CMAKE_BINARY_DIR "${TSB_TEST_DIR}/a second one")
same("another store" TSB_STORE "${TSB_TEST_DIR}/another store")
same("another need of memory" MEMORY 1234)
set(ENV{TSB_JOBS} 7)
set(ENV{CCACHE_DIR} "${TSB_TEST_DIR}/ccache")
same("other jobs and another compiler cache")

same("a name that another package provides" PROVIDED "B=b;Another=c")

other("option's value" OPTION "TEXT=a c")
other("option" OPTION "TEXT2=a b")
other("variable" ENVIRONMENT "PLACE=@PREFIX_a@;FROM=@COMMIT@")
other("system package" SYSTEM OpenMP)
other("module" MODULES LAPACK)
other("name of a dependency" PROVIDED "Bee=b")
other("target" TARGETS all)
other("option of the framework" TSB_FRAMEWORK_OPTIONS "${first_options};CMAKE_UNITY_BUILD=ON")
other("fewer options of the framework" TSB_FRAMEWORK_OPTIONS "CMAKE_BUILD_TYPE=Release")
other("variable of the framework" TSB_FRAMEWORK_ENVIRONMENT "LANG=C")
other("compiler option of the framework" TSB_FRAMEWORK_COMPILE_OPTIONS "${first_compile_options};-g=1")
other("level of debug information" TSB_DEBUG_INFO full)
other("licence file" LICENSE COPYING)
other("feature's option" USE_X USE_Y)
other("feature switched off by hand" OFF "never")
other("source missing" EXTRA missing)
other("source of the same version" A_SHA256 1112)
other("version of the same source" A_VERSION 1.1)
other("commit that a variable names" A_COMMIT d0c0a)
other("way to unpack" STRIP 0)
other("compiler version" CMAKE_C_COMPILER_VERSION 12.3.0)
other("compiler" CMAKE_CXX_COMPILER_ID Clang)
other("machine that the compiler is for" CMAKE_CXX_COMPILER "${TSB_TEST_DIR}/aarch64-c++")
other("compiler of the same version" CMAKE_CXX_COMPILER "${TSB_TEST_DIR}/wrapper")
other("compiler with parts" CMAKE_CXX_COMPILER "${TSB_TEST_DIR}/gcc")
file(APPEND "${TSB_TEST_DIR}/as" ", changed")
set_property(GLOBAL PROPERTY "TSB_PROGRAMS_${TSB_TEST_DIR}/gcc" "")
other("assembler" CMAKE_CXX_COMPILER "${TSB_TEST_DIR}/gcc")
other("wrapper of a wrapper" CMAKE_CXX_COMPILER "${TSB_TEST_DIR}/outer")
set(by_wrappers "${fingerprint}")
set_property(GLOBAL PROPERTY "TSB_PROGRAMS_${TSB_TEST_DIR}/outer" "")
usual()
set(CMAKE_CXX_COMPILER "${TSB_TEST_DIR}/outer")
fingerprint()
tsb_expect("fingerprint with other temporary files" EQUAL "${fingerprint}" "${by_wrappers}")
make_compiler(inner linux "case $* in -###*) echo ' cc1 -D EVIL -o /tmp/cc$$.s' >&2;; esac\n")
set_property(GLOBAL PROPERTY "TSB_PROGRAMS_${TSB_TEST_DIR}/outer" "")
other("option of the inner one" CMAKE_CXX_COMPILER "${TSB_TEST_DIR}/outer")
# A compiler, and one with its own lld, that are little more than a library, in a folder with a blank.
foreach(library IN ITEMS LLVM-1 lldELF)
  file(WRITE "${TSB_TEST_DIR}/clang.cpp" "int work(); int main() { return work(); }\n")
  set(folder "${TSB_TEST_DIR}/a folder of ${library}")
  file(MAKE_DIRECTORY "${folder}")
  foreach(number IN ITEMS 1 2)
    file(WRITE "${TSB_TEST_DIR}/work.cpp" "int work() { return ${number}; }\n")
    execute_process(
      COMMAND c++ -shared -fPIC ../work.cpp -o lib${library}.so WORKING_DIRECTORY "${folder}" COMMAND_ERROR_IS_FATAL
                                                                                  ANY
    )
    execute_process(
      COMMAND c++ ../clang.cpp -L. -l${library} "-Wl,-rpath,${folder}" -o clang
      WORKING_DIRECTORY "${folder}" COMMAND_ERROR_IS_FATAL ANY
    )
    set_property(GLOBAL PROPERTY "TSB_PROGRAMS_${folder}/clang" "")
    other("compiler, whose ${library} is number ${number}" CMAKE_CXX_COMPILER "${folder}/clang")
  endforeach()
endforeach()
other("Python that generates files" TSB_CODEGEN_PYTHON "${TSB_TEST_DIR}/python2.9")
other("processor" target_processor aarch64)
other("source of a dependency" B_SHA256 2223)
other("option of a dependency" B_OPTION DEPTH=2)
file(WRITE "${TSB_TEST_DIR}/pins/patches/one.patch" "another patch\n")
other("patch")
file(WRITE "${TSB_TEST_DIR}/included.cmake" "# another\n")
other("included file")
file(WRITE "${TSB_TEST_DIR}/stage.cmake" "# another\n")
other("stage script")
file(WRITE "${TSB_TEST_DIR}/input.txt" "two\n")
other("file under INPUTS")
file(READ "${TSB_PINS_FILE}" pins)
string(JSON pins SET "${pins}" sources a patches 0 only_where "{\"file\": \"a.h\", \"has\": \"a\"}")
file(WRITE "${TSB_PINS_FILE}" "${pins}")
other("condition of a patch")
