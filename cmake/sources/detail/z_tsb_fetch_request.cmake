# SPDX-License-Identifier: BSD-3-Clause
include_guard()
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_json_get_or.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_pins_for_archs.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_pins_for_backend.cmake")
#[[.rst:
z_tsb_fetch_request
-------------------

``z_tsb_fetch_request(<out request> <out pins> <out names> <out error>)`` reads ``TSB_REQUEST`` and the pins it names,
checks both, puts in what the request leaves out, takes out of the pins what is not for its backend and architectures, and
lists the names of all sources that may be needed.

``z_tsb_fetch_members(<out> <pins> <name>)`` lists the names of a source's submodules that have pins of their own.
#]]

function(z_tsb_fetch_members out pins name)
  set(members "")
  string(JSON count ERROR_VARIABLE error LENGTH "${pins}" sources "${name}" submodules)
  if(NOT error AND count GREATER 0)
    math(EXPR last "${count} - 1")
    foreach(index RANGE ${last})
      string(
        JSON member
        GET "${pins}"
        sources
        "${name}"
        submodules
        ${index}
        name
      )
      list(APPEND members "${member}")
    endforeach()
  endif()
  set(${out} "${members}" PARENT_SCOPE)
endfunction()

function(z_tsb_fetch_read_json out out_error file what)
  set(${out_error} "" PARENT_SCOPE)
  if("${file}" STREQUAL "" OR NOT EXISTS "${file}")
    set(${out_error} "there is no ${what} '${file}'" PARENT_SCOPE)
    return()
  endif()
  file(READ "${file}" text)
  string(JSON kind ERROR_VARIABLE error TYPE "${text}")
  if(error OR NOT kind STREQUAL "OBJECT")
    set(${out_error} "the ${what} ${file} is not JSON: ${error}" PARENT_SCOPE)
  endif()
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

function(z_tsb_fetch_request out_request out_pins out_names out_error)
  set(${out_error} "" PARENT_SCOPE)
  z_tsb_fetch_read_json(request error "${TSB_REQUEST}" "request")
  if(NOT error AND "${TSB_RESULT}" STREQUAL "")
    set(error "TSB_RESULT is not set")
  endif()
  if(NOT error)
    z_tsb_json_get_or(file "${request}" "" pins)
    z_tsb_fetch_read_json(pins error "${file}" "file of pins")
  endif()
  if(NOT error)
    z_tsb_json_get_or(kind "${request}" "" backend)
    z_tsb_pins_for_backend(pins "${pins}" "${kind}")
    z_tsb_json_get_list(archs "${request}" cuda_archs)
    if(archs)
      z_tsb_pins_for_archs(pins "${pins}" ${archs})
    endif()
  endif()
  if(NOT error)
    foreach(key cache work)
      z_tsb_json_get_or(value "${request}" "" ${key})
      if(value STREQUAL "")
        set(error "the request ${TSB_REQUEST} has no '${key}'")
      else()
        get_filename_component(value "${value}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_BINARY_DIR}")
        z_tsb_json_quote(value "${value}")
        string(JSON request SET "${request}" ${key} "${value}")
      endif()
    endforeach()
  endif()
  if(error)
    set(${out_error} "${error}" PARENT_SCOPE)
    return()
  endif()

  set(
    known
    local
    mirror
    upstream
    git
    distribution
    python-index
    distribution-binary
  )
  z_tsb_json_get_list(providers "${request}" providers)
  if(NOT providers)
    set(providers ${known})
  endif()
  foreach(provider IN LISTS providers)
    if(NOT provider IN_LIST known)
      list(JOIN known ", " known)
      set(${out_error} "no such provider: ${provider} (there are ${known})" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  # A binary package is only the way out where the source package is refused, so it is asked last.
  if("distribution" IN_LIST providers AND NOT "distribution-binary" IN_LIST providers)
    list(APPEND providers distribution-binary)
  endif()
  list(JOIN providers "\", \"" providers)
  string(JSON request SET "${request}" providers "[\"${providers}\"]")

  set(names "")
  string(JSON count ERROR_VARIABLE error LENGTH "${request}" sources)
  if(error OR count EQUAL 0)
    set(${out_error} "the request ${TSB_REQUEST} names no sources" PARENT_SCOPE)
    return()
  endif()
  math(EXPR last "${count} - 1")
  foreach(index RANGE ${last})
    z_tsb_json_get_or(name "${request}" "" sources ${index} name)
    list(APPEND names "${name}")
    z_tsb_fetch_members(members "${pins}" "${name}")
    list(APPEND names ${members})
  endforeach()
  list(REMOVE_DUPLICATES names)
  foreach(name IN LISTS names)
    string(JSON kind ERROR_VARIABLE error TYPE "${pins}" sources "${name}")
    if(error)
      set(${out_error} "${file} has no pin for '${name}'" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  set(${out_request} "${request}" PARENT_SCOPE)
  set(${out_pins} "${pins}" PARENT_SCOPE)
  set(${out_names} "${names}" PARENT_SCOPE)
endfunction()
