# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
z_tsb_phase_inputs
------------------

Everything that decides what a phase of a package gives, as one JSON object of texts. A phase is up to date
when the inputs of its last good run (``state/<phase>.json``) are equal to these; ``explain`` prints where
they differ. What must not decide anything is left out on purpose: the number of jobs, the compiler cache,
folders, progress.

.. code-block:: cmake

  z_tsb_phase_inputs(<out-var> <package folder> <phase>)

Each phase's inputs hold the hash of the phase before (``after <phase>``), so that the last one's hash, the
package's *fingerprint*, stands for all of them.
#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../detail/z_tsb_json.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/z_tsb_framework.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/z_tsb_package_closure.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/z_tsb_package_features.cmake)
set(Z_TSB_ISOLATION_FILE "${CMAKE_CURRENT_LIST_DIR}/../isolation/tsb_isolate_package.cmake")

set(
  TSB_PHASES
  fetch
  patch
  configure
  build
  stage
)

# Adds each <NAME>=<value> of a list, which is given by its name.
function(z_tsb_add_pair_inputs z_tsb_variable label z_tsb_pairs)
  set(z_tsb_result "${${z_tsb_variable}}")
  foreach(pair IN LISTS ${z_tsb_pairs})
    string(REGEX MATCH "^([^=]+)=(.*)$" ignored "${pair}")
    z_tsb_json_set_string(z_tsb_result "${label} ${CMAKE_MATCH_1}" "${CMAKE_MATCH_2}")
  endforeach()
  set(${z_tsb_variable} "${z_tsb_result}" PARENT_SCOPE)
endfunction()

# Adds the hash of a file of this project, named by the end of its path.
function(z_tsb_add_file_input z_tsb_variable label file)
  file(SHA256 "${file}" hash)
  get_filename_component(name "${file}" NAME)
  set(z_tsb_result "${${z_tsb_variable}}")
  z_tsb_json_set_string(z_tsb_result "${label} ${name}" "${hash}")
  set(${z_tsb_variable} "${z_tsb_result}" PARENT_SCOPE)
endfunction()

function(z_tsb_phase_inputs out folder phase)
  file(READ "${folder}/package.json" package)
  file(READ "${folder}/sources.json" sources)
  set(inputs "{}")
  cmake_language(CALL z_tsb_inputs_of_${phase})
  if(DEFINED TSB_FRAMEWORK_REVISION_${phase})
    z_tsb_json_set_string(inputs "framework revision of ${phase}" "${TSB_FRAMEWORK_REVISION_${phase}}")
  endif()
  list(FIND TSB_PHASES ${phase} index)
  if(index GREATER 0)
    math(EXPR index "${index} - 1")
    list(GET TSB_PHASES ${index} previous)
    z_tsb_phase_inputs(earlier "${folder}" ${previous})
    string(SHA256 hash "${earlier}")
    z_tsb_json_set_string(inputs "after ${previous}" "${hash}")
  endif()
  set(${out} "${inputs}" PARENT_SCOPE)
endfunction()

# z_tsb_package_fingerprint(<out-var> <package folder>)
function(z_tsb_package_fingerprint out folder)
  z_tsb_phase_inputs(inputs "${folder}" stage)
  string(SHA256 fingerprint "${inputs}")
  set(${out} "${fingerprint}" PARENT_SCOPE)
endfunction()

# The macros below work on `inputs`, `package`, `sources` and `folder` of z_tsb_phase_inputs.

macro(z_tsb_inputs_of_fetch)
  z_tsb_json_members(names "${sources}")
  foreach(name IN LISTS names)
    z_tsb_json_get(status "${sources}" ${name} status)
    if(status STREQUAL "ok")
      z_tsb_json_get(version "${sources}" ${name} version)
      z_tsb_json_get(sha256 "${sources}" ${name} sha256)
      z_tsb_json_get(commit "${sources}" ${name} commit)
      if(sha256)
        z_tsb_json_set_string(inputs "source ${name}" "${version} sha256:${sha256}")
      elseif(commit)
        z_tsb_json_set_string(inputs "source ${name}" "${version} commit:${commit}")
      else()
        # A folder of the user's.
        z_tsb_json_get(fingerprint "${sources}" ${name} fingerprint)
        z_tsb_json_set_string(inputs "source ${name}" "${version} folder:${fingerprint}")
      endif()
      set(layout "")
      foreach(member IN ITEMS strip subdir into license_file)
        z_tsb_json_get(value "${sources}" ${name} ${member})
        string(APPEND layout "${member}=${value} ")
      endforeach()
      z_tsb_json_set_string(inputs "layout ${name}" "${layout}")
    else()
      z_tsb_json_set_string(inputs "source ${name}" "${status}")
    endif()
  endforeach()
