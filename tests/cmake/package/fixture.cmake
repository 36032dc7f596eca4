# SPDX-License-Identifier: BSD-3-Clause
# A superbuild of tiny packages, as the tests of the framework use it: sources packed into a mirror, pins that fit, a
# project with the declarations, and a Python that notes which phases ran a command. Every folder has a blank in its
# name.
cmake_minimum_required(VERSION 3.25)
include("${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake")
set(box "${TSB_TEST_DIR}/with blank")
set(build "${box}/build folder")
set(pins "{}")
set(patches "${box}/pins/patches")
set(ENV{TSB_PINS_FILE} "${box}/pins/sources.json")
set(ENV{TSB_PROVIDERS} "local;mirror")
set(ENV{TSB_SOURCE_MIRROR} "${box}/mirror")
set(ENV{TSB_SOURCES} "${box}/sources")
set(ENV{TSB_STORE} "${box}/store")
set(ENV{TSB_JOBS} 2)
set(ENV{TSB_PYTHON} "${box}/python")
foreach(
  variable IN ITEMS TSB_DIST TSB_SUPERBUILD_DIR TSB_TORCHPKG TSB_OFFLINE TSB_NETWORK_NAMESPACE CMAKE_GENERATOR CC CXX
                    CFLAGS CXXFLAGS
)
  unset(ENV{${variable}})
endforeach()

# add_source(<name> <version> [<members of the pin>]): packs trees/<name>; its files are years old, as in real archives.
function(add_source name version)
  set(file "${box}/mirror/${name}/${version}/${name}.tar")
  file(MAKE_DIRECTORY "${box}/mirror/${name}/${version}")
  execute_process(
    COMMAND tar --sort=name --mtime=@1577836800 "--transform=s,^[.],${name}-${version},S" -cf "${file}" -C
            "${box}/trees/${name}" . COMMAND_ERROR_IS_FATAL ANY
  )
  file(SHA256 "${file}" sha256)
  set(
    pin
    "{\"license\": \"MIT\", ${ARGN} \"candidates\": [{\"version\": \"${version}\", \"filename\": \"${name}.tar\",
    \"sha256\": \"${sha256}\", \"strip\": 1, \"commit\": \"c0ffeec0ffeec0ffeec0ffeec0ffeec0ffeec0ff\", \"complete\": false}]}"
  )
  string(JSON pins SET "${pins}" ${name} "${pin}")
  file(WRITE "$ENV{TSB_PINS_FILE}" "{\"schema\": 1, \"sources\": ${pins}}")
  set(pins "${pins}" PARENT_SCOPE)
endfunction()

# add_missing_source(<name>): a pin that no mirror has.
function(add_missing_source name)
  string(REPEAT "0" 64 zeros)
  string(
    JSON pins SET "${pins}" ${name}
    "{\"license\": \"MIT\", \"candidates\": [{\"version\": \"1\", \"filename\": \"${name}.tar\",
    \"sha256\": \"${zeros}\"}]}"
  )
  file(WRITE "$ENV{TSB_PINS_FILE}" "{\"schema\": 1, \"sources\": ${pins}}")
  set(pins "${pins}" PARENT_SCOPE)
endfunction()

# Spares each package the checks of its compiler.
set(
  known_compiler
  "set(CMAKE_C_COMPILER_ID_RUN ON)
set(CMAKE_C_COMPILER_ID GNU)
set(CMAKE_C_COMPILER_VERSION 12)
set(CMAKE_C_COMPILER_FORCED ON)
set(CMAKE_EXECUTABLE_FORMAT ELF)
set(CMAKE_SIZEOF_VOID_P 8)\n"
)

