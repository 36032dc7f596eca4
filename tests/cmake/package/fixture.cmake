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

# Beside this file, also where TSB_SOURCE_DIR is a copy without it.
get_filename_component(trees "${CMAKE_CURRENT_LIST_DIR}/../../fixtures/package-trees" ABSOLUTE)
file(READ "${trees}/known_compiler.cmake" known_compiler)

# write_trees(): the library a, which says TEXT, and the program b, which uses it; further ones: of these names.
function(write_trees)
  foreach(name IN ITEMS a b ${ARGN})
    file(REMOVE_RECURSE "${box}/trees/${name}")
    file(COPY "${trees}/${name}" "${trees}/known_compiler.cmake" DESTINATION "${box}/trees")
    file(RENAME "${box}/trees/known_compiler.cmake" "${box}/trees/${name}/known_compiler.cmake")
  endforeach()
endfunction()

# write_program(<file> <lines of a shell script>)
function(write_program file)
  list(JOIN ARGN "\n" text)
  file(WRITE "${file}" "#!/bin/sh\n${text}\n")
  file(CHMOD "${file}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endfunction()

# declare(<declarations> [<package>...]): the project; the packages are activated.
function(declare text)
  if(ARGN)
    string(APPEND text "\ntsb_activate_packages(${ARGN})")
  endif()
  file(WRITE "${box}/project/declarations.cmake" "${text}\n")
  if(NOT EXISTS "${box}/project/CMakeLists.txt")
    find_program(cc cc REQUIRED)
    find_program(cxx c++ REQUIRED)
    configure_file("${trees}/project/CMakeLists.txt" "${box}/project/CMakeLists.txt" @ONLY)
  endif()
endfunction()

find_program(real_python python3 REQUIRED)
configure_file("${trees}/python.in" "${box}/python" @ONLY FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)

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
