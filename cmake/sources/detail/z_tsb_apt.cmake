# SPDX-License-Identifier: BSD-3-Clause
include_guard()
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_host.cmake")
set(Z_TSB_APT_SOURCES "${CMAKE_CURRENT_LIST_DIR}/apt_sources.py")
#[[.rst:
z_tsb_apt
---------

A private apt state: the archives that this machine is already configured for, asked for source packages (or for binary
packages) of more releases than the machine itself uses, with lists and caches in the folder of the run, since they are
large and soon out of date. The machine's own state is left alone, and root is not needed.

``z_tsb_apt_state(<out options> <out reason> <types>)``
  Brings the private state up to date, once in a run, and gives the options to use it with.
#]]

function(z_tsb_apt_state out_options out_reason types)
  set(${out_options} "" PARENT_SCOPE)
  set(${out_reason} "" PARENT_SCOPE)
  find_program(Z_TSB_APT_GET apt-get)
  find_program(Z_TSB_APT_CACHE apt-cache)
  if(NOT Z_TSB_APT_GET OR NOT Z_TSB_APT_CACHE)
    set(${out_reason} "no apt on this machine" PARENT_SCOPE)
    return()
  endif()
  set(state "${TSB_RUN}/apt-${types}")
  file(MAKE_DIRECTORY "${state}/lists/partial" "${state}/cache/archives/partial")
  set(
    options
    -o
    "Dir::State::Lists=${state}/lists"
    -o
    "Dir::Cache=${state}/cache"
    -o
    "Dir::Cache::pkgcache=pkgcache.bin"
    -o
    "Dir::Cache::srcpkgcache=srcpkgcache.bin"
    -o
    "Dir::Etc::SourceList=${state}/private.sources"
    -o
    "Dir::Etc::SourceParts=/dev/null"
    -o
    "APT::Sandbox::User=root"
    -o
    "Acquire::Languages=none"
    -o
    "Acquire::Retries=1"
    -o
    "Acquire::http::Timeout=10"
    -o
    "Acquire::https::Timeout=10"
  )
  file(LOCK "${state}/lock" GUARD FUNCTION)
  z_tsb_unreachable_get(reason "apt-${types}")
  if(NOT reason AND NOT EXISTS "${state}/updated")
    execute_process(
      COMMAND "${TSB_PYTHON}" "${Z_TSB_APT_SOURCES}" ${types} "${TSB_APT_ETC}" "${TSB_OS_RELEASE}"
      OUTPUT_FILE "${state}/private.sources"
      ERROR_VARIABLE reason
      ERROR_STRIP_TRAILING_WHITESPACE
    )
    if(NOT reason)
      execute_process(
        COMMAND "${CMAKE_COMMAND}" -E env LC_ALL=C "${Z_TSB_APT_GET}" ${options} update
        RESULT_VARIABLE code
        OUTPUT_VARIABLE output
        ERROR_VARIABLE error
      )
      # A release that the archives do not have does not matter, as long as there is one.
      file(GLOB lists "${state}/lists/*_Sources*" "${state}/lists/*_Packages*")
      if(error MATCHES "Could not (resolve|connect)|Cannot initiate|Temporary failure|Connection (failed|timed)")
        set(reason "the archives cannot be reached")
      elseif(NOT lists)
        string(REGEX MATCH "(E|W): [^\n]*" line "${error}")
        set(reason "apt has no lists: ${line}")
      endif()
    endif()
    if(reason)
      z_tsb_unreachable_set("apt-${types}" "${reason}")
    else()
      file(WRITE "${state}/updated" "")
    endif()
  endif()
  set(${out_options} "${options}" PARENT_SCOPE)
  set(${out_reason} "${reason}" PARENT_SCOPE)
endfunction()
