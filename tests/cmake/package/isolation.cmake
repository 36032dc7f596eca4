# SPDX-License-Identifier: BSD-3-Clause
# A package finds what its declaration names, and nothing else, whatever the caller's shell has.
include("${CMAKE_CURRENT_LIST_DIR}/fixture.cmake")
write_trees()
add_source(a 1.0)
set(c "${box}/trees/c")
file(WRITE "${c}/LICENSE" "licence of c\n")
# Another a, installed somewhere; and c, which finds what CALL says.
set(other "${box}/another prefix")
file(WRITE "${other}/lib/cmake/a/aConfig.cmake" "message(FATAL_ERROR \"the wrong a\")\n")
file(WRITE "${other}/lib/cmake/stray/strayConfig.cmake" "message(FATAL_ERROR \"a stray library was found\")\n")
file(WRITE "${other}/include/a.h" "#error the wrong a.h\n")
foreach(variable IN ITEMS CMAKE_PREFIX_PATH CONDA_PREFIX a_ROOT a_DIR stray_ROOT)
  set(ENV{${variable}} "${other}")
endforeach()
foreach(variable IN ITEMS CPATH C_INCLUDE_PATH CPLUS_INCLUDE_PATH)
  set(ENV{${variable}} "${other}/include")
endforeach()
foreach(variable IN ITEMS LIBRARY_PATH LD_LIBRARY_PATH)
  set(ENV{${variable}} "${other}/lib")
endforeach()

