# SPDX-License-Identifier: BSD-3-Clause
include_guard()
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_cache.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_json_get_or.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_local_source.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_source_entry.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/../providers/z_tsb_provider_distribution.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/../providers/z_tsb_provider_git.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/../providers/z_tsb_provider_mirror.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/../providers/z_tsb_provider_python_index.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/../providers/z_tsb_provider_upstream.cmake")
#[[.rst:
z_tsb_fetch_source
------------------

``z_tsb_fetch_source(<out> <name> <pin> <local>)`` brings one source into the cache and gives its entry of the result.
The cache is looked at first, then every provider in order with every candidate in order. ``<local>`` is the folder that
the user named for it, which is then the only provider.

A provider is a function ``z_tsb_provider_<name>(<out reason> <out from> <name> <candidate> <artefact> <file>)`` that
leaves ``<file>.part`` and an empty reason, or a few words on why not.
#]]

# What a candidate can be had as, for <kind> archive or pack: the artefact (see z_tsb_cache) and its place in the cache.
# No artefact when the candidate has none of that kind.
function(
  z_tsb_candidate_artefact
  out_artefact
  out_file
  name
  candidate
  kind
)
  set(${out_artefact} "" PARENT_SCOPE)
  z_tsb_json_get_or(version "${candidate}" "" version)
  set(folder "${TSB_CACHE}/${name}/${version}")
  if(kind STREQUAL "archive")
    z_tsb_json_get_or(sha256 "${candidate}" "" sha256)
    if(sha256)
      z_tsb_json_get_or(size "${candidate}" 0 size)
      z_tsb_json_get_or(filename "${candidate}" "" filename)
      set(${out_artefact} "{\"sha256\": \"${sha256}\", \"size\": ${size}}" PARENT_SCOPE)
      set(${out_file} "${folder}/${filename}" PARENT_SCOPE)
    endif()
  else()
    z_tsb_json_get_or(url "${candidate}" "" git)
    z_tsb_json_get_or(commit "${candidate}" "" commit)
    z_tsb_json_get_or(complete "${candidate}" OFF complete)
    if(url)
      if(complete MATCHES "^(ON|OFF)$")
        string(REPLACE "ON" "true" complete "${complete}")
        string(REPLACE "OFF" "false" complete "${complete}")
      endif()
      set(${out_artefact} "{\"commit\": \"${commit}\", \"complete\": ${complete}}" PARENT_SCOPE)
      set(${out_file} "${folder}/${name}-${commit}.pack" PARENT_SCOPE)
    endif()
  endif()
endfunction()

# The candidates of a pin as a list of indices.
function(z_tsb_candidate_indices out pin)
  set(indices "")
  string(JSON count ERROR_VARIABLE error LENGTH "${pin}" candidates)
  if(NOT error AND count GREATER 0)
    math(EXPR last "${count} - 1")
    foreach(index RANGE ${last})
      list(APPEND indices ${index})
    endforeach()
  endif()
  set(${out} "${indices}" PARENT_SCOPE)
endfunction()

# The entry, when anything that would do is in the cache already; else what is wrong with what is there.
function(z_tsb_fetch_from_cache out_entry out_reasons name pin)
  set(${out_entry} "" PARENT_SCOPE)
  set(reasons "")
  z_tsb_candidate_indices(indices "${pin}")
  foreach(index IN LISTS indices)
    string(JSON candidate GET "${pin}" candidates ${index})
    foreach(kind archive pack)
      z_tsb_candidate_artefact(artefact file "${name}" "${candidate}" ${kind})
      if(artefact)
        z_tsb_cache_has(there reason "${file}" "${artefact}")
        if(there)
          z_tsb_source_entry(entry "${pin}" "${candidate}" "${artefact}" "${file}")
          set(${out_entry} "${entry}" PARENT_SCOPE)
          return()
        elseif(reason)
          list(APPEND reasons "${reason}")
        endif()
      endif()
    endforeach()
  endforeach()
  set(${out_reasons} "${reasons}" PARENT_SCOPE)
endfunction()

