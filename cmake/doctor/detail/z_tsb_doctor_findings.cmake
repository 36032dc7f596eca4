# SPDX-License-Identifier: BSD-3-Clause
# What the checks say goes here; tsb_doctor() shows it when all of them are done.
include_guard(GLOBAL)
cmake_policy(VERSION 3.21)

# z_tsb_doctor_good(<text>): something is as it should be.
function(z_tsb_doctor_good text)
  set_property(GLOBAL APPEND_STRING PROPERTY TSB_DOCTOR_GOOD "${text}\n")
endfunction()

# z_tsb_doctor_problem(<what> <remedy>...): something stands in the way; each remedy is a line.
function(z_tsb_doctor_problem what)
  set(text "  ${what}\n")
  foreach(remedy IN LISTS ARGN)
    string(APPEND text "    -> ${remedy}\n")
  endforeach()
  set_property(GLOBAL APPEND_STRING PROPERTY TSB_DOCTOR_PROBLEMS "${text}")
  get_property(count GLOBAL PROPERTY TSB_DOCTOR_PROBLEM_COUNT)
  if("${count}" STREQUAL "")
    set(count 0)
  endif()
  math(EXPR count "${count} + 1")
  set_property(GLOBAL PROPERTY TSB_DOCTOR_PROBLEM_COUNT ${count})
endfunction()

# z_tsb_doctor_export(<variable> <value>): tsb_doctor() sets the variable where it was called.
function(z_tsb_doctor_export variable value)
  set_property(GLOBAL APPEND PROPERTY TSB_DOCTOR_EXPORTS ${variable})
  set_property(GLOBAL PROPERTY TSB_DOCTOR_EXPORT_${variable} "${value}")
endfunction()

# z_tsb_doctor_exported(<result> <variable>): what a check before this one has exported, or nothing.
function(z_tsb_doctor_exported result variable)
  set(value "")
  get_property(exports GLOBAL PROPERTY TSB_DOCTOR_EXPORTS)
  if(variable IN_LIST exports)
    get_property(value GLOBAL PROPERTY TSB_DOCTOR_EXPORT_${variable})
  endif()
  set(${result} "${value}" PARENT_SCOPE)
endfunction()

# z_tsb_doctor_install(<result> <Debian packages> <Fedora packages>): the command that installs them here.
function(z_tsb_doctor_install result debian fedora)
  find_program(apt_get apt-get NO_CACHE)
  find_program(dnf dnf NO_CACHE)
  set(command "install ${debian}")
  if(apt_get)
    set(command "apt-get install ${debian}")
  elseif(dnf)
    set(command "dnf install ${fedora}")
  endif()
  set(${result} "${command}" PARENT_SCOPE)
endfunction()

# z_tsb_doctor_tool(<name> <least version> <remedy>): a program on the PATH. An empty version is any.
function(z_tsb_doctor_tool name least remedy)
  find_program(program ${name} NO_CACHE)
  if(NOT program)
    set(or_newer "")
    if(NOT least STREQUAL "")
      set(or_newer ", ${least} or newer is needed")
    endif()
    z_tsb_doctor_problem("${name}: not found${or_newer}" "${remedy}")
    return()
  endif()
  execute_process(
    COMMAND ${program} --version
    OUTPUT_VARIABLE output
    ERROR_VARIABLE output
    RESULT_VARIABLE status
  )
  set(version "")
  if(output MATCHES "([0-9]+\\.[0-9]+(\\.[0-9]+)*)")
    set(version ${CMAKE_MATCH_1})
  endif()
  if(NOT status EQUAL 0)
    z_tsb_doctor_problem("${name}: ${program} does not run (${status})" "${remedy}")
  elseif(NOT least STREQUAL "" AND version VERSION_LESS least)
    z_tsb_doctor_problem(
      "${name}: ${program} is ${version}, ${least} or newer is needed" "${remedy}"
      "or, if that is not newer: ./bootstrap.sh installs newer ones"
    )
  else()
    z_tsb_doctor_good("${name} ${version}")
  endif()
endfunction()

# z_tsb_doctor_table_tool(<names>|<least version>|<Debian>|<Fedora>): the first of the programs that is there.
function(z_tsb_doctor_table_tool row)
  string(REGEX MATCH "^(.*)[|](.*)[|](.*)[|](.*)$" ignored "${row}")
  set(least "${CMAKE_MATCH_2}")
  string(REPLACE "," ";" names "${CMAKE_MATCH_1}")
  z_tsb_doctor_install(remedy "${CMAKE_MATCH_3}" "${CMAKE_MATCH_4}")
  list(GET names 0 name)
  find_program(found NAMES ${names} NO_CACHE)
  if(found)
    get_filename_component(name "${found}" NAME)
  endif()
  z_tsb_doctor_tool(${name} "${least}" "${remedy}")
endfunction()

# z_tsb_doctor_make_folder(<result> <beginning of its path>): a new folder; empty, and <result>_ERROR, where that fails.
function(z_tsb_doctor_make_folder result path)
  execute_process(
    COMMAND mktemp -d "${path}-XXXXXX"
    OUTPUT_VARIABLE folder
    OUTPUT_STRIP_TRAILING_WHITESPACE
    ERROR_VARIABLE error
    RESULT_VARIABLE status
  )
  set(reason "")
  if(NOT status EQUAL 0)
    set(folder "")
    string(REGEX REPLACE "^.*: " "" reason "${error}")
    string(STRIP "${reason}" reason)
  endif()
  set(${result} "${folder}" PARENT_SCOPE)
  set(${result}_ERROR "${reason}" PARENT_SCOPE)
endfunction()

# z_tsb_doctor_existing(<result> <folder>): the folder, or the nearest one above it that exists.
function(z_tsb_doctor_existing result folder)
  while(NOT EXISTS "${folder}" AND NOT folder STREQUAL "")
    get_filename_component(folder "${folder}" DIRECTORY)
  endwhile()
  set(${result} "${folder}" PARENT_SCOPE)
endfunction()
