# SPDX-License-Identifier: BSD-3-Clause
include_guard()
include("${CMAKE_CURRENT_LIST_DIR}/../detail/z_tsb_apt.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/../detail/z_tsb_json_get_or.cmake")
#[[.rst:
z_tsb_provider_distribution
---------------------------

Takes an archive out of a source package of the distribution. The revision of a source package moves on while its
upstream archive stays the same, so no revision is pinned: any version of the package will do whose signed index lists
the pinned sha256.

z_tsb_provider_distribution_binary
----------------------------------

Takes a binary package of the distribution, for what is not compiled: headers, Python modules. Its version is pinned.
#]]

# Runs apt-get in a folder of its own and moves the one file that is wanted to <file>.part.
function(z_tsb_apt_take out_reason name wanted file)
  set(folder "${TSB_RUN}/apt/${name}")
  file(REMOVE_RECURSE "${folder}")
  file(MAKE_DIRECTORY "${folder}")
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -E env LC_ALL=C ${ARGN}
    WORKING_DIRECTORY "${folder}"
    RESULT_VARIABLE code
    OUTPUT_VARIABLE output
    ERROR_VARIABLE error
  )
  set(reason "")
  # apt writes ':' and '~' of a binary package's version in its own way, so any single file is taken there.
  file(GLOB files "${folder}/${wanted}")
  if(files)
    list(GET files 0 got)
    file(COPY_FILE "${got}" "${file}.part")
  elseif("${error}" MATCHES "(Could not resolve|Could not connect|Cannot initiate|Temporary failure)")
    set(reason "the archives cannot be reached")
  elseif("${error}" MATCHES "[^0-9](4[0-9][0-9])  ?([A-Z][A-Za-z ]*)")
    set(reason "the archives refuse it (HTTP ${CMAKE_MATCH_1})")
  else()
    string(REGEX MATCH "E: [^\n]*" line "${error}")
    set(reason "apt-get failed: ${line}")
  endif()
  file(REMOVE_RECURSE "${folder}")
  set(${out_reason} "${reason}" PARENT_SCOPE)
endfunction()

function(z_tsb_provider_distribution out_reason out_from name candidate download file)
  z_tsb_json_get_or(package "${candidate}" "" distribution package)
  z_tsb_json_get_or(sha256 "${download}" "" sha256)
  z_tsb_apt_state(options reason deb-src)
  if(reason)
    set(${out_reason} "${reason}" PARENT_SCOPE)
    return()
  endif()
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -E env LC_ALL=C "${Z_TSB_APT_CACHE}" ${options} showsrc --only-source "${package}"
    OUTPUT_VARIABLE output ERROR_VARIABLE error
  )
  string(REPLACE ";" "," output "${output}")
  string(REPLACE "[" "(" output "${output}")
  string(REPLACE "]" ")" output "${output}")
  string(REGEX REPLACE "\n\n+" ";" records "\n${output}")
  set(version "")
  set(versions "")
  foreach(record IN LISTS records)
    if("\n${record}\n" MATCHES "\nVersion: ([^\n]+)\n")
      set(this "${CMAKE_MATCH_1}")
      list(APPEND versions "${this}")
      # The archive may have another name there than in the release it was pinned from.
      if(record MATCHES "\n ${sha256} [0-9]+ ([^\n]+)")
        set(wanted "${CMAKE_MATCH_1}")
        set(version "${this}")
      endif()
    endif()
  endforeach()
  if(NOT version)
    list(REMOVE_DUPLICATES versions)
    list(JOIN versions ", " versions)
    set(reason "${package} is not in the archives")
    if(versions)
      set(reason "${package} in the archives is ${versions}, with other files")
    endif()
    set(${out_reason} "${reason}" PARENT_SCOPE)
    return()
  endif()
  set(${out_from} "${package}=${version}" PARENT_SCOPE)
  set(part --tar-only)
  if(wanted MATCHES "\\.(debian\\.tar|diff)\\.[a-z0-9]+$")
    set(part --diff-only)
  endif()
  z_tsb_apt_take(
    reason "${name}" "${wanted}" "${file}" "${Z_TSB_APT_GET}" ${options} --quiet=2 source --only-source --download-only
    ${part} "${package}=${version}"
  )
  set(${out_reason} "${reason}" PARENT_SCOPE)
endfunction()

function(z_tsb_provider_distribution_binary out_reason out_from name candidate download file)
  z_tsb_json_get_or(package "${candidate}" "" distribution-binary package)
  z_tsb_json_get_or(version "${candidate}" "" distribution-binary version)
  set(${out_from} "${package}=${version}" PARENT_SCOPE)
  z_tsb_apt_state(options reason deb)
  if(reason)
    set(${out_reason} "${reason}" PARENT_SCOPE)
    return()
  endif()
  z_tsb_apt_take(
    reason "${name}" "*.deb" "${file}" "${Z_TSB_APT_GET}" ${options} --quiet=2 download "${package}=${version}"
  )
  set(${out_reason} "${reason}" PARENT_SCOPE)
endfunction()
