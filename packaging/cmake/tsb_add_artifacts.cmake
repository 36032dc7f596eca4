# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_add_artifacts
-----------------

Adds the targets that make artifacts (files in ``dist/``) from packages. ::

  tsb_add_artifacts(NAMES <name>... ROWS <row>...) # see tsb_choose_artifacts

Targets: ``artifact-<name>`` stages the tree that is packed (part of the default target); ``cpack`` packs the
staged trees (External generator, ``packaging/pack_artifacts.cmake``); ``check`` checks the packed files, and puts those
that pass into ``dist/``.
Each artifact is described in ``artifacts/<name>.json``, which the scripts of its product read: what is particular to a
product is in ``packaging/<product>/``.
#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/z_tsb_add_wheel_fetch.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/model/tsb_plan_artifacts.cmake)

function(tsb_add_artifacts)
  list(APPEND CMAKE_MESSAGE_CONTEXT "tsb_add_artifacts")
  set(packaging "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/..")
  set(run_steps "${CMAKE_BINARY_DIR}/run" "${CMAKE_COMMAND}" "-DTSB_BUILD_FOLDER=${CMAKE_BINARY_DIR}")
  set(script -P "${packaging}/run_steps.cmake")
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "NAMES;ROWS")
  set(names ${arg_NAMES})
  set(packages "")
  foreach(row IN LISTS arg_ROWS)
    list(APPEND packages ${artifact_rows_${row}_package})
  endforeach()
  set(emulator "${backend_consumer_emulator}")
  if(TSB_EMULATOR OR NOT target_cross)
    set(emulator "")
  endif()
  set_property(GLOBAL PROPERTY TSB_DESCRIBED_ARTIFACTS ${names}) # for explain
  set(rows ${arg_ROWS})
  list(REMOVE_DUPLICATES rows)
  tsb_plan_artifacts(${rows})
  tsb_activate_packages(${packages} ${emulator})
  z_tsb_add_wheel_fetch(${rows})

  foreach(name package IN ZIP_LISTS names packages)
    # Always run: the script itself finds out whether the staged tree is up to date.
    add_custom_target(
      artifact-${name} ALL
      COMMAND ${run_steps} -DTSB_ARTIFACTS=${name} -DTSB_RUN=stage ${script}
      COMMENT "Staging ${name}"
      USES_TERMINAL VERBATIM
    )
    add_dependencies(artifact-${name} ${package} torchpkg)
    add_test(NAME "stage of ${name}" COMMAND ${run_steps} -DTSB_ARTIFACTS=${name} -DTSB_RUN=check_stage ${script})
  endforeach()
  add_custom_target(
    check
    COMMAND ${run_steps} "-DTSB_ARTIFACTS=${names}" "-DTSB_RUN=check;consumer;deliver" ${script}
    COMMENT "Checking the packed artifacts"
    USES_TERMINAL VERBATIM
  )
  if(emulator)
    add_dependencies(check ${emulator})
  endif()

  # It would say success, and do nothing.
  set(text "  nothing is installed from a build folder\n  unpack, or install with pip or conda, what is in ${TSB_DIST}")
  install(CODE "message(FATAL_ERROR [==[${text}]==])")
  # Nothing is installed for CPack, so it never runs a build.
  set(CPACK_GENERATOR External)
  set(CPACK_PROJECT_CONFIG_FILE "${packaging}/refuse_generators.cmake")
  set(CPACK_EXTERNAL_ENABLE_STAGING OFF)
  set(CPACK_EXTERNAL_PACKAGE_SCRIPT "${packaging}/pack_artifacts.cmake")
  set(CPACK_INSTALL_CMAKE_PROJECTS "")
  set(CPACK_INSTALLED_DIRECTORIES "")
  set(CPACK_PACKAGE_DIRECTORY "${CMAKE_BINARY_DIR}/cpack")
  set(CPACK_PACKAGE_VERSION "${TSB_PYTORCH_VERSION}")
  set(CPACK_TSB_BUILD_FOLDER "${CMAKE_BINARY_DIR}")
  set(CPACK_TSB_ARTIFACTS "${names}")
  set(CPACK_VERBATIM_VARIABLES TRUE)
  include(CPack)
endfunction()