# Asks one provider for one candidate; an empty entry and the reasons when it cannot help, both empty when the candidate
# is not for this provider.
function(
  z_tsb_fetch_candidate
  out_entry
  out_reasons
  name
  pin
  candidate
  provider
)
  set(${out_entry} "" PARENT_SCOPE)
  set(${out_reasons} "" PARENT_SCOPE)
  set(member "${provider}")
  set(kinds archive)
  if(provider STREQUAL "mirror")
    set(member version)
    set(kinds archive pack)
  elseif(provider STREQUAL "upstream")
    set(member url)
  elseif(provider STREQUAL "git")
    set(kinds pack)
  endif()
  string(JSON has ERROR_VARIABLE error TYPE "${candidate}" ${member})
  if(error OR provider STREQUAL "local" OR (provider STREQUAL "mirror" AND NOT TSB_MIRRORS))
    return()
  endif()
  if(TSB_OFFLINE AND NOT provider STREQUAL "mirror")
    set(${out_reasons} "offline" PARENT_SCOPE)
    return()
  endif()
  string(REPLACE "-" "_" function "z_tsb_provider_${provider}")
  set(reasons "")
  foreach(kind IN LISTS kinds)
    z_tsb_candidate_artefact(artefact file "${name}" "${candidate}" ${kind})
    if(NOT artefact)
      continue()
    endif()
    get_filename_component(folder "${file}" DIRECTORY)
    file(MAKE_DIRECTORY "${folder}")
    # What an earlier run left may have been the beginning of something else: then once more from the start.
    foreach(attempt 1 2)
      set(resumed FALSE)
      if(EXISTS "${file}.part")
        set(resumed TRUE)
      endif()
      set(good FALSE)
      cmake_language(
        CALL ${function}
        reason
        from
        "${name}"
        "${candidate}"
        "${artefact}"
        "${file}"
      )
      if(NOT reason)
        z_tsb_cache_accept(good reason "${file}" "${artefact}" "${provider}" "${from}")
      endif()
      if(good)
        z_tsb_source_entry(entry "${pin}" "${candidate}" "${artefact}" "${file}")
        set(${out_entry} "${entry}" PARENT_SCOPE)
        set(${out_reasons} "${from}" PARENT_SCOPE)
        return()
      elseif(NOT resumed)
        break()
      endif()
    endforeach()
    list(APPEND reasons "${reason}")
  endforeach()
  set(${out_reasons} "${reasons}" PARENT_SCOPE)
endfunction()

# Asks the providers in order, each for all candidates. Candidates of last resort wait until the others were asked for.
function(z_tsb_fetch_from_providers out_entry out_reasons name pin)
  set(${out_entry} "" PARENT_SCOPE)
  set(reasons "")
  z_tsb_candidate_indices(indices "${pin}")
  foreach(resort OFF ON)
    foreach(provider IN LISTS TSB_PROVIDERS)
      set(said "")
      foreach(index IN LISTS indices)
        string(JSON candidate GET "${pin}" candidates ${index})
        z_tsb_json_get_or(last_resort "${candidate}" OFF last_resort)
        if(last_resort STREQUAL resort)
          z_tsb_fetch_candidate(entry words "${name}" "${pin}" "${candidate}" "${provider}")
          if(entry)
            z_tsb_json_get_or(version "${entry}" "" version)
            z_tsb_json_get_or(size "${entry}" 0 size)
            z_tsb_size_text(size ${size})
            set(${out_entry} "${entry}" PARENT_SCOPE)
            set(${out_reasons} "${name} ${version} from ${provider} (${words}), ${size}" PARENT_SCOPE)
            return()
          endif()
          list(APPEND said ${words})
        endif()
      endforeach()
      if(said)
        list(REMOVE_DUPLICATES said)
        list(JOIN said ", " said)
        list(APPEND reasons "${provider}: ${said}")
      endif()
    endforeach()
  endforeach()
  set(${out_reasons} "${reasons}" PARENT_SCOPE)
endfunction()

# Folders that were made for nothing are taken away again.
function(z_tsb_fetch_remove_empty name pin)
  z_tsb_candidate_indices(indices "${pin}")
  foreach(index IN LISTS indices)
    string(JSON version GET "${pin}" candidates ${index} version)
    foreach(folder "${TSB_CACHE}/${name}/${version}" "${TSB_CACHE}/${name}")
      file(GLOB content "${folder}/*")
      if(NOT content AND IS_DIRECTORY "${folder}")
        file(REMOVE_RECURSE "${folder}")
      endif()
    endforeach()
  endforeach()
endfunction()

function(z_tsb_fetch_source out name pin local)
  if(NOT local STREQUAL "")
    if(IS_DIRECTORY "${local}")
      z_tsb_local_source(entry "${name}" "${pin}" "${local}" "${TSB_WORK}")
    else()
      z_tsb_source_entry_missing(entry "local: no folder ${local}")
    endif()
    set(${out} "${entry}" PARENT_SCOPE)
    return()
  endif()
  file(MAKE_DIRECTORY "${TSB_CACHE}/.locks")
  file(LOCK "${TSB_CACHE}/.locks/${name}" GUARD FUNCTION TIMEOUT 0 RESULT_VARIABLE busy)
  if(NOT busy EQUAL 0)
    message(NOTICE "fetch: ${name}: another fetch into ${TSB_CACHE} has it, waiting for it")
    file(LOCK "${TSB_CACHE}/.locks/${name}" GUARD FUNCTION)
  endif()
  z_tsb_fetch_from_cache(entry reasons "${name}" "${pin}")
  if(NOT entry)
    string(TIMESTAMP begin "%s")
    z_tsb_fetch_from_providers(entry more "${name}" "${pin}")
    if(entry)
      string(TIMESTAMP end "%s")
      math(EXPR seconds "${end} - ${begin}")
      message(NOTICE "fetch: ${more}, ${seconds} s")
    else()
      z_tsb_json_get_list(refused "${pin}" refused)
      list(PREPEND reasons ${refused})
      list(APPEND reasons ${more})
      if(NOT reasons)
        set(reasons "no provider that is in use is named by its pin")
      endif()
      list(JOIN reasons "; " reasons)
      z_tsb_fetch_remove_empty("${name}" "${pin}")
      z_tsb_source_entry_missing(entry "${reasons}")
    endif()
  endif()
  set(${out} "${entry}" PARENT_SCOPE)
endfunction()
