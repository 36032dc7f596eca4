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

function(tsb_add_fetch_target)
  set(sources ${ARGN})
  list(TRANSFORM sources REPLACE "(.+)" "${CMAKE_BINARY_DIR}/packages/\\1/sources.json")
  add_custom_target(
    fetch
    COMMAND "${CMAKE_BINARY_DIR}/run" "${CMAKE_COMMAND}" "-DTSB_BUILD_FOLDER=${CMAKE_BINARY_DIR}"
            "-DTSB_PACKAGES=${ARGN}" -P "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/fetch_packages.cmake"
    BYPRODUCTS ${sources}
    COMMENT "Fetching sources"
    USES_TERMINAL VERBATIM
  )
endfunction()
