# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../detail/z_tsb_json.cmake)

# z_tsb_doctor_choose_toolkit(<prefix> <toolkits> <product> <variable>): of the toolkits that a backend has found (a
# JSON array of objects with version, home, found_by and fault) the first whose major and minor version are
# backend_version; what <variable> of the environment names decides alone. Sets <prefix>, the object or nothing,
# <prefix>_TEXT, its name in messages, <prefix>_ALSO and <prefix>_OTHERS, the others that fit and do not, and
# <prefix>_REFUSED when <variable> names one that does not fit, which is named here.
function(z_tsb_doctor_choose_toolkit prefix toolkits product variable)
  set(wanted "${backend_version}")
  set(chosen "")
  set(chosen_text "")
  set(also "")
  set(others "")
  set(refused OFF)
  string(JSON count LENGTH "${toolkits}")
  set(index 0)
  while(index LESS count)
    string(JSON toolkit GET "${toolkits}" ${index})
    z_tsb_json_take(toolkit version home found_by fault)
    string(REGEX MATCH "^[0-9]+\\.[0-9]+" release "${version}")
    set(text "${version} in ${home} (${found_by})")
    if(found_by STREQUAL variable AND (fault OR NOT release STREQUAL wanted))
      set(what "which is ${product} ${version}, but this preset is for ${wanted}")
      if(fault)
        set(what "but ${fault}")
      endif()
      z_tsb_doctor_problem(
        "${product} toolkit: ${variable} is ${home}, ${what}"
        "name a toolkit ${wanted}, or unset it: it is looked for then"
      )
      set(refused ON)
      break()
    endif()
    if(fault)
      list(APPEND others "${text}, but ${fault}")
    elseif(NOT release STREQUAL wanted)
      list(APPEND others "${text}")
    elseif(chosen STREQUAL "")
      set(chosen "${toolkit}")
      set(chosen_text "${text}")
    else()
      list(APPEND also "${text}")
    endif()
    math(EXPR index "${index} + 1")
  endwhile()
  list(JOIN also "; " also)
  list(JOIN others "; " others)
  set(${prefix} "${chosen}" PARENT_SCOPE)
  set(${prefix}_TEXT "${chosen_text}" PARENT_SCOPE)
  set(${prefix}_ALSO "${also}" PARENT_SCOPE)
  set(${prefix}_OTHERS "${others}" PARENT_SCOPE)
  set(${prefix}_REFUSED ${refused} PARENT_SCOPE)
endfunction()

# z_tsb_doctor_accept_toolkit(<prefix> <product> <variable>): says which one of z_tsb_doctor_choose_toolkit() is taken.
function(z_tsb_doctor_accept_toolkit prefix product variable)
  z_tsb_doctor_good("${product} toolkit: ${${prefix}_TEXT}")
  if(${prefix}_ALSO)
    z_tsb_doctor_good(
      "${product} toolkit: the first of several ${backend_version}; ${variable} would take another one: ${${prefix}_ALSO}"
    )
  endif()
  if(${prefix}_OTHERS)
    z_tsb_doctor_good("${product} toolkit: not for this preset: ${${prefix}_OTHERS}")
  endif()
endfunction()