# call(<good|bad> <call in c's CMakeLists.txt> [<arguments of its declaration>]): sets `output`, and `log` of configure.
set(version 0)
function(call expected text)
  math(EXPR version "${version} + 1")
  file(
    WRITE "${c}/CMakeLists.txt"
    "cmake_minimum_required(VERSION 3.18)\n${known_compiler}project(c LANGUAGES C)\n${text}\n"
  )
  add_source(c ${version})
  declare(
    "${declaration_of_a} OPTIONS TEXT=x)
tsb_declare_package(unrelated DESCRIPTION \"not built\" SOURCE a PROVIDES Unrelated)
tsb_declare_package(c DESCRIPTION \"C\" SOURCE c LICENSE_FILES LICENSE ${ARGN})" c
  )
  configure()
  make(${expected} c-configure)
  file(READ "${build}/packages/c/log/configure.log" log)
  foreach(variable IN ITEMS version pins output log)
    set(${variable} "${${variable}}" PARENT_SCOPE)
  endforeach()
endfunction()

call(bad "find_package(a)")
tsb_expect(
  "log" CONTAINS "${log}"
  "package c asks for a, which package a provides, but does not declare it. Add 'DEPENDS a' to superbuild/c.cmake, or switch off the option that asks for it."
)
call(bad "find_package(Unrelated QUIET)")
tsb_expect("log" CONTAINS "${log}" "Add 'DEPENDS unrelated' to superbuild/c.cmake")
call(bad "find_package(ZLIB 1.2 REQUIRED)")
tsb_expect(
  "log" CONTAINS "${log}"
  "package c asks for ZLIB, which none of our packages provides. If it may come from the machine, add 'SYSTEM ZLIB' to superbuild/c.cmake"
)
call(bad "find_package(stray REQUIRED)" SYSTEM stray)
tsb_expect("a stray library of the caller's environment" LACKS "${log}" "a stray library was found")

# What the machine has: found when it is declared; optional and not declared it is not.
file(WRITE "${box}/machine/lib/cmake/machine/machineConfig.cmake" "set(machine_SAYS hello)\n")
set(on_machine "set(CMAKE_SYSTEM_PREFIX_PATH \"${box}/machine\")\n")
set(note "file(WRITE \"\${CMAKE_BINARY_DIR}/found.txt\" \"\${machine_FOUND} \${machine_SAYS}\")")
call(good "${on_machine}find_package(machine)\n${note}")
tsb_expect_file("not declared" EQUAL "${build}/packages/c/build/found.txt" "0 ")
tsb_expect("log" CONTAINS "${log}" "isolation: machine is not declared, so it counts as not found")
call(good "${on_machine}find_package(machine 1.0 CONFIG QUIET COMPONENTS part)\n${note}")
tsb_expect_file("not declared, with CONFIG" EQUAL "${build}/packages/c/build/found.txt" "0 ")
file(WRITE "${box}/machine/modules/Findmachine.cmake" "set(machine_FOUND TRUE)\nset(machine_SAYS module)\n")
call(
  good
  "set(CMAKE_MODULE_PATH \"${box}/machine/modules\")\nforeach(time first second)\nfind_package(machine 1.0)\n${note}\nendforeach()"
)
tsb_expect_file("not declared, with a module" EQUAL "${build}/packages/c/build/found.txt" "0 ")
call(good "${on_machine}find_package(machine REQUIRED)\n${note}" SYSTEM machine)
tsb_expect_file("declared" EQUAL "${build}/packages/c/build/found.txt" "1 hello")

# A find module of its own, as PyTorch has one for ITT. Silence would switch a feature off or break the configure later.
file(WRITE "${c}/cmake/modules/Findown.cmake" "set(own_FOUND TRUE)\nset(machine_SAYS own)\nset(machine_FOUND 1)\n")
set(own_path "list(APPEND CMAKE_MODULE_PATH \"\${CMAKE_CURRENT_SOURCE_DIR}/cmake/modules\")\n")
call(bad "${own_path}find_package(own)\n${note}")
tsb_expect(
  "log" CONTAINS "${log}"
  "package c asks for own, for which it has cmake/modules/Findown.cmake, but does not declare it. Add 'MODULES own' to superbuild/c.cmake if that module may look, or 'OPTIONS CMAKE_DISABLE_FIND_PACKAGE_own=ON' if it must not be found."
)
call(good "${own_path}find_package(own)\n${note}" MODULES own)
tsb_expect_file("declared, with a module of its own" EQUAL "${build}/packages/c/build/found.txt" "1 own")
call(good "${own_path}find_package(own)\n${note}" OPTIONS CMAKE_DISABLE_FIND_PACKAGE_own=ON)
tsb_expect_file("not to be found, with a module of its own" EQUAL "${build}/packages/c/build/found.txt" " ")
call(good "${own_path}find_package(own CONFIG)")
file(REMOVE_RECURSE "${c}/cmake")

# Declared: ours, although there is another one, and with our header.
file(WRITE "${c}/c.c" "#include <a.h>\nint main(void) { return a_text() == 0; }\n")
call(
  good
  "find_package(a REQUIRED)\nfile(WRITE \"\${CMAKE_BINARY_DIR}/found.txt\" \"\${a_DIR}\")\nadd_executable(c c.c)\ntarget_link_libraries(c a::a)\ninstall(TARGETS c)"
  DEPENDS
  a
)
file(READ "${build}/packages/c/build/found.txt" found)
tsb_expect("where a was found" EQUAL "${found}" "${build}/packages/a/install/lib/cmake/a")
make(good c)
tsb_expect("c" EXISTS "${build}/packages/c/install/bin/c")

# Ours is refused (no version file, so any request is too much); the other one must not stand in for it.
file(WRITE "${other}/lib/cmake/a/aConfig.cmake" "")
file(WRITE "${other}/lib/cmake/a/aConfigVersion.cmake" "set(PACKAGE_VERSION 9)\nset(PACKAGE_VERSION_COMPATIBLE TRUE)\n")
call(bad "set(CMAKE_SYSTEM_PREFIX_PATH \"${other}\")\nfind_package(a 2.0)" DEPENDS a)
tsb_expect(
  "log" CONTAINS "${log}"
  "package c asks for a, which package a provides, but what was found is another one: ${other}/lib/cmake/a."
)

# Libraries that it finds in other ways than by find_package(); tests/cmake/isolation has the rules.
file(WRITE "${box}/machine/lib/libstray.so" "")
call(bad "${on_machine}find_library(STRAY stray)")
tsb_expect(
  "output" CONTAINS "${output}"
  "error: package c found ${box}/machine/lib/libstray.so of this machine for STRAY, which it does not declare add 'SYSTEM STRAY' to superbuild/c.cmake"
)
tsb_expect("output" LACKS "${output}" "CMake Error")
tsb_expect("state" ABSENT "${build}/steps/c/configure.json")
call(good "${on_machine}find_library(STRAY stray)" SYSTEM STRAY)
call(good "${on_machine}find_library(STRAY stray)" OPTIONS STRAY=)

# A git checkout around the build folder is not seen.
find_program(git git REQUIRED)
execute_process(COMMAND "${git}" init -q "${box}" COMMAND_ERROR_IS_FATAL ANY)
call(
  good
  "execute_process(COMMAND \"${git}\" rev-parse --git-dir WORKING_DIRECTORY \"\${CMAKE_SOURCE_DIR}\" RESULT_VARIABLE result OUTPUT_QUIET ERROR_QUIET)
file(WRITE \"\${CMAKE_BINARY_DIR}/git.txt\" \"\${result}\")"
)
tsb_expect_file("git, asked for the checkout around it" EQUAL "${build}/packages/c/build/git.txt" 128)
