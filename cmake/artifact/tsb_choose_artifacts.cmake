# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_choose_artifacts
--------------------

What is to be made, by the settings of the preset. ::

  tsb_choose_artifacts(<out-var>)

``TSB_ARTIFACTS`` has the artifacts' names, or ``all``: everything that there is of the release with this backend and
whose Python is on the machine (``TSB_PYTHONS`` chooses others); the rest is left out, with a line that says so. What
another one needs is also made. An artifact is a JSON object with the members of its row in
``packaging/artifacts.json``, and:

``release``, ``backend``
  The objects of tsb_read_release and tsb_find_backend. The release also has ``folder``, the release whose facts these
  are; its ``version`` is that of the tree which is built (tsb_source_version).
``blas``, ``version``
  The BLAS, and what it gives with the release and the backend: ``9.9.0+cpu.openblas``.
``preset``
  The preset that makes it alone: made along with others it is the same, byte for byte.
``slice``
  Each artifact is there once for each that the backend's hook ``slices`` names, an object with ``name`` (``sm90``),
  with which name, version and files end (``wheel-py312-sm90``, ``9.9.0+cu124.sm90``), and ``archs``, whose device code
  is kept.

``<out-var>_ERROR`` is an empty string, or: an artifact that the release does not have.
#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../backend/tsb_ask_backend.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../python/tsb_find_python.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../release/tsb_read_release.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/z_tsb_list_artifacts.cmake)

# z_tsb_chosen_pythons(<out-var> <release json>): those of the release that `all` takes.
function(z_tsb_chosen_pythons out release)
  z_tsb_json_get_list(pythons "${release}" pythons)
  set(chosen ${TSB_PYTHONS})
  if(chosen STREQUAL "none")
    set(chosen "")
  elseif(NOT chosen)
    foreach(python IN LISTS pythons)
      tsb_find_python(${python} EXECUTABLE executable DESCRIPTION description ERROR error)
      if(error)
        message(STATUS "Artifacts for Python ${python} are left out: ${error}")
      else()
        list(APPEND chosen ${python})
      endif()
    endforeach()
  endif()
  set(${out} "${chosen}" PARENT_SCOPE)
endfunction()

# z_tsb_choose_of_slice(<out-var> <release json> <version> <slice json or nothing> <Python>...): the artifacts that are
# chosen of these; <out-var>_ERROR.
function(z_tsb_choose_of_slice out release version slice)
  z_tsb_json_get(suffix "${slice}" name)
  if(suffix)
    string(APPEND version ".${suffix}")
    string(PREPEND suffix "-")
  endif()
  z_tsb_json_get(prebuilt "${TSB_BACKEND_FACTS}" prebuilt)
  z_tsb_list_artifacts(known "${release}" "${TSB_BACKEND_FACTS}" "${version}")
  set(names "")
  foreach(artifact IN LISTS known)
    z_tsb_json_take(artifact name)
    list(APPEND names ${name})
    set(artifact_${name} "${artifact}")
  endforeach()

  set(${out}_ERROR "" PARENT_SCOPE)
  set(wanted ${TSB_ARTIFACTS})
  if(TSB_ARTIFACTS STREQUAL "all")
    set(wanted ${names})
  endif()
  set(chosen "")
  set(artifacts "")
  foreach(name IN LISTS wanted)
    if(NOT name IN_LIST names)
      list(JOIN names ", " names)
      set(error "  TSB_ARTIFACTS names '${name}', which PyTorch ${version} does not have\n")
      set(${out}_ERROR "${error}  there are: ${names}; or all, without others" PARENT_SCOPE)
      return()
    endif()
    z_tsb_json_get(python "${artifact_${name}}" python)
    if(TSB_ARTIFACTS STREQUAL "all" AND python AND NOT python IN_LIST ARGN)
      continue()
    endif()
    z_tsb_json_get(asked_for "${artifact_${name}}" preset)
    if(TSB_ARTIFACTS STREQUAL "all")
      set(asked_for all)
    endif()
    z_tsb_json_get_list(needed "${artifact_${name}}" needs)
    foreach(one IN LISTS needed ITEMS ${name})
      if(one IN_LIST chosen)
        continue()
      endif()
      list(APPEND chosen ${one})
      set(artifact "${artifact_${one}}")
      z_tsb_json_take(artifact preset)
      if(prebuilt AND preset STREQUAL "all") # its backend has no such preset
        set(preset "${asked_for}")
      endif()
      string(REPLACE "-${asked_for}" "-${preset}" preset "${TSB_PRESET}")
      z_tsb_json_set_string(artifact preset "${preset}")
      string(JSON artifact SET "${artifact}" release "${release}")
      z_tsb_json_set_string(artifact blas "${TSB_BLAS}")
      z_tsb_json_set_string(artifact version "${version}")
      string(JSON artifact SET "${artifact}" backend "${TSB_BACKEND_FACTS}")
      if(suffix)
        z_tsb_json_set_string(artifact name "${one}${suffix}")
        string(JSON artifact SET "${artifact}" slice "${slice}")
      endif()
      list(APPEND artifacts "${artifact}")
    endforeach()
  endforeach()
  set(${out} "${artifacts}" PARENT_SCOPE)
endfunction()

function(tsb_choose_artifacts out)
  tsb_read_release(release "${TSB_PYTORCH_VERSION}")
  z_tsb_json_set_string(release folder "${TSB_PYTORCH_VERSION}")
  string(REGEX MATCH "^[0-9.]+" numbers "${TSB_SOURCE_VERSION}") # 9.9.0 of 9.9.0a0, as version.h has it
  z_tsb_json_set_string(release version "${numbers}")
  z_tsb_json_get(local "${TSB_BACKEND_FACTS}" local_version)
  if(NOT local)
    string(REPLACE "-" "." local "${TSB_BACKEND}") # as PEP 440 has it
  endif()
  set(version "${TSB_SOURCE_VERSION}+${local}")
  z_tsb_json_get(default_blas "${TSB_TARGET}" blas 0)
  if(NOT TSB_BLAS STREQUAL default_blas) # the official packages' choice, which therefore has no name
    string(APPEND version ".${TSB_BLAS}")
  endif()
  set(pythons "")
  if(TSB_ARTIFACTS STREQUAL "all")
    z_tsb_chosen_pythons(pythons "${release}")
  endif()
  tsb_set_record(backend TSB_BACKEND_FACTS)
  tsb_ask_backend(answer backend slices)
  set(error "")
  string(JSON count ERROR_VARIABLE absent LENGTH "${answer}" slices)
  if(absent OR count EQUAL 0)
    set(answer [[{"slices": [{}]}]]) # one, of everything
    set(count 1)
  endif()
  math(EXPR last "${count} - 1")
  set(artifacts "")
  foreach(index RANGE ${last})
    if(NOT error)
      string(JSON slice GET "${answer}" slices ${index})
      z_tsb_choose_of_slice(of_slice "${release}" "${version}" "${slice}" ${pythons})
      set(error "${of_slice_ERROR}")
      list(APPEND artifacts ${of_slice})
    endif()
  endforeach()
  set(${out} "${artifacts}" PARENT_SCOPE)
  set(${out}_ERROR "${error}" PARENT_SCOPE)
endfunction()
