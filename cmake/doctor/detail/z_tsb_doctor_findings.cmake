# SPDX-License-Identifier: BSD-3-Clause
# What checks use. What they say goes into global properties; tsb_doctor() shows it when all of them are done.
include_guard(GLOBAL)
cmake_policy(VERSION 3.21)

# z_tsb_doctor_good(<text>): something is as it should be.
function(z_tsb_doctor_good text)
  set_property(GLOBAL APPEND_STRING PROPERTY TSB_DOCTOR_GOOD "-- ${text}\n")
endfunction()

# z_tsb_doctor_problem(<what> <remedy>...): something stands in the way; each remedy is a line.
function(z_tsb_doctor_problem what)
  set(text "  ${what}\n")
  foreach(remedy IN LISTS ARGN)
    string(APPEND text "    -> ${remedy}\n")
  endforeach()
  set_property(GLOBAL APPEND_STRING PROPERTY TSB_DOCTOR_PROBLEMS "${text}")
  set_property(GLOBAL APPEND PROPERTY TSB_DOCTOR_PROBLEM_COUNT one)
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

# z_tsb_doctor_tool(<names> <least version> <package of Debian> <of Fedora>): the first program of these names,
# separated by "|", that is on the PATH. The version 0 is any.
function(z_tsb_doctor_tool names least debian fedora)
  z_tsb_doctor_install(remedy "${debian}" "${fedora}")
  string(REPLACE "|" ";" names "${names}")
  find_program(program NAMES ${names} NO_CACHE)
  list(GET names 0 name)
  set(needed ", ${least} or newer is needed")
  if(NOT least)
    set(needed "")
  endif()
  if(NOT program)
    z_tsb_doctor_problem("${name}: not found${needed}" "${remedy}")
    return()
  endif()
  get_filename_component(name "${program}" NAME)
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
  elseif(least AND version VERSION_LESS least)
    z_tsb_doctor_problem(
      "${name}: ${program} is ${version}${needed}" "${remedy}"
      "or, if that is not newer: ./bootstrap.sh installs newer ones"
    )
  else()
    z_tsb_doctor_good("${name} ${version}")
  endif()
endfunction()

# z_tsb_doctor_make_folder(<result> <beginning of its path>): a new folder; empty, and <result>_ERROR, where that fails.
function(z_tsb_doctor_make_folder result path)
  execute_process(
    COMMAND mktemp -d "${path}-XXXXXX"
    OUTPUT_VARIABLE folder
    OUTPUT_STRIP_TRAILING_WHITESPACE
    ERROR_VARIABLE error
  )
  string(REGEX REPLACE "^.*: " "" error "${error}")
  string(STRIP "${error}" error)
  set(${result} "${folder}" PARENT_SCOPE)
  set(${result}_ERROR "${error}" PARENT_SCOPE)
endfunction()

# z_tsb_doctor_existing(<result> <folder>): the folder, or the nearest one above it that exists.
function(z_tsb_doctor_existing result folder)
  while(NOT EXISTS "${folder}" AND NOT folder STREQUAL "")
    get_filename_component(folder "${folder}" DIRECTORY)
  endwhile()
  set(${result} "${folder}" PARENT_SCOPE)
endfunction()
