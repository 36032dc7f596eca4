# SPDX-License-Identifier: BSD-3-Clause
# Helpers for the doctor's tests: a PATH of our own with invented tools, and the doctor in a process of its own.
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)
set(bin ${TSB_TEST_DIR}/bin)

# tool(<name> <script>): a program on the invented PATH. Removed first, and never a link: writing must not reach through
# to a program of the real machine.
function(tool name script)
  file(REMOVE ${bin}/${name})
  file(WRITE ${bin}/${name} "#!/bin/sh\n${script}\n")
  file(CHMOD ${bin}/${name} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endfunction()

# tool_of_machine(<name>...): the machine's own program on the invented PATH.
function(tool_of_machine)
  foreach(name IN LISTS ARGN)
    find_program(path ${name} NO_CACHE REQUIRED)
    tool(${name} "exec '${path}' \"$@\"")
    unset(path)
  endforeach()
endfunction()

tool(uname "echo x86_64")

# doctor([<NAME>=<value> of the environment...] [BACKEND <kind> <version>] ARGUMENTS <arguments of tsb_doctor>...): sets
# output, and status to 0 or to what is wrong. What the checks export is printed: "<variable> is [<value>]".
function(doctor)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "BACKEND;ARGUMENTS")
  set(backend "")
  if(arg_BACKEND)
    list(POP_FRONT arg_BACKEND kind version)
    file(READ ${TSB_SOURCE_DIR}/backends/${kind}/backend.json json)
    string(REPLACE "@version@" ${version} json "${json}")
    string(JSON json SET "${json}" kind "\"${kind}\"")
    string(JSON json SET "${json}" version "\"${version}\"")
    set(backend " BACKEND [==[${json}]==]")
  endif()
  set(arguments "")
  foreach(argument IN LISTS arg_ARGUMENTS)
    string(APPEND arguments " [==[${argument}]==]")
  endforeach()
  file(
    WRITE ${TSB_TEST_DIR}/run.cmake
    "
cmake_minimum_required(VERSION 3.25)
include(\"${TSB_SOURCE_DIR}/cmake/doctor/tsb_doctor.cmake\")
tsb_doctor(${arguments}${backend})
get_property(names GLOBAL PROPERTY TSB_DOCTOR_EXPORTS)
foreach(name IN LISTS names)
  if(DEFINED \${name})
    message(STATUS \"\${name} is [\${\${name}}]\")
  endif()
endforeach()
"
  )
  tsb_run(
    status output ${CMAKE_COMMAND} -E env --unset=CC --unset=CXX --unset=TSB_PYTHON --unset=TSB_DOCTOR_SKIP
    "PATH=${bin}" ${arg_UNPARSED_ARGUMENTS} ${CMAKE_COMMAND} -P ${TSB_TEST_DIR}/run.cmake
  )
  return(PROPAGATE status output)
endfunction()

# fails(<n> <part of the output>...): that many problems, with these texts.
function(fails count)
  cmake_parse_arguments(PARSE_ARGV 1 parts "" "" "")
  tsb_expect_end(1 "problems with this machine: ${count}," ${parts_UNPARSED_ARGUMENTS})
endfunction()

# passes(<part of the output>...)
function(passes)
  cmake_parse_arguments(PARSE_ARGV 0 parts "" "" "")
  tsb_expect_end(0 ${parts_UNPARSED_ARGUMENTS})
endfunction()
