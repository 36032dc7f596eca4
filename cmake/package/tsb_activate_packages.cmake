# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_activate_packages
---------------------

Turns declared packages, and what they depend on, into targets.

.. code-block:: cmake

  tsb_activate_packages(<package> ...)

These targets:

``<package>``            everything up to the staged package
``<package>-<phase>``    up to one phase: fetch, patch, configure, build, stage
``<phase>``              the same for all packages
``explain``              reports each step that is not up to date, and which inputs changed (``explain.cmake``)

Reads from the caller: ``TSB_PINS_FILE``, ``TSB_PYTORCH_VERSION``, ``TSB_STORE``, ``TSB_SOURCES``.

Writes ``packages/<package>/package.json``: the declaration, with what is needed to build it.

Errors: an unknown package, packages that depend on each other in a circle, a source without a pin, a patch or a pins
file that is not there.
#]]
include_guard(GLOBAL)
include(ExternalProject)
include(${CMAKE_CURRENT_LIST_DIR}/../model/tsb_plan_packages.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../model/tsb_read_record.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/tsb_add_fetch_target.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/z_tsb_phase_inputs.cmake)

# Dependencies first. `path` is how we got here, to name a cycle.
function(z_tsb_order_packages name path)
  get_property(known GLOBAL PROPERTY TSB_PACKAGES)
  if(NOT name IN_LIST known)
    if(path STREQUAL "")
      list(JOIN known ", " known)
      message(FATAL_ERROR "  there is no package '${name}'\n  there are: ${known}")
    endif()
    list(GET path -1 user)
    message(FATAL_ERROR "package ${user} depends on '${name}', which nothing in superbuild/ declares")
  endif()
  if(name IN_LIST path)
    string(REPLACE ";" " -> " cycle "${path};${name}")
    message(FATAL_ERROR "packages depend on each other in a circle: ${cycle}")
  endif()
  get_property(ordered GLOBAL PROPERTY TSB_ORDERED_PACKAGES)
  if(name IN_LIST ordered)
    return()
  endif()
  get_property(depends GLOBAL PROPERTY TSB_PACKAGE_${name}_DEPENDS)
  list(APPEND path ${name})
  foreach(dependency IN LISTS depends)
    z_tsb_order_packages(${dependency} "${path}")
  endforeach()
  set_property(GLOBAL APPEND PROPERTY TSB_ORDERED_PACKAGES ${name})
endfunction()

# z_tsb_package_files(<out-var> <package>): files that decide something. When one of them is newer, Ninja asks the
# package's script, which knows more exactly.
function(z_tsb_package_files out name)
  set(folder "${CMAKE_BINARY_DIR}/packages/${name}")
  set(here "${CMAKE_CURRENT_FUNCTION_LIST_DIR}")
  tsb_read_record("${folder}/package.json" package)
  set(
    files "${folder}/package.json" "${folder}/sources.json" "${here}/z_tsb_framework.cmake"
          "${here}/z_tsb_phase_inputs.cmake"
  )
  foreach(member IN ITEMS patch_files patch_scripts include inputs stage_scripts stage_inputs)
    list(APPEND files ${package_${member}})
  endforeach()
  foreach(folder IN LISTS package_stage_inputs)
    file(GLOB_RECURSE below "${folder}/*")
    list(APPEND files ${below})
  endforeach()
  foreach(phase IN LISTS TSB_PHASES)
    z_tsb_phase_scripts(scripts ${phase})
    list(APPEND files ${scripts})
  endforeach()
  # The licence gate asks about these.
  get_filename_component(components "${TSB_PINS_FILE}" DIRECTORY)
  if(EXISTS "${components}/components.json")
    list(APPEND files "${components}/components.json")
  endif()
  set(${out} ${files} PARENT_SCOPE)
endfunction()

