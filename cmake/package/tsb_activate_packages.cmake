# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_activate_packages
---------------------

Turns declared packages, and what they depend on, into targets.

.. code-block:: cmake

  tsb_activate_packages(<package> ...)

For each package there is an ExternalProject with our phases, and these targets:

``<package>``            everything up to the staged package
``<package>-<phase>``    up to one phase: fetch, patch, configure, build, stage
``<phase>``              the same for all packages
``explain``              says for each package which inputs changed since it was built, old and new

Reads from the caller: ``TSB_PINS_FILE``, ``TSB_PYTORCH_VERSION``, ``TSB_STORE``, ``TSB_SOURCES``.

Writes ``packages/<package>/package.json``: the declaration, with what is needed to build it.

Errors: an unknown package, packages that depend on each other in a circle, a source without a pin, a patch or a pins
file that is not there.
#]]
include_guard(GLOBAL)
include(ExternalProject)
include(${CMAKE_CURRENT_LIST_DIR}/../detail/z_tsb_json.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/tsb_add_fetch_target.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/z_tsb_write_package_json.cmake)

# Dependencies first. `path` is how we got here, to name a cycle.
function(z_tsb_order_packages name path)
  get_property(known GLOBAL PROPERTY TSB_PACKAGES)
  if(NOT name IN_LIST known)
    if(path STREQUAL "")
      message(FATAL_ERROR "there is no package '${name}'; declared are: ${known}")
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
  get_property(json GLOBAL PROPERTY TSB_PACKAGE_${name})
  z_tsb_json_get_list(depends "${json}" depends)
  list(APPEND path ${name})
  foreach(dependency IN LISTS depends)
    z_tsb_order_packages(${dependency} "${path}")
  endforeach()
  set_property(GLOBAL APPEND PROPERTY TSB_ORDERED_PACKAGES ${name})
endfunction()

# Packages that a feature of one of the given packages needs can be done without. The property says by what.
function(z_tsb_find_optional_packages)
  foreach(name IN LISTS ARGN)
    get_property(json GLOBAL PROPERTY TSB_PACKAGE_${name})
    z_tsb_json_members(features "${json}" features)
    foreach(feature IN LISTS features)
      z_tsb_json_get_list(needed "${json}" features "${feature}" packages)
      foreach(needed_name IN LISTS needed)
        if(NOT needed_name IN_LIST ARGN)
          message(
            FATAL_ERROR
              "feature ${feature} of ${name} needs package ${needed_name}, on which nothing depends: add it to DEPENDS"
          )
        endif()
        set_property(GLOBAL PROPERTY TSB_OPTIONAL_${needed_name} "feature ${feature} of package ${name}")
      endforeach()
    endforeach()
  endforeach()
endfunction()