# The library a, which says TEXT, and the program b, which uses it.
function(write_trees)
  set(a "${box}/trees/a")
  file(
    WRITE "${a}/CMakeLists.txt"
    "cmake_minimum_required(VERSION 3.18)\n${known_compiler}"
    [[
project(a LANGUAGES C)
set(TEXT "none" CACHE STRING "")
file(WRITE "${CMAKE_BINARY_DIR}/configured.txt" "[${TEXT}][$ENV{WORD}][${EXTRA}]")
add_library(a STATIC a.c more.c)
set_source_files_properties(a.c PROPERTIES COMPILE_DEFINITIONS "TEXT=\"${TEXT}\"")
install(TARGETS a)
install(FILES a.h DESTINATION include)
install(FILES aConfig.cmake DESTINATION lib/cmake/a)
]]
  )
  file(
    WRITE "${a}/a.c"
    "#include \"a.h\"\nconst char* a_text(void) { return TEXT; }\nconst char* a_file(void) { return __FILE__; }\n"
  )
  file(WRITE "${a}/more.c" "int a_more(void) { return 1; }\n")
  file(WRITE "${a}/a.h" "#define A_NUMBER 1\nconst char* a_text(void);\nconst char* a_file(void);\n")
  file(
    WRITE "${a}/aConfig.cmake"
    [[
add_library(a::a STATIC IMPORTED)
get_filename_component(a_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set_target_properties(a::a PROPERTIES IMPORTED_LOCATION "${a_prefix}/lib/liba.a" INTERFACE_INCLUDE_DIRECTORIES "${a_prefix}/include")
]]
  )
  file(WRITE "${a}/LICENSE" "licence of a\n")
  set(b "${box}/trees/b")
  file(
    WRITE "${b}/CMakeLists.txt"
    "cmake_minimum_required(VERSION 3.18)\n${known_compiler}"
    [[
project(b LANGUAGES C)
find_package(a REQUIRED)
add_executable(b b.c)
target_link_libraries(b a::a)
install(TARGETS b)
]]
  )
  file(
    WRITE "${b}/b.c"
    "#include <stdio.h>\n#include <a.h>\nint main(void) { return printf(\"%s %d %s %s\", a_text(), A_NUMBER, a_file(), __FILE__) < 0; }\n"
  )
  file(WRITE "${b}/COPYING" "licence of b\n")
endfunction()

# declare(<declarations> [<package>...]): the project; the packages are activated. The compilers are named, not tried,
# so that it takes no time.
function(declare text)
  if(ARGN)
    string(APPEND text "\ntsb_activate_packages(${ARGN})")
  endif()
  file(WRITE "${box}/project/declarations.cmake" "${text}\n")
  if(EXISTS "${box}/project/CMakeLists.txt")
    return()
  endif()
  find_program(cc cc REQUIRED)
  find_program(cxx c++ REQUIRED)
  file(
    WRITE "${box}/project/CMakeLists.txt"
    "cmake_minimum_required(VERSION 3.25)
project(superbuild LANGUAGES NONE)
set(TSB_PYTORCH_VERSION 0)
set(TSB_SOURCE_VERSION 0)
set(CMAKE_C_COMPILER \"${cc}\")
set(CMAKE_CXX_COMPILER \"${cxx}\")
foreach(language IN ITEMS C CXX)
  set(CMAKE_\${language}_COMPILER_ID GNU)
  set(CMAKE_\${language}_COMPILER_VERSION 1.0\$ENV{TEST_COMPILER_VERSION})
endforeach()
set(TSB_COMPILER_CACHE \"\$ENV{TEST_LAUNCHER}\")
include(\"${TSB_SOURCE_DIR}/cmake/settings/tsb_settings.cmake\")
include(\"${TSB_SOURCE_DIR}/cmake/package/tsb_declare_package.cmake\")
include(\"${TSB_SOURCE_DIR}/cmake/package/tsb_declare_feature.cmake\")
include(\"${TSB_SOURCE_DIR}/cmake/package/tsb_activate_packages.cmake\")
tsb_settings()
tsb_write_settings()
add_custom_target(torchpkg)
include(\"\${CMAKE_SOURCE_DIR}/declarations.cmake\")\n"
  )
endfunction()

# Stands in front of Python, and notes what the runner of phases is to run.
find_program(real_python python3 REQUIRED)
file(
  WRITE "${box}/python"
  "#!/bin/sh
package= phase= costs= before=
for word; do
  case $before in --package) package=$word ;; --phase) phase=$word ;; --step-costs) costs=$word ;; esac
  before=$word
  [ \"$word\" != -- ] || break
done
[ -z \"$phase\" ] || echo \"$package-$phase\${costs:+ with $(basename \"$costs\")}\" >>\"${box}/ran\"
exec \"${real_python}\" \"$@\"\n"
)
file(CHMOD "${box}/python" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)

# configure(): the superbuild, in the folder `build`; it has to work.
function(configure)
  tsb_run(code text "${CMAKE_COMMAND}" -S "${box}/project" -B "${build}" -G Ninja)
  tsb_expect("configuring the superbuild" ENDS "${code}" good)
endfunction()

# make(<good|bad> <target>): sets `output`, and `ran` to the phases that ran a command since the last time.
function(make expected target)
  file(REMOVE "${box}/ran")
  tsb_run(code output "${CMAKE_COMMAND}" --build "${build}" --target ${target})
  tsb_expect("end of ${target}" ENDS "${code}" ${expected})
  set(ran "")
  if(EXISTS "${box}/ran")
    file(STRINGS "${box}/ran" ran)
  endif()
  return(PROPAGATE output ran)
endfunction()

# expect_ran(<what> <phases>)
macro(expect_ran what)
  tsb_expect("what ran: ${what}" EQUAL "${ran}" "${ARGN}")
endmacro()

# explain(<line>...): runs explain, which has to say each of these and run nothing.
macro(explain)
  make(good explain)
  expect_ran("explain")
  tsb_expect("explain" CONTAINS "${output}" ${ARGN})
endmacro()

# recorded_inputs(<out-var> <package> <phase>): of the last good run.
function(recorded_inputs out package phase)
  file(READ "${build}/steps/${package}/${phase}.json" stamp)
  string(JSON inputs GET "${stamp}" inputs)
  set(${out} "${inputs}" PARENT_SCOPE)
endfunction()

# expect_program(<what> <expected>): what the program b says.
function(expect_program what expected)
  execute_process(COMMAND "${build}/packages/b/install/bin/b" OUTPUT_VARIABLE said)
  tsb_expect("what b says, ${what}" EQUAL "${said}" "${expected}")
endfunction()

set(declaration_of_a [[tsb_declare_package(a DESCRIPTION "A" SOURCE a PROVIDES a LICENSE_FILES LICENSE]])
set(declaration_of_b [[tsb_declare_package(b DESCRIPTION "B" SOURCE b DEPENDS a LICENSE_FILES COPYING)]])