# An ExternalProject whose commands are the package's phases. It only orders: a command asks the stamps of the phases
# and returns at once when nothing has changed, and what is taken from the store needs no phase before stage. Commands
# use the terminal, one at a time: one package uses all cores.
function(z_tsb_add_external_project name)
  set(cmake_folder "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/..")
  set(folder "${CMAKE_BINARY_DIR}/packages/${name}")
  get_property(depends GLOBAL PROPERTY TSB_PACKAGE_${name}_DEPENDS)
  set(run_phases "${CMAKE_BINARY_DIR}/run" "${CMAKE_COMMAND}" "-DTSB_PACKAGE_DIR=${folder}")
  # A folder "build" as its last word CMake would take for a build tree, whose cache it reads.
  list(APPEND run_phases -P "${cmake_folder}/package/run_phases.cmake" --)
  ExternalProject_Add(
    ${name}
    # ExternalProject makes these folders at configure, and the phases ask whether source, build and install are there.
    SOURCE_DIR "${folder}"
    BINARY_DIR "${folder}"
    INSTALL_DIR "${folder}"
    STAMP_DIR "${CMAKE_BINARY_DIR}/steps/${name}"
    TMP_DIR "${CMAKE_BINARY_DIR}/steps/${name}"
    DOWNLOAD_COMMAND ""
    PATCH_COMMAND ${run_phases} patch
    CONFIGURE_COMMAND ${run_phases} configure
    BUILD_COMMAND ${run_phases} build
    INSTALL_COMMAND ""
    DEPENDS ${depends} torchpkg # with which a stage script may make files
    STEP_TARGETS patch configure build USES_TERMINAL_PATCH ON
    USES_TERMINAL_CONFIGURE ON
    USES_TERMINAL_BUILD ON
  )
  # Without its stamp, which fetch removes when something that was made is gone, the phase is run again.
  ExternalProject_Add_Step(
    ${name} stage
    COMMAND ${run_phases} stage
    DEPENDEES build
    BYPRODUCTS "${CMAKE_BINARY_DIR}/steps/${name}/stage.json"
    USES_TERMINAL ON
  )
  ExternalProject_Add_StepTargets(${name} stage)
  # When one of these files is newer, Ninja asks the package's script, which knows more exactly.
  z_tsb_package_files(files ${name})
  ExternalProject_Add_StepDependencies(${name} patch fetch)
  add_custom_command(APPEND OUTPUT "${CMAKE_BINARY_DIR}/steps/${name}/${name}-patch" DEPENDS ${files})
  foreach(phase IN ITEMS patch configure build stage)
    add_dependencies(${phase} ${name}-${phase})
  endforeach()
  add_custom_target(${name}-fetch DEPENDS fetch)
endfunction()

# A package that is a folder of the user's: one command, which runs in every build.
function(z_tsb_add_package_in_place name)
  get_property(depends GLOBAL PROPERTY TSB_PACKAGE_${name}_DEPENDS)
  add_custom_target(
    ${name} ALL
    COMMAND "${CMAKE_BINARY_DIR}/run" "${CMAKE_COMMAND}" "-DTSB_PACKAGE_DIR=${CMAKE_BINARY_DIR}/packages/${name}" -P
            "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/build_in_place.cmake"
    COMMENT "Building ${name}"
    USES_TERMINAL VERBATIM
  )
  add_dependencies(${name} fetch ${depends})
endfunction()

function(tsb_activate_packages)
  list(APPEND CMAKE_MESSAGE_CONTEXT "tsb_activate_packages")
  foreach(name IN LISTS ARGN)
    z_tsb_order_packages(${name} "")
  endforeach()
  get_property(packages GLOBAL PROPERTY TSB_ORDERED_PACKAGES)

  if(NOT EXISTS "${TSB_PINS_FILE}")
    message(FATAL_ERROR "there are no pins ${TSB_PINS_FILE}; TSB_PINS_FILE or the release is wrong")
  endif()
  tsb_plan_packages(${packages})
  foreach(name IN LISTS packages)
    # When it is gone, with all of the package's folder perhaps, it is written again.
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${CMAKE_BINARY_DIR}/packages/${name}/package.json")
  endforeach()
  tsb_add_fetch_target(${packages})
  foreach(phase IN ITEMS patch configure build stage)
    add_custom_target(${phase})
  endforeach()
  foreach(name IN LISTS packages)
    get_property(folder GLOBAL PROPERTY TSB_PACKAGE_${name}_IN_PLACE)
    if(folder)
      z_tsb_add_package_in_place(${name})
    else()
      z_tsb_add_external_project(${name})
    endif()
  endforeach()

  set_property(GLOBAL PROPERTY TSB_ACTIVE_PACKAGES ${packages}) # for the plan
  get_property(artifacts GLOBAL PROPERTY TSB_DESCRIBED_ARTIFACTS)
  add_custom_target(
    explain COMMAND "${CMAKE_COMMAND}" "-DTSB_BUILD_FOLDER=${CMAKE_BINARY_DIR}" "-DTSB_PACKAGES=${packages}"
                    "-DTSB_ARTIFACTS=${artifacts}" -P "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/explain.cmake" VERBATIM
                                                                                                         USES_TERMINAL
  )
endfunction()
