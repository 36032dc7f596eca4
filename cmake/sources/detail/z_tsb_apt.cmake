# SPDX-License-Identifier: BSD-3-Clause
include_guard()
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_host.cmake")
#[[.rst:
z_tsb_apt
---------

A private apt state: the archives that this machine is already configured for, asked for source packages (or for binary
packages) of more releases than the machine itself uses, with lists and caches in the folder of the run, since they are
large and soon out of date. The machine's own state is left alone, and root is not needed.

``z_tsb_apt_sources(<out> <out reason> <types> <etc> <os-release>)``
  The text of a deb822 source list with ``<types>`` (``deb-src`` or ``deb``). Address and key come from the machine's
  entry for its own release, or from its first entry when none is.

``z_tsb_apt_state(<out options> <out reason> <types>)``
  Brings the private state up to date, once in a run, and gives the options to use it with.
#]]

# Stand-ins while texts are taken apart: characters that no apt source has.
string(ASCII 1 Z_TSB_OPEN)
string(ASCII 2 Z_TSB_CLOSE)
string(ASCII 3 Z_TSB_SEMICOLON)
string(ASCII 4 Z_TSB_STANZA)
string(ASCII 5 Z_TSB_CONTINUED)
string(ASCII 6 Z_TSB_LINE)

# A text as a list of lines that is safe to walk through: brackets and semicolons would change how CMake splits it.
function(z_tsb_apt_lines out text)
  string(REPLACE "[" "${Z_TSB_OPEN}" text "${text}")
  string(REPLACE "]" "${Z_TSB_CLOSE}" text "${text}")
  string(REPLACE ";" "${Z_TSB_SEMICOLON}" text "${text}")
  string(REPLACE "\n" ";" text "${text}")
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

# Every entry of the machine as <uri>|<suites>|<signed-by>|<trusted>, brackets and semicolons still replaced.
function(z_tsb_apt_entries out etc)
  set(entries "")
  file(GLOB lists "${etc}/sources.list.d/*.list")
  foreach(
    list IN
    LISTS
    lists
    ITEMS "${etc}/sources.list"
  )
    if(EXISTS "${list}")
      file(READ "${list}" text)
      z_tsb_apt_lines(lines "${text}")
      foreach(line IN LISTS lines)
        set(bracket "(${Z_TSB_OPEN}([^${Z_TSB_CLOSE}]*)${Z_TSB_CLOSE}[ \t]+)?")
        if(line MATCHES "^deb(-src)?[ \t]+${bracket}([^ \t]+)[ \t]+([^ \t]+)")
          set(options " ${CMAKE_MATCH_3} ")
          set(entry "${CMAKE_MATCH_4}|${CMAKE_MATCH_5}")
          string(REGEX MATCH "[ \t]signed-by=([^ \t]+)" found "${options}")
          set(signed_by "${CMAKE_MATCH_1}")
          string(REGEX MATCH "[ \t]trusted=([^ \t]+)" found "${options}")
          list(APPEND entries "${entry}|${signed_by}|${CMAKE_MATCH_1}")
        endif()
      endforeach()
    endif()
  endforeach()
  file(GLOB lists "${etc}/sources.list.d/*.sources")
  foreach(list IN LISTS lists)
    file(READ "${list}" text)
    string(REGEX REPLACE "(^|\n)#[^\n]*" "" text "${text}")
    string(REGEX REPLACE "\n[ \t]*\n" "${Z_TSB_STANZA}" text "\n${text}")
    z_tsb_apt_lines(text "${text}")
    # Inside a stanza a continuation line belongs to the field before it.
    string(REGEX REPLACE ";([ \t])" "${Z_TSB_CONTINUED}\\1" text "${text}")
    string(REPLACE ";" "${Z_TSB_LINE}" text "${text}")
    string(REPLACE "${Z_TSB_STANZA}" ";" stanzas "${text}")
    foreach(stanza IN LISTS stanzas)
      foreach(field Types URIs Suites Signed-By Trusted Enabled)
        set(value_${field} "")
        if("${Z_TSB_LINE}${stanza}${Z_TSB_LINE}" MATCHES "${Z_TSB_LINE}${field}:[ \t]*([^${Z_TSB_LINE}]*)${Z_TSB_LINE}")
          set(value_${field} "${CMAKE_MATCH_1}")
        endif()
      endforeach()
      if(value_Types MATCHES "deb" AND value_URIs AND NOT value_Enabled MATCHES "^[Nn]o")
        string(REGEX REPLACE "[ \t${Z_TSB_CONTINUED}].*" "" uri "${value_URIs}")
        list(APPEND entries "${uri}|${value_Suites}|${value_Signed-By}|${value_Trusted}")
      endif()
    endforeach()
  endforeach()
  set(${out} "${entries}" PARENT_SCOPE)
endfunction()

function(z_tsb_apt_sources out out_reason types etc os_release)
  set(${out} "" PARENT_SCOPE)
  set(${out_reason} "" PARENT_SCOPE)
  set(id "")
  set(codename "")
  if(EXISTS "${os_release}")
    file(READ "${os_release}" text)
    if("\n${text}" MATCHES "\nID=\"?([A-Za-z0-9._-]+)")
      set(id "${CMAKE_MATCH_1}")
    endif()
    if("\n${text}" MATCHES "\nVERSION_CODENAME=\"?([A-Za-z0-9._-]+)")
      set(codename "${CMAKE_MATCH_1}")
    endif()
  endif()
  z_tsb_apt_entries(entries "${etc}")
  if(NOT entries)
    set(${out_reason} "no apt sources in ${etc}" PARENT_SCOPE)
    return()
  endif()
  list(GET entries 0 chosen)
  foreach(entry IN LISTS entries)
    if(codename AND entry MATCHES "^[^|]*\\|([^|]*[ \t])?${codename}([ \t][^|]*)?\\|")
      set(chosen "${entry}")
      break()
    endif()
  endforeach()
  string(REGEX MATCH "^([^|]*)\\|([^|]*)\\|([^|]*)\\|(.*)$" found "${chosen}")
  set(uri "${CMAKE_MATCH_1}")
  set(suites "${CMAKE_MATCH_2}")
  set(signed_by "${CMAKE_MATCH_3}")
  set(trusted "${CMAKE_MATCH_4}")
  set(components main)
  if(id STREQUAL "debian")
    set(suites ${codename} bookworm trixie forky sid experimental)
    list(REMOVE_DUPLICATES suites)
    list(JOIN suites " " suites)
    set(components "main contrib non-free")
  elseif(id STREQUAL "ubuntu")
    set(suites "${codename} ${codename}-updates")
    set(components "main universe multiverse restricted")
  endif()
  set(text "Types: ${types}\nURIs: ${uri}\nSuites: ${suites}\n")
  if(NOT suites MATCHES "/$")
    string(APPEND text "Components: ${components}\n")
  endif()
  if(signed_by)
    string(APPEND text "Signed-By: ${signed_by}\n")
  endif()
  if(trusted)
    string(APPEND text "Trusted: ${trusted}\n")
  endif()
  string(REPLACE "${Z_TSB_CONTINUED}" "\n" text "${text}")
  string(REPLACE "${Z_TSB_OPEN}" "[" text "${text}")
  string(REPLACE "${Z_TSB_CLOSE}" "]" text "${text}")
  string(REPLACE "${Z_TSB_SEMICOLON}" ";" text "${text}")
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

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
    z_tsb_apt_sources(text reason "${types}" "${TSB_APT_ETC}" "${TSB_OS_RELEASE}")
    if(NOT reason)
      file(WRITE "${state}/private.sources" "${text}")
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
