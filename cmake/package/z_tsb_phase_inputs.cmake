# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
z_tsb_phase_inputs
------------------

Everything that decides the result of a package's phases, as inputs of steps (``tsb_step``). A phase's inputs include
those of the phases before it. So those of the last phase are all of the package's inputs; their hash is its
*fingerprint*, the key in the store.

.. code-block:: cmake

  z_tsb_phase_inputs(<prefix> <package folder>) # sets <prefix>_fetch, ..._patch, ..._configure, ..._build, ..._stage

Left out on purpose is what must not decide anything: the number of jobs, the compiler cache, folders, progress. The
runner is left out, since it runs the phases but does not change their results; otherwise each change of it would
compile PyTorch again. So is torchpkg: a package whose stage script makes files with it names the relevant sources under
``STAGE_INPUTS``.

Scripts count by their content. Those of a phase are in ``phases/<phase>/``, and a few elsewhere are listed below. A
change there builds all packages again, so scripts that cannot change a result (checks, messages, job counts) are kept
out of that folder.
#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../model/tsb_read_record.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../step/tsb_step.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/z_tsb_framework.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/z_tsb_package_closure.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/z_tsb_package_features.cmake)
get_filename_component(Z_TSB_PROJECT "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)

set(TSB_PHASES fetch patch configure build stage)
set(Z_TSB_SCRIPTS_OF_patch unpack archive git tree patches)
list(TRANSFORM Z_TSB_SCRIPTS_OF_patch REPLACE "(.+)" "engine/sources/\\1.py")
set(Z_TSB_SCRIPTS_OF_configure cmake/isolation/tsb_isolate_package.cmake)
# They decide which licence texts are collected, and the content of linked.json, which most packages have.
set(Z_TSB_SCRIPTS_OF_stage licence_folder linked_files record_linked stated_licences)
list(TRANSFORM Z_TSB_SCRIPTS_OF_stage REPLACE "(.+)" "engine/sbom/\\1.py")

# z_tsb_phase_scripts(<out-var> <phase>): their paths.
function(z_tsb_phase_scripts out phase)
  file(GLOB scripts "${Z_TSB_PROJECT}/cmake/package/phases/${phase}/*")
  set(more ${Z_TSB_SCRIPTS_OF_${phase}})
  list(TRANSFORM more PREPEND "${Z_TSB_PROJECT}/")
  set(${out} ${scripts} ${more} PARENT_SCOPE)
endfunction()

# Adds each <NAME>=<value> of a list, which is given by its name.
function(z_tsb_add_pair_inputs z_tsb_variable kind z_tsb_pairs)
  foreach(pair IN LISTS ${z_tsb_pairs})
    string(REGEX MATCH "^([^=]+)=(.*)$" ignored "${pair}")
    z_tsb_step_value(${z_tsb_variable} "${kind}\t${CMAKE_MATCH_1}" "${CMAKE_MATCH_2}")
  endforeach()
  set(${z_tsb_variable} "${${z_tsb_variable}}" PARENT_SCOPE)
endfunction()

# z_tsb_add_member_inputs(<inputs-var> <member>...): members of the package's record, a list of <NAME>=<value> entry by
# entry.
function(z_tsb_add_member_inputs z_tsb_variable)
  foreach(member IN LISTS ARGN)
    if("${package_${member}}" MATCHES "=")
      z_tsb_add_pair_inputs(${z_tsb_variable} ${member} package_${member})
    else()
      z_tsb_step_value(${z_tsb_variable} "${member}" "${package_${member}}")
    endif()
  endforeach()
  set(${z_tsb_variable} "${${z_tsb_variable}}" PARENT_SCOPE)
endfunction()

# Adds files of a list in the package's description, by their names alone: no folder may get into the store's keys.
function(z_tsb_add_file_inputs z_tsb_variable kind member)
  foreach(file IN LISTS package_${member})
    get_filename_component(folder "${file}" DIRECTORY)
    z_tsb_step_files(${z_tsb_variable} "${kind}" "${folder}" "${file}")
  endforeach()
  set(${z_tsb_variable} "${${z_tsb_variable}}" PARENT_SCOPE)
endfunction()

# Adds these members of each source.
function(z_tsb_add_source_inputs z_tsb_variable kind)
  foreach(name IN LISTS sources_members)
    foreach(member IN LISTS ARGN)
      # A hash says more than the commit.
      if(
        NOT "${kind} ${member}" STREQUAL "source commit" OR "${sources_${name}_tree_sha256}${sources_${name}_sha256}"
                                                            STREQUAL ""
      )
        z_tsb_step_value(${z_tsb_variable} "${kind}\t${name} ${member}" "${sources_${name}_${member}}")
      endif()
    endforeach()
  endforeach()
  set(${z_tsb_variable} "${${z_tsb_variable}}" PARENT_SCOPE)
endfunction()

function(z_tsb_phase_inputs prefix folder)
  tsb_read_record("${folder}/package.json" package)
  tsb_read_record("${folder}/sources.json" sources)
  set(inputs "")
  foreach(phase IN LISTS TSB_PHASES)
    cmake_language(CALL z_tsb_inputs_of_${phase})
    z_tsb_phase_scripts(scripts ${phase})
    z_tsb_step_files(inputs "script of ${phase}" "${Z_TSB_PROJECT}" ${scripts})
    set(${prefix}_${phase} "${inputs}" PARENT_SCOPE)
  endforeach()
endfunction()

# z_tsb_package_fingerprint(<out-var> <package folder>)
function(z_tsb_package_fingerprint out folder)
  z_tsb_phase_inputs(inputs "${folder}")
  z_tsb_step_json(inputs "${inputs_stage}")
  string(SHA256 fingerprint "${inputs}")
  set(${out} "${fingerprint}" PARENT_SCOPE)
endfunction()

# z_tsb_add_machine_input(<inputs-var>): where a package with MACHINE is. It is an input of the phase stage, which lays
# the package out again when that changes, but not of the fingerprint.
function(z_tsb_add_machine_input z_tsb_variable)
  if(package_machine)
    z_tsb_step_record(${z_tsb_variable} package machine)
  endif()
  set(${z_tsb_variable} "${${z_tsb_variable}}" PARENT_SCOPE)
endfunction()

# The macros below work on `inputs`, `folder` and the records `package` and `sources` of z_tsb_phase_inputs.

macro(z_tsb_inputs_of_fetch)
  z_tsb_add_source_inputs(inputs source status version sha256 tree_sha256 commit strip subdir into license_file)
endmacro()

macro(z_tsb_inputs_of_patch)
  z_tsb_add_member_inputs(inputs place)
  z_tsb_step_record(inputs package patches)
  get_filename_component(pins_folder "${package_pins}" DIRECTORY)
  z_tsb_step_files(inputs "patch" "${pins_folder}/patches" ${package_patch_files})
  z_tsb_add_file_inputs(inputs "patch script" patch_scripts)
endmacro()

macro(z_tsb_inputs_of_configure)
  z_tsb_add_member_inputs(inputs options environment system modules python_description)
  z_tsb_add_pair_inputs(inputs "framework environment" TSB_FRAMEWORK_ENVIRONMENT)
  if(package_build_system STREQUAL "cmake")
    z_tsb_add_pair_inputs(inputs "framework option" TSB_FRAMEWORK_OPTIONS)
  endif()
  if(NOT package_build_system STREQUAL "none")
    z_tsb_add_pair_inputs(inputs "framework compile option" TSB_FRAMEWORK_COMPILE_OPTIONS)
    z_tsb_add_member_inputs(inputs debug_info)
    z_tsb_step_record(inputs package toolchain)
  endif()
  if("${package_options};${package_environment}" MATCHES "@COMMIT@")
    z_tsb_step_value(inputs "commit" "${sources_${package_source}_commit}")
  endif()
  z_tsb_add_file_inputs(inputs "include" include)
  z_tsb_add_file_inputs(inputs "input" inputs)
  z_tsb_package_features(features)
  foreach(name IN LISTS package_features)
    z_tsb_step_value(inputs "feature\t${name}" "${package_features_${name}_option}=${features_${name}}")
  endforeach()
  foreach(name IN LISTS package_depends)
    z_tsb_package_left_out(missing "${folder}/../${name}")
    if(missing)
      set(fingerprint "left out")
    else()
      z_tsb_package_fingerprint(fingerprint "${folder}/../${name}")
    endif()
    z_tsb_step_value(inputs "dependency\t${name}" "${fingerprint}")
  endforeach()
  # By which names find_package() gets them: no part of their own fingerprints.
  z_tsb_package_closure(closure "${folder}/.." ${package_depends})
  foreach(pair IN LISTS package_all_provided)
    string(REGEX MATCH "^([^=]+)=(.*)$" ignored "${pair}")
    if(CMAKE_MATCH_2 IN_LIST closure)
      z_tsb_step_value(inputs "provided\t${CMAKE_MATCH_1}" "${CMAKE_MATCH_2}")
    endif()
  endforeach()
endmacro()

macro(z_tsb_inputs_of_build)
  z_tsb_add_member_inputs(inputs targets)
endmacro()

macro(z_tsb_inputs_of_stage)
  z_tsb_add_source_inputs(inputs about license commit) # what the manifest says
  z_tsb_add_file_inputs(inputs "stage script" stage_scripts)
  z_tsb_add_file_inputs(inputs "stage input" stage_inputs)
  z_tsb_add_member_inputs(inputs no_install license_files)
endmacro()
