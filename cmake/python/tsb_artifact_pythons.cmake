# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_artifact_pythons
--------------------

Which Pythons the artifacts need, and of a preset that makes everything only those artifacts whose Python is on the machine. ::

  tsb_artifact_pythons(<out-var of the artifacts> <out-var of the versions> <preset> <artifact>...)

An artifact's Python is in its name: ``wheel-py311`` is for 3.11. A preset of one Python keeps its artifact, and its
version is given back, so that the doctor can say what is missing. A preset ``<backend>-all`` takes what is there: the rest
is left out, with a line that says so.
#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/tsb_find_python.cmake)

function(tsb_artifact_pythons out_artifacts out_versions preset)
  set(artifacts "")
  set(versions "")
  foreach(artifact IN LISTS ARGN)
    if(NOT artifact MATCHES "-py(3)([0-9]+)$")
      list(APPEND artifacts ${artifact})
      continue()
    endif()
    set(version ${CMAKE_MATCH_1}.${CMAKE_MATCH_2})
    if(preset MATCHES "-all$")
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
