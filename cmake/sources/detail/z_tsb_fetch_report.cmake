# SPDX-License-Identifier: BSD-3-Clause
include_guard()
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_json_get_or.cmake")
#[[.rst:
z_tsb_fetch_report
------------------

``z_tsb_fetch_report(<out missing> <request> <pins> <result> <begin>)`` tells the user how the fetch ended: what is
there, what is missing and not required, what is missing and required, with what each provider said, and what helps.
``<out missing>`` lists the required ones that are missing. ``<begin>`` is the time of the start in seconds.
#]]

# Whether a source is required, and by what. The request's word goes before that of the tree that has it as a submodule.
function(z_tsb_fetch_need out_required out_by request pins name)
  string(JSON count LENGTH "${request}" sources)
  math(EXPR last "${count} - 1")
  set(required OFF)
  set(by "")
  foreach(index RANGE ${last})
    string(JSON asked GET "${request}" sources ${index} name)
    if(asked STREQUAL name)
      z_tsb_json_get_or(required "${request}" ON sources ${index} required)
      z_tsb_json_get_or(by "${request}" "${name}" sources ${index} needed_by)
      break()
    endif()
    string(JSON members ERROR_VARIABLE error LENGTH "${pins}" sources "${asked}" submodules)
    if(NOT error AND members GREATER 0)
      math(EXPR last_member "${members} - 1")
      foreach(member_index RANGE ${last_member})
        string(JSON member GET "${pins}" sources "${asked}" submodules ${member_index} name)
        if(member STREQUAL name)
          z_tsb_json_get_or(required "${pins}" ON sources "${asked}" submodules ${member_index} required)
          z_tsb_json_get_or(feature "${pins}" "" sources "${asked}" submodules ${member_index} feature)
          set(by "${asked}")
          if(feature)
            set(by "${asked} feature ${feature}")
          endif()
        endif()
      endforeach()
    endif()
  endforeach()
  set(${out_required} "${required}" PARENT_SCOPE)
  set(${out_by} "${by}" PARENT_SCOPE)
endfunction()

# The places in the cache where a file by hand would be found, one line each.
function(z_tsb_fetch_places out pins name cache)
  set(text "")
  string(JSON count ERROR_VARIABLE error LENGTH "${pins}" sources "${name}" candidates)
  if(NOT error AND count GREATER 0)
    math(EXPR last "${count} - 1")
    foreach(index RANGE ${last})
      z_tsb_json_get_or(version "${pins}" "" sources "${name}" candidates ${index} version)
      z_tsb_json_get_or(filename "${pins}" "" sources "${name}" candidates ${index} filename)
      z_tsb_json_get_or(git "${pins}" "" sources "${name}" candidates ${index} git)
      if(filename)
        string(APPEND text "      file: ${cache}/${name}/${version}/${filename}\n")
      elseif(git)
        z_tsb_json_get_or(commit "${pins}" "" sources "${name}" candidates ${index} commit)
        string(APPEND text "      file: ${cache}/${name}/${version}/${name}-${commit}.pack\n")
      endif()
    endforeach()
  endif()
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

function(z_tsb_fetch_report out_missing request pins result begin)
  string(JSON count LENGTH "${result}" sources)
  z_tsb_json_get_or(cache "${request}" "" cache)
  set(missing "")
  set(unavailable "")
  set(checkouts "")
  set(text "")
  set(present 0)
  set(bytes 0)
  math(EXPR last "${count} - 1")
  foreach(index RANGE ${last})
    string(JSON name MEMBER "${result}" sources ${index})
    string(JSON status GET "${result}" sources "${name}" status)
    if(status STREQUAL "ok")
      z_tsb_json_get_or(size "${result}" 0 sources "${name}" size)
      math(EXPR present "${present} + 1")
      math(EXPR bytes "${bytes} + ${size}")
    elseif(status STREQUAL "missing")
      string(JSON reason GET "${result}" sources "${name}" reason)
      z_tsb_fetch_need(required by "${request}" "${pins}" "${name}")
      z_tsb_json_get_or(version "${pins}" "" sources "${name}" candidates 0 version)
      string(STRIP "${name} ${version}" what) # no version: all are refused
      z_tsb_json_get_or(checkout "${result}" "" sources "${name}" checkout)
      z_tsb_json_get_or(tree "${result}" "" sources "${name}" in)
      z_tsb_json_get_or(folder "${result}" "" sources "${tree}" archive)
      set(update "git -C '${folder}' submodule update --init --recursive")
      if(required AND checkout)
        list(APPEND missing "${name}")
        list(APPEND checkouts "'${checkout}'")
        set(
          checkouts_text
          "fetch: ${folder} lacks submodules that ${tree} needs; run this and the same command again:\n  ${update}"
        )
      elseif(checkout)
        message(NOTICE "fetch: ${reason}, so ${by} is off; to enable it: ${update} '${checkout}'")
      elseif(required)
        list(APPEND missing "${name}")
        list(APPEND unavailable "${name}")
        z_tsb_fetch_places(places "${pins}" "${name}" "${cache}")
        string(APPEND text "  ${what}, needed by ${by}\n      ${reason}\n${places}")
      else()
        message(NOTICE "fetch: ${what} is not available, so ${by} is off (${reason})")
      endif()
    endif()
  endforeach()
  string(TIMESTAMP end "%s")
  math(EXPR seconds "${end} - ${begin}")
  math(EXPR megabytes "(${bytes} + 500000) / 1000000")
  message(NOTICE "fetch: ${present} sources, ${megabytes} MB, in ${cache} (${seconds} s)")
  if(checkouts)
    list(REMOVE_DUPLICATES checkouts)
    list(JOIN checkouts " " checkouts)
    message(NOTICE "${checkouts_text} ${checkouts}")
  endif()
  if(unavailable)
    list(LENGTH unavailable number)
    message(
      NOTICE
      "fetch: ${number} required sources are missing:\n${text}"
      "For each of them, do one of these:\n"
      "  put one of the files named above there (the cache is the folder TSB_SOURCES), or\n"
      "  set TSB_SOURCE_MIRROR to a folder or http address that has them in the same layout, such as the\n"
      "  cache of a machine with a network, or\n"
      "  set TSB_LOCAL_<name> to a folder with the unpacked source."
    )
  endif()
  set(${out_missing} "${missing}" PARENT_SCOPE)
endfunction()
