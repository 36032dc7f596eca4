# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_add_fetch_target
--------------------

Adds ``fetch``, the one step that uses the network: it gets the sources of all given packages, so that what is missing
is listed at once. ::

  tsb_add_fetch_target(<package> ...)

It gets what ``fetch/request.json`` asks for (:command:`tsb_plan_packages`); the results are ``fetch/result.json`` and
each package's ``packages/<package>/sources.json``.
#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../detail/tsb_script_command.cmake)

function(tsb_add_fetch_target)
  tsb_script_command(run_script "${TSB_CODEGEN_PYTHON}")
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