function(z_tsb_add_package_targets name)
  set(folder "${CMAKE_BINARY_DIR}/packages/${name}")
  set(cmake_folder "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/..")
  get_property(json GLOBAL PROPERTY TSB_PACKAGE_${name})
  z_tsb_json_get_list(depends "${json}" depends)
  foreach(phase IN ITEMS fetch patch configure build stage)
    set(
      ${phase}_command sh "${cmake_folder}/detail/run_script.sh" "${CMAKE_COMMAND}" "-DTSB_PACKAGE_DIR=${folder}"
                       -DTSB_PHASE=${phase} -P "${cmake_folder}/package/run_phase.cmake"
    )
  endforeach()
  # Our phases on ExternalProject's steps. The scripts find out by themselves whether a phase is up to date, so
  # a step that runs again is cheap. Steps use the terminal, one at a time: a package uses all cores by itself.
  ExternalProject_Add(
    ${name}
    PREFIX "${folder}"
    STAMP_DIR "${folder}/stamp"
    TMP_DIR "${folder}/tmp"
    DOWNLOAD_DIR "${folder}/tmp"
    SOURCE_DIR "${folder}/tmp" # where steps start; phases know their folders, and may remove them
    BINARY_DIR "${folder}/tmp"
    INSTALL_DIR "${folder}/tmp"
    DEPENDS torchpkg ${depends}
    DOWNLOAD_COMMAND ${fetch_command}
    PATCH_COMMAND ${patch_command}
    CONFIGURE_COMMAND ${configure_command}
    BUILD_COMMAND ${build_command}
    INSTALL_COMMAND ${stage_command}
    UPDATE_COMMAND ""
    USES_TERMINAL_DOWNLOAD TRUE
    USES_TERMINAL_PATCH TRUE
    USES_TERMINAL_CONFIGURE TRUE
    USES_TERMINAL_BUILD TRUE
    USES_TERMINAL_INSTALL TRUE
  )
  # Before the step targets exist: afterwards it would take the files for targets.
  z_tsb_json_get_list(stage_scripts "${json}" stage_scripts)
  z_tsb_json_get_list(includes "${json}" include)
  z_tsb_json_get_list(inputs "${json}" inputs)
  file(READ "${folder}/package.json" written)
  z_tsb_json_get_list(patches "${written}" patch_files)
  ExternalProject_Add_StepDependencies(
    ${name} download "${folder}/package.json" "${CMAKE_BINARY_DIR}/fetch/result.json"
    "${cmake_folder}/package/z_tsb_framework.cmake" "${cmake_folder}/isolation/tsb_isolate_package.cmake" ${patches}
    ${includes} ${inputs} ${stage_scripts}
  )
  # The licence gate asks at the end of this phase.
  get_filename_component(components "${TSB_PINS_FILE}" DIRECTORY)
  if(EXISTS "${components}/components.json")
    ExternalProject_Add_StepDependencies(${name} patch "${components}/components.json")
  endif()
  # A fingerprint needs the sources of the dependencies.
  foreach(earlier IN LISTS ARGN)
    ExternalProject_Add_StepDependencies(
      ${name} patch "${CMAKE_BINARY_DIR}/packages/${earlier}/stamp/${earlier}-download"
    )
  endforeach()
  ExternalProject_Add_StepTargets(${name} download patch configure build install)
  foreach(pair IN ITEMS fetch=download patch=patch configure=configure build=build stage=install)
    string(REPLACE "=" ";" pair "${pair}")
    list(GET pair 0 phase)
    list(GET pair 1 step)
    if(NOT phase STREQUAL step)
      add_custom_target(${name}-${phase})
      add_dependencies(${name}-${phase} ${name}-${step})
    endif()
    if(NOT TARGET ${phase})
      add_custom_target(${phase})
    endif()
    add_dependencies(${phase} ${name}-${phase})
  endforeach()
endfunction()

function(tsb_activate_packages)
  list(APPEND CMAKE_MESSAGE_CONTEXT "tsb_activate_packages")
  foreach(name IN LISTS ARGN)
    z_tsb_order_packages(${name} "")
  endforeach()
  get_property(packages GLOBAL PROPERTY TSB_ORDERED_PACKAGES)

  # Every declared package's names are known to isolation, also of those that this preset does not build.
  get_property(declared GLOBAL PROPERTY TSB_PACKAGES)
  set(all_provided "")
  foreach(name IN LISTS declared)
    get_property(json GLOBAL PROPERTY TSB_PACKAGE_${name})
    z_tsb_json_get_list(provided "${json}" provides)
    foreach(provided_name IN LISTS provided)
      list(APPEND all_provided "${provided_name}=${name}")
    endforeach()
  endforeach()
  if(NOT EXISTS "${TSB_PINS_FILE}")
    message(FATAL_ERROR "there are no pins ${TSB_PINS_FILE}; TSB_PINS_FILE or the release is wrong")
  endif()
  z_tsb_find_optional_packages(${packages})
  foreach(name IN LISTS packages)
    z_tsb_write_package_json(${name} "${all_provided}")
  endforeach()
  tsb_add_fetch_target(${packages})
  set(earlier "")
  foreach(name IN LISTS packages)
    z_tsb_add_package_targets(${name} ${earlier})
    list(APPEND earlier ${name})
  endforeach()

  add_custom_target(
    explain COMMAND "${CMAKE_COMMAND}" "-DTSB_BUILD_FOLDER=${CMAKE_BINARY_DIR}" "-DTSB_PACKAGES=${packages}" -P
                    "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/explain.cmake" VERBATIM USES_TERMINAL
  )
endfunction()
