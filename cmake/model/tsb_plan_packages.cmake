# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_plan_packages
-----------------

Hands what is declared of packages, and what configure knows of the machine, to ``plan.py``, which writes
``packages/<package>/package.json`` and ``pins.json``, ``fetch/request.json``, and what
:command:`tsb_plan_artifacts` has kept. ::

  tsb_plan_packages(<package>...) # with all that they depend on

Errors: a source without a pin, a patch or a Python that is not there, a feature that needs a package on which nothing
depends, a makefile for another processor, an option in ``TSB_PYTORCH_OPTIONS`` that cannot be set, a patch in
``TSB_PATCHES`` that does not apply to what is on this machine already.
#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../backend/tsb_ask_backend.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../detail/z_tsb_write_file.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../package/z_tsb_framework.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../package/z_tsb_toolchain.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../python/tsb_find_python.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../python/tsb_run_python.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/tsb_json_object.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/tsb_load_model.cmake)

# z_tsb_generator_python(<out-var>): which Python makes a package's generated files, once for each program. Not the last
# part of its version: releases of one minor version repair what is wrong.
function(z_tsb_generator_python out)
  get_property(description GLOBAL PROPERTY "TSB_GENERATOR_${TSB_CODEGEN_PYTHON}")
  if(NOT description)
    set(script "import platform as p; print(p.python_implementation(), *p.python_version_tuple()[:2])")
    z_tsb_first_words(description "${TSB_CODEGEN_PYTHON}" -I -S -c "${script}")
    set_property(GLOBAL PROPERTY "TSB_GENERATOR_${TSB_CODEGEN_PYTHON}" "${description}")
  endif()
  set(${out} "${description}" PARENT_SCOPE)
endfunction()

# z_tsb_planned_pythons(<out-var> <package>...): JSON, {"3.12": {"executable": "...", "description": "..."}}, of those
# that packages are made for.
function(z_tsb_planned_pythons out)
  set(python_versions "")
  foreach(name IN LISTS ARGN)
    get_property(version GLOBAL PROPERTY TSB_PACKAGE_${name}_PYTHON)
    if(version AND NOT version IN_LIST python_versions)
      tsb_find_python(${version} EXECUTABLE one_executable DESCRIPTION one_description ERROR error)
      if(error)
        message(FATAL_ERROR "package ${name} is made for Python ${version}, but ${error}")
      endif()
      list(APPEND python_versions ${version})
      tsb_json_object(python_${version} one_ TEXTS executable description)
    endif()
  endforeach()
  tsb_json_object(pythons python_ OBJECTS ${python_versions})
  set(${out} "${pythons}" PARENT_SCOPE)
endfunction()

# z_tsb_planned_toolchains(<out-var> <out-var of hook files> <package>...): JSON of what decides what is compiled:
# `machine` for this one, `target` for another processor, and what packages with the backend's toolkit, and with
# Fortran, have besides. What the phase configure asks of a backend decides something as its own scripts do.
function(z_tsb_planned_toolchains out files)
  set(kinds machine)
  if(target_cross)
    z_tsb_toolchain(toolchain_target)
    list(APPEND kinds target)
    z_tsb_forget_record(target)
    z_tsb_processor(target_processor)
  endif()
  z_tsb_toolchain(toolchain_machine)
  set(hooks "")
  foreach(name IN LISTS ARGN)
    get_property(depends GLOBAL PROPERTY TSB_PACKAGE_${name}_DEPENDS)
    get_property(options GLOBAL PROPERTY TSB_PACKAGE_${name}_OPTIONS)
    list(FILTER options INCLUDE REGEX "^CMAKE_Fortran_COMPILER=")
    if("${backend_toolkit}" IN_LIST depends AND NOT toolkit IN_LIST kinds)
      tsb_ask_backend(toolchain_toolkit backend toolchain)
      list(APPEND kinds toolkit)
      foreach(hook IN ITEMS cmake_options compile_options make_tools)
        tsb_find_data(file "backends/${backend_kind}/hooks/${hook}.cmake")
        list(APPEND hooks ${file})
      endforeach()
    endif()
    if(options AND NOT fortran IN_LIST kinds)
      string(REGEX REPLACE "^.*=" "" fortran "${options}")
      z_tsb_first_words(of_Fortran_VERSION ${fortran} -dumpfullversion)
      z_tsb_hash_programs(of_Fortran_PROGRAMS ${fortran} Fortran)
      tsb_json_object(toolchain_fortran of_ TEXTS Fortran_VERSION Fortran_PROGRAMS)
      list(APPEND kinds fortran)
    endif()
  endforeach()
  tsb_json_object(toolchains toolchain_ OBJECTS ${kinds})
  set(${out} "${toolchains}" PARENT_SCOPE)
  set(${files} "${hooks}" PARENT_SCOPE)
