# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_artifact_pythons
--------------------

Which Pythons the artifacts need, and of a preset that makes everything only those artifacts whose Python is on the machine. ::

  tsb_artifact_pythons(<out-var of the artifacts> <out-var of the versions> <preset> <artifact>...)

An artifact's Python is in its name: ``wheel-py311`` and ``wheel-py311-large`` are for 3.11. A preset of one Python keeps its artifact, and its
version is given back, so that the doctor can say what is missing. A preset ``<backend>-all`` takes what is there: the rest
is left out, with a line that says so.

The environment variable ``TSB_PYTHONS`` chooses those of ``<backend>-all``: versions with spaces between, ``3.11 3.12``, or
``none``. What it names must be there.

Errors: ``TSB_PYTHONS`` names what the preset has no artifact for.
#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/tsb_find_python.cmake)

# z_tsb_chosen_pythons(<out-var> <artifact>...): what TSB_PYTHONS says, checked; empty without it.
function(z_tsb_chosen_pythons out)
  string(REGEX REPLACE "[ ,]+" ";" chosen "$ENV{TSB_PYTHONS}")
  if(NOT chosen STREQUAL "none")
    foreach(version IN LISTS chosen)
      string(REPLACE "." "" tag "${version}")
      if(NOT "wheel-py${tag}" IN_LIST ARGN OR NOT version MATCHES "\\.")
        message(
          FATAL_ERROR
            "  TSB_PYTHONS is '$ENV{TSB_PYTHONS}', and there is no wheel for '${version}'\n  name versions such as 3.11, with spaces between, or none"
        )
      endif()
    endforeach()
  endif()
  set(${out} "${chosen}" PARENT_SCOPE)
endfunction()

function(tsb_artifact_pythons out_artifacts out_versions preset)
  set(chosen "")
  if(preset MATCHES "-all$")
    z_tsb_chosen_pythons(chosen ${ARGN})
  endif()
  set(artifacts "")
  set(versions "")
  foreach(artifact IN LISTS ARGN)
    if(NOT artifact MATCHES "-py(3)([0-9]+)(-large)?$")
      list(APPEND artifacts ${artifact})
      continue()
    endif()
    set(version ${CMAKE_MATCH_1}.${CMAKE_MATCH_2})
    if(chosen)
      if(NOT version IN_LIST chosen)
        continue()
      endif()
    elseif(preset MATCHES "-all$")
      tsb_find_python(${version} EXECUTABLE python DESCRIPTION description ERROR error)
      if(error)
        message(STATUS "${artifact} is left out: ${error}")
        continue()
      endif()
    endif()
    list(APPEND artifacts ${artifact})
    list(APPEND versions ${version})
  endforeach()
  list(REMOVE_DUPLICATES versions)
  set(${out_artifacts} "${artifacts}" PARENT_SCOPE)
  set(${out_versions} "${versions}" PARENT_SCOPE)
endfunction()
