# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
z_tsb_artifact_steps
--------------------

The steps of an artifact: stage, check_stage, pack, statement, check, consumer, deliver. Each has a file,
``steps/<step>.cmake``, with what it does and its inputs; torchpkg counts by the hash of its binary, scripts by their
content. Each product has a folder with the same files for what it does in its own way:

===============  =======================================================================================================
``stage.cmake``  ``z_tsb_stage_<product>(<stage>)``
``metadata.*``   what describes the package to an installer: a wheel's METADATA, info/ of a conda package. A
                 libtorch has only the manifest, as the others do
``pack.cmake``   ``z_tsb_pack_<product>(<out-var of the files> <stage> <folder> <torchpkg>)``
===============  =======================================================================================================

What is the same in all of them, the tree with libraries, CMake package, licences and manifest, is made in ``tree/``. ::

  z_tsb_read_artifact(<artifact>)           # sets the variables that the steps read
  z_tsb_artifact_inputs(<out-var> <step>)
#]]
include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/../cmake/data/tsb_find_data.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/../cmake/model/tsb_read_record.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/../cmake/step/tsb_step.cmake")
set(TSB_ARTIFACT_STEPS stage check_stage pack statement check consumer deliver)
foreach(step IN LISTS TSB_ARTIFACT_STEPS)
  include("${CMAKE_CURRENT_LIST_DIR}/steps/${step}.cmake")
endforeach()
set(Z_TSB_PACKAGING "${CMAKE_CURRENT_LIST_DIR}")
set(TSB_STEPS "${TSB_BUILD_FOLDER}/steps")

macro(z_tsb_read_artifact artifact_name)
  set(name "${artifact_name}")
  tsb_read_record("${TSB_BUILD_FOLDER}/artifacts/${name}.json" artifact)
  tsb_read_record("${TSB_BUILD_FOLDER}/settings.json" settings)
  foreach(member IN ITEMS product package)
    set(${member} "${artifact_${member}}")
  endforeach()
  foreach(member IN ITEMS dist consumer torchpkg ninja)
    set(${member} "${settings_${member}}")
  endforeach()
  set(stage "${TSB_BUILD_FOLDER}/stage/${name}")
  set(packed "${TSB_BUILD_FOLDER}/packed/${name}")
  set(work "${TSB_BUILD_FOLDER}/check/${name}")
  set(outputs_of_stage "${stage}")
  set(outputs_of_check_stage "${stage}/check.json")
  set(outputs_of_check "${work}/check.json")
  set(outputs_of_consumer "${work}/consumer/results.xml")
endmacro()

function(z_tsb_artifact_inputs out step)
  set(inputs "")
  cmake_language(CALL z_tsb_inputs_of_artifact_${step})
  set(${out} "${inputs}" PARENT_SCOPE)
endfunction()

# z_tsb_print_summary(<argument of summary.py>...): the last lines of a run.
function(z_tsb_print_summary)
  tsb_call_python("${TSB_BUILD_FOLDER}" summary.py ${ARGN})
endfunction()

# z_tsb_step_scripts(<inputs-var> <path>...): files and folders of packaging/. Error: one does not exist.
function(z_tsb_step_scripts z_tsb_variable)
  list(TRANSFORM ARGN PREPEND "${Z_TSB_PACKAGING}/")
  foreach(script IN LISTS ARGN)
    if(NOT EXISTS "${script}") # renamed: a change of it would be missed
      message(FATAL_ERROR "${script}, an input of a step, does not exist")
    endif()
  endforeach()
  z_tsb_step_files(${z_tsb_variable} file "${Z_TSB_PACKAGING}/.." ${ARGN})
  set(${z_tsb_variable} "${${z_tsb_variable}}" PARENT_SCOPE)
endfunction()

# z_tsb_step_backend(<inputs-var> <pattern>...): files and folders of the artifact's backend, and of its kind.
function(z_tsb_step_backend z_tsb_variable)
  set(names ${artifact_backend_kind} ${artifact_backend_folder})
  list(REMOVE_DUPLICATES names)
  foreach(backend IN LISTS names)
    tsb_find_data(folder "backends/${backend}")
    set(patterns ${ARGN})
    list(TRANSFORM patterns PREPEND "${folder}/")
    file(GLOB found ${patterns})
    z_tsb_step_files(${z_tsb_variable} "backend ${backend}" "${folder}" ${found})
  endforeach()
  set(${z_tsb_variable} "${${z_tsb_variable}}" PARENT_SCOPE)
endfunction()

# z_tsb_packed_files(<out-var> <out-var>): the packed file, whose name is known only after packing, and its debug zip,
# as absolute paths; empty if it does not exist.
function(z_tsb_packed_files out_file out_debug)
  z_tsb_step_outputs(files "${name}" pack)
  set(debug ${files})
  list(FILTER debug INCLUDE REGEX "/debug-[^/]*\\.zip$")
  list(FILTER files EXCLUDE REGEX "/debug-[^/]*\\.zip$|\\.json$")
  set(${out_file} "${files}" PARENT_SCOPE)
  set(${out_debug} "${debug}" PARENT_SCOPE)
endfunction()

macro(z_tsb_inputs_of_packed_files)
  z_tsb_packed_files(file debug)
  foreach(packed IN LISTS file debug)
    get_filename_component(packed_name "${packed}" NAME)
    z_tsb_step_file(inputs "${packed_name}" "${packed}")
  endforeach()
endmacro()
