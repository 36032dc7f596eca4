# SPDX-License-Identifier: BSD-3-Clause
# IN_PLACE: a folder of the user's is built where it is, with what it depends on. An edit compiles that file alone;
# nothing is copied or stored, and the folder keeps what is the user's.
include("${CMAKE_CURRENT_LIST_DIR}/fixture.cmake")
write_trees()
add_source(a 1.0)
set(mine "${box}/my checkout")
foreach(name IN ITEMS one two)
  file(WRITE "${mine}/${name}.c" "int ${name}() { return 1; }\n")
endforeach()
set(known_languages "include(known_compiler.cmake)\nproject(d LANGUAGES C)\nfind_package(a REQUIRED)\n")
file(COPY "${trees}/known_compiler.cmake" DESTINATION "${mine}")
file(
  WRITE "${mine}/CMakeLists.txt"
  "cmake_minimum_required(VERSION 3.25)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
${known_languages}option(GREETS \"\" OFF)
message(STATUS \"greets: \${GREETS}, \${CMAKE_BUILD_TYPE}\")
add_library(d STATIC one.c two.c)
install(TARGETS d DESTINATION lib)
"
)
set(declaration_of_d "tsb_declare_package(d DESCRIPTION \"use D\" IN_PLACE \"${mine}\" DEPENDS a")
declare("${declaration_of_a})\n${declaration_of_d})" d)
configure()
set(log "${build}/packages/d/log")

make(good all)
expect_ran("the first time" a-configure a-build a-stage d-configure d-build)
tsb_expect("the last line" CONTAINS "${output}" "use D")
tsb_expect_file("what is configured" CONTAINS "${log}/configure.log" "greets: OFF, Release")
tsb_expect("what is installed" EXISTS "${mine}/torch/lib/libd.a")
tsb_expect("what the store has" ABSENT "${box}/store/d")
file(GLOB found RELATIVE "${mine}" "${mine}/*")
tsb_expect(
  "the checkout" EQUAL "${found}" "CMakeLists.txt;compile_commands.json;known_compiler.cmake;one.c;torch;two.c"
)
tsb_expect_file("for editors" CONTAINS "${mine}/compile_commands.json" "\"file\": \"${mine}/one.c\"")

# Nothing to do, and one file to do. The stamp is new, by which the report knows what ran.
set(stamp "${build}/steps/d/build.json")
tsb_expect("the stamp" EXISTS "${stamp}")
file(TIMESTAMP "${stamp}" before "%s%f")
make(good all)
expect_ran("again" d-build)
file(TIMESTAMP "${stamp}" after "%s%f")
tsb_expect("the stamp" LACKS "${after}" "${before}")
tsb_expect_file("again" CONTAINS "${log}/build.log" "Up-to-date: ${mine}/torch/lib/libd.a")
tsb_expect_file("again" LACKS "${log}/build.log" "Building C")
# CMake's install compares whole seconds: it takes a library for up to date that was linked in the same second as
# before.
execute_process(COMMAND "${CMAKE_COMMAND}" -E sleep 1)
file(APPEND "${mine}/one.c" "int more() { return 2; }\n")
make(good all)
expect_ran("after an edit" d-build)
tsb_expect_file("after an edit" CONTAINS "${log}/build.log" "/one.c.o" "Installing: ${mine}/torch/lib/libd.a")
tsb_expect_file("after an edit" LACKS "${log}/build.log" "/two.c.o")
explain("a: up to date" "d: would run Ninja, which knows what was edited in ${mine}")

# Its CMakeLists.txt is a source like others, the declaration is not. The objects stay in both cases.
file(WRITE "${mine}/three.c" "int three() { return 3; }\n")
file(READ "${mine}/CMakeLists.txt" text)
string(REPLACE "two.c)" "two.c three.c)" text "${text}")
file(WRITE "${mine}/CMakeLists.txt" "${text}")
make(good all)
expect_ran("with a new source" d-build)
tsb_expect_file("with a new source" CONTAINS "${log}/build.log" "/three.c.o")
tsb_expect_file("with a new source" LACKS "${log}/build.log" "/two.c.o")
declare("${declaration_of_a})\n${declaration_of_d} OPTIONS GREETS=ON CMAKE_BUILD_TYPE:STRING=Release)" d)
make(good all)
expect_ran("with an option" d-configure d-build)
tsb_expect_file("with an option" CONTAINS "${log}/configure.log" "greets: ON")
tsb_expect_file("with an option" LACKS "${log}/build.log" "Building C")

# Another Python at the same path; one that is gone.
file(RENAME "${box}/python" "${box}/old python")
file(
  WRITE "${box}/python"
  "#!/bin/sh\ncase $4 in *sys.version*) echo another ;; *) exec '${box}/old python' \"$@\" ;; esac\n"
)
file(CHMOD "${box}/python" FILE_PERMISSIONS OWNER_READ OWNER_EXECUTE)
make(good all)
expect_ran("with another Python" d-configure d-build)
file(RENAME "${box}/python" "${box}/another python")
make(bad all)
tsb_expect("without its Python" CONTAINS "${output}" "python is gone, the Python with which ${build} was configured")
file(RENAME "${box}/old python" "${box}/python")

# What is the user's stays, a link that dangles as well; an error is the compiler's.
file(REMOVE "${mine}/compile_commands.json")
file(CREATE_LINK build/compile_commands.json "${mine}/compile_commands.json" SYMBOLIC)
make(good all)
file(READ_SYMLINK "${mine}/compile_commands.json" target)
tsb_expect("the user's link" EQUAL "${target}" build/compile_commands.json)
file(CREATE_LINK "${box}/gone/packages/d/build/compile_commands.json" "${mine}/compile_commands.json" SYMBOLIC)
make(good all)
file(READ_SYMLINK "${mine}/compile_commands.json" target)
tsb_expect("our link of another build folder" EQUAL "${target}" "${build}/packages/d/build/compile_commands.json")
file(REMOVE "${mine}/compile_commands.json")
file(WRITE "${mine}/compile_commands.json" "mine\n")
file(APPEND "${mine}/two.c" "it is wrong\n")
make(bad all)
tsb_expect("the stamp" ABSENT "${stamp}")
tsb_expect("an error" CONTAINS "${output}" "two.c:2:" "package d: the build phase failed")
tsb_expect_file("the user's file" EQUAL "${mine}/compile_commands.json" "mine\n")