endmacro()

macro(z_tsb_inputs_of_patch)
  z_tsb_json_get_list(places "${package}" place)
  foreach(place IN LISTS places)
    string(REGEX MATCH "^([^=]+)=(.*)$" ignored "${place}")
    z_tsb_json_set_string(inputs "place ${CMAKE_MATCH_1}" "${CMAKE_MATCH_2}")
  endforeach()
  z_tsb_json_get_list(patches "${package}" patch_files)
  foreach(patch IN LISTS patches)
    z_tsb_add_file_input(inputs "patch" "${patch}")
  endforeach()
endmacro()

macro(z_tsb_inputs_of_configure)
  foreach(kind IN ITEMS options environment)
    z_tsb_json_get_list(pairs "${package}" ${kind})
    z_tsb_add_pair_inputs(inputs ${kind} pairs)
  endforeach()
  z_tsb_add_pair_inputs(inputs "framework environment" TSB_FRAMEWORK_ENVIRONMENT)
  z_tsb_json_get_list(files "${package}" include)
  foreach(file IN LISTS files)
    z_tsb_add_file_input(inputs "include" "${file}")
  endforeach()
  z_tsb_json_get_list(files "${package}" inputs)
  foreach(file IN LISTS files)
    z_tsb_add_file_input(inputs "input" "${file}")
  endforeach()
  foreach(kind IN ITEMS system modules)
    z_tsb_json_get_list(names "${package}" ${kind})
    z_tsb_json_set_string(inputs "${kind}" "${names}")
  endforeach()
  z_tsb_json_get(build_system "${package}" build_system)
  if(build_system STREQUAL "cmake")
    z_tsb_add_pair_inputs(inputs "framework option" TSB_FRAMEWORK_OPTIONS)
    z_tsb_add_pair_inputs(inputs "framework compile option" TSB_FRAMEWORK_COMPILE_OPTIONS)
    z_tsb_commands_hash(hash "${Z_TSB_ISOLATION_FILE}")
    z_tsb_json_set_string(inputs "framework isolation" "${hash}")
    z_tsb_json_members(names "${package}" toolchain)
    foreach(name IN LISTS names)
      z_tsb_json_get(value "${package}" toolchain ${name})
      z_tsb_json_set_string(inputs "toolchain ${name}" "${value}")
    endforeach()
  endif()
  z_tsb_package_features(features "${package}" "${sources}")
  z_tsb_json_members(names "${features}")
  foreach(name IN LISTS names)
    z_tsb_json_get(option "${features}" ${name} option)
    z_tsb_json_get(enabled "${features}" ${name} enabled)
    z_tsb_json_set_string(inputs "feature ${name}" "${option}=${enabled}")
  endforeach()
  z_tsb_json_get_list(names "${package}" depends)
  foreach(name IN LISTS names)
    z_tsb_package_fingerprint(fingerprint "${folder}/../${name}")
    z_tsb_json_set_string(inputs "dependency ${name}" "${fingerprint}")
  endforeach()
  # By which names find_package() gets them: no part of their own fingerprints.
  z_tsb_package_closure(closure "${folder}/.." ${names})
  z_tsb_json_get_list(pairs "${package}" all_provided)
  foreach(pair IN LISTS pairs)
    string(REGEX MATCH "^([^=]+)=(.*)$" ignored "${pair}")
    if(CMAKE_MATCH_2 IN_LIST closure)
      z_tsb_json_set_string(inputs "provided ${CMAKE_MATCH_1}" "${CMAKE_MATCH_2}")
    endif()
  endforeach()
endmacro()

macro(z_tsb_inputs_of_build)
  z_tsb_json_get_list(names "${package}" targets)
  z_tsb_json_set_string(inputs "targets" "${names}")
endmacro()

macro(z_tsb_inputs_of_stage)
  # What the manifest says of the sources.
  z_tsb_json_members(names "${sources}")
  foreach(name IN LISTS names)
    z_tsb_json_get(license "${sources}" ${name} license)
    z_tsb_json_get(commit "${sources}" ${name} commit)
    z_tsb_json_set_string(inputs "about ${name}" "license:${license} commit:${commit}")
  endforeach()
  z_tsb_json_get(file "${package}" stage_script)
  if(file)
    z_tsb_add_file_input(inputs "stage script" "${file}")
  endif()
  z_tsb_json_get_list(names "${package}" license_files)
  z_tsb_json_set_string(inputs "license files" "${names}")
endmacro()