endfunction()

# z_tsb_planned_declarations(<out-var> <package>...): JSON of them, {"sleef": {"declared": {...}, "features": {...}}}.
function(z_tsb_planned_declarations out)
  foreach(name IN LISTS ARGN)
    get_property(features GLOBAL PROPERTY TSB_PACKAGE_${name}_FEATURES)
    foreach(feature IN LISTS features)
      get_property(feature_${feature} GLOBAL PROPERTY TSB_FEATURE_${name}_${feature})
    endforeach()
    tsb_json_object(of_features feature_ OBJECTS ${features})
    get_property(of_declared GLOBAL PROPERTY TSB_PACKAGE_${name})
    tsb_json_object(package_${name} of_ OBJECTS declared features)
  endforeach()
  tsb_json_object(declarations package_ OBJECTS ${ARGN})
  set(${out} "${declarations}" PARENT_SCOPE)
endfunction()

# z_tsb_planned_folders(<out-var>): JSON of what the variables TSB_LOCAL_<source> name, by <source>.
function(z_tsb_planned_folders out)
  get_cmake_property(names VARIABLES)
  list(FILTER names INCLUDE REGEX "^TSB_LOCAL_.")
  set(sources "")
  foreach(variable IN LISTS names)
    if(NOT "${${variable}}" STREQUAL "")
      string(REPLACE "TSB_LOCAL_" "" source "${variable}")
      list(APPEND sources "${source}")
    endif()
  endforeach()
  tsb_json_object(folders TSB_LOCAL_ TEXTS ${sources})
  set(${out} "${folders}" PARENT_SCOPE)
endfunction()

function(tsb_plan_packages)
  z_tsb_planned_declarations(plan_packages ${ARGN})
  z_tsb_planned_pythons(plan_pythons ${ARGN})
  z_tsb_planned_toolchains(plan_toolchains plan_toolkit_files ${ARGN})
  z_tsb_planned_folders(plan_local)
  z_tsb_generator_python(plan_generator)
  get_property(plan_all_provided GLOBAL PROPERTY TSB_PROVIDED)
  set(plan_pins "${TSB_PINS_FILE}")
  set(plan_cache "${TSB_SOURCES}")
  set(plan_mirrors "${TSB_SOURCE_MIRROR}")
  set(plan_providers "${TSB_PROVIDERS}")
  foreach(switch IN ITEMS OFFLINE STRICT)
    string(TOLOWER ${switch} name)
    set(plan_${name} false)
    if(TSB_${switch})
      set(plan_${name} true)
    endif()
  endforeach()
  set(plan_allow_missing "${TSB_ALLOW_MISSING}")
  set(plan_pytorch_options "${TSB_PYTORCH_OPTIONS}")
  set(plan_framework_options "${TSB_FRAMEWORK_OPTIONS}")
  tsb_json_object(plan_folders "" TEXTS TSB_ADDITIONS TSB_SUPERBUILD_DIR)
  set(plan_resolved "${TSB_BACKEND_RESOLVED}")
  tsb_ask_backend(plan_configured backend configured)
  get_property(plan_artifacts GLOBAL PROPERTY TSB_PLANNED_ARTIFACTS)
  tsb_find_data(plan_pins_hook "backends/${backend_folder}/hooks/pins.py")
  set(plan_build_folder "${CMAKE_BINARY_DIR}")
  set(plan_store "${TSB_STORE}")
  set(plan_debug_info "${TSB_DEBUG_INFO}")
  set(plan_python "${TSB_CODEGEN_PYTHON}")
  tsb_json_object(
    declared plan_ TEXTS pins cache pins_hook build_folder store debug_info python generator LISTS mirrors providers
    allow_missing pytorch_options framework_options all_provided toolkit_files OBJECTS offline strict local folders
    resolved configured artifacts toolchains pythons packages
  )
  set(file "${CMAKE_BINARY_DIR}/plan/declared.json")
  z_tsb_write_file("${file}" "${declared}\n")
  file(CHMOD "${file}" FILE_PERMISSIONS OWNER_READ OWNER_WRITE) # a mirror's address may have a password
  tsb_run_python(model.plan "${CMAKE_BINARY_DIR}")
  if(TSB_PATCHES)
    tsb_run_python(sources.try_patches "${CMAKE_BINARY_DIR}/fetch/request.json")
  endif()
endfunction()
