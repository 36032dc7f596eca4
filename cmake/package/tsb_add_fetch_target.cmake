# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_add_fetch_target
--------------------

Adds ``fetch``, the one step that uses the network: it gets the sources of all given packages, so that what is missing
is listed at once. ::

  tsb_add_fetch_target(<package> ...)

Writes ``fetch/request.json``, with what the settings say; the results are ``fetch/result.json``
and each package's ``packages/<package>/sources.json``.
#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../data/tsb_find_data.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../data/tsb_read_data.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../detail/tsb_script_command.cmake)

# z_tsb_ask_for(<list of entries> <required: true or false> <what needs them> <source>...)
function(z_tsb_ask_for z_tsb_entries required needed_by)
  set(entries "${${z_tsb_entries}}")
  foreach(source IN LISTS ARGN)
    set(entry "{\"required\": ${required}}")
    z_tsb_json_set_string(entry name "${source}")
    z_tsb_json_set_string(entry needed_by "${needed_by}")
    string(JSON count LENGTH "${entries}")
    string(JSON entries SET "${entries}" ${count} "${entry}")
  endforeach()
  set(${z_tsb_entries} "${entries}" PARENT_SCOPE)
endfunction()

# z_tsb_say_unused_folder(<source> <setting> <package>...): names a TSB_LOCAL_<source> that none of these has. It may
# stand for other presets.
function(z_tsb_say_unused_folder source setting)
  foreach(package IN LISTS ARGN)
    file(READ "${CMAKE_BINARY_DIR}/packages/${package}/package.json" json)
    z_tsb_json_get_list(sources "${json}" all_sources)
    if(source IN_LIST sources)
      return()
    endif()
  endforeach()
  message(NOTICE "${setting} has no effect: no package of this build has the source ${source}")
endfunction()

function(z_tsb_make_fetch_request out)
  set(json "{}")
  set(entries "[]")
  set(local "{}")
  foreach(package IN LISTS ARGN)
    get_property(declaration GLOBAL PROPERTY TSB_PACKAGE_${package})
    z_tsb_json_get(main "${declaration}" source)
    z_tsb_json_get_list(more "${declaration}" sources)
    get_property(optional GLOBAL PROPERTY TSB_OPTIONAL_${package})
    if(optional)
      z_tsb_ask_for(entries false "${optional}" ${main} ${more})
    else()
      z_tsb_ask_for(entries true "package ${package}" ${main} ${more})
    endif()
    z_tsb_json_members(features "${declaration}" features)
    foreach(feature IN LISTS features)
      z_tsb_json_get_list(more "${declaration}" features "${feature}" sources)
      z_tsb_ask_for(entries false "feature ${feature} of package ${package}" ${more})
    endforeach()
  endforeach()
  tsb_read_data(pins "${TSB_PINS_FILE}" OBJECT sources)
  z_tsb_json_members(names "${pins}" sources)
  foreach(source IN LISTS names)
    string(REPLACE "-" "_" variable "TSB_LOCAL_${source}")
    if(${variable})
      z_tsb_json_set_string(local "${source}" "${${variable}}")
      z_tsb_say_unused_folder(${source} ${variable} ${ARGN})
    endif()
  endforeach()
  z_tsb_json_set_string(json pins "${TSB_PINS_FILE}")
  z_tsb_json_set_string(json cache "${TSB_SOURCES}")
  z_tsb_json_set_string(json work "${CMAKE_BINARY_DIR}/fetch")
  if(TSB_BACKEND_FACTS)
    string(JSON json SET "${json}" backend "${TSB_BACKEND_FACTS}")
    z_tsb_json_get(folder "${TSB_BACKEND_FACTS}" folder)
    tsb_find_data(hook "backends/${folder}/hooks/pins.py")
    z_tsb_json_set_string(json pins_hook "${hook}")
  endif()
  # The doctor's Python is chosen for its modules; a virtual environment may have no pip.
  foreach(python IN ITEMS "${TSB_CODEGEN_PYTHON}" python3 /usr/bin/python3)
    execute_process(
      COMMAND "${python}" -E -c "import importlib.util, sys; sys.exit(importlib.util.find_spec('pip') is None)"
      RESULT_VARIABLE code OUTPUT_QUIET ERROR_QUIET
    )
    if(code EQUAL 0)
      z_tsb_json_set_string(json python "${python}")
      break()
    endif()
  endforeach()
  z_tsb_json_set_array(json mirrors ${TSB_SOURCE_MIRROR})
  z_tsb_json_set_array(json providers ${TSB_PROVIDERS})
  if(TSB_OFFLINE)
    string(JSON json SET "${json}" offline true)
  else()
    string(JSON json SET "${json}" offline false)
  endif()
  string(JSON json SET "${json}" local "${local}")
  string(JSON json SET "${json}" sources "${entries}")
  set(${out} "${json}" PARENT_SCOPE)
endfunction()

function(tsb_add_fetch_target)
  set(folder "${CMAKE_BINARY_DIR}/fetch")
  tsb_script_command(run_script "${TSB_CODEGEN_PYTHON}")
  z_tsb_make_fetch_request(request ${ARGN})
  z_tsb_write_file("${folder}/request.json" "${request}\n")
  file(CHMOD "${folder}/request.json" FILE_PERMISSIONS OWNER_READ OWNER_WRITE) # a mirror's address may have a password
  set(sources ${ARGN})
  list(TRANSFORM sources REPLACE "(.+)" "${CMAKE_BINARY_DIR}/packages/\\1/sources.json")
  add_custom_target(
    fetch
    COMMAND ${run_script} "-DTSB_BUILD_FOLDER=${CMAKE_BINARY_DIR}" "-DTSB_PACKAGES=${ARGN}" -P
            "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/fetch_packages.cmake"
    BYPRODUCTS ${sources}
    COMMENT "Fetching sources"
    USES_TERMINAL VERBATIM
  )
endfunction()
