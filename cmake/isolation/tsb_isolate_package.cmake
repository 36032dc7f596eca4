# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_isolate_package
-------------------

Runs inside a package's own CMake project, through ``CMAKE_PROJECT_TOP_LEVEL_INCLUDES``. From then on the
package finds only what its declaration names:

* a ``find_package()`` name that one of our packages PROVIDES is found in that package's install tree when the
  package DEPENDS on it, and is an error that names the missing declaration when it does not;
* a name whose target the package's own tree has defined already is that one;
* any other name is looked for when the declaration lists it under SYSTEM or MODULES; otherwise a
  REQUIRED one, and one for which the package's own tree has a find module, is an error that names the
  missing declaration. An optional one counts as not found, so a library that happens to be installed
  changes no build.

``FetchContent_MakeAvailable()`` of what would have to be downloaded is an error that names it, unless
``FETCHCONTENT_SOURCE_DIR_<NAME>`` names its sources.

What ``find_library()`` and its like find is looked at afterwards, by ``z_tsb_check_found``.

It also adds the framework's compiler options, which are not part of ``CMAKE_CXX_FLAGS``.

This file is an input of the packages' fingerprints.

Variables, set by the generated file that includes this one:

``TSB_ISOLATION_PACKAGE``   the package's name
``TSB_ISOLATION_DECLARED_IN``  the file with its declaration
``TSB_ISOLATION_PROVIDED``  ``<name>=<package>`` for each name that one of our packages provides
``TSB_ISOLATION_DEPENDS``   packages that this one may find, with what they need themselves
``TSB_ISOLATION_SYSTEM``    names that it may take from the machine
``TSB_ISOLATION_MODULES``   names that a find module of its own may answer
``TSB_ISOLATION_COMPILE_OPTIONS``  see ``z_tsb_framework.cmake``
#]]
include_guard(GLOBAL)

# A copy on the machine must not stand in for ours, as it would when ours is refused (too old for the request, say).
function(z_tsb_check_found_in_prefix name provider)
  set(folder "${${name}_DIR}")
  if(NOT ${name}_FOUND OR NOT folder)
    return() # not found, or by a find module, which keeps no folder
  endif()
  file(REAL_PATH "${folder}" folder)
  foreach(prefix IN LISTS CMAKE_PREFIX_PATH)
    file(REAL_PATH "${prefix}" prefix)
    string(FIND "${folder}/" "${prefix}/" position)
    if(position EQUAL 0)
      return()
    endif()
  endforeach()
  message(
    FATAL_ERROR
      "package ${TSB_ISOLATION_PACKAGE} asks for ${name}, which package ${provider} provides, but what was found is another "
      "one: ${folder}. Is the version of ${provider} one that ${TSB_ISOLATION_PACKAGE} accepts?"
  )
endfunction()

# After a provider that found nothing CMake looks for itself. It looks first into this folder, which it empties at the
# start of every run, and there finds that the package is not found.
function(z_tsb_hide_package name)
  if(EXISTS "${CMAKE_FIND_PACKAGE_REDIRECTS_DIR}/${name}Config.cmake")
    return()
  endif()
  set(content "set(\${CMAKE_FIND_PACKAGE_NAME}_FOUND FALSE)\n")
  string(APPEND content "set(\${CMAKE_FIND_PACKAGE_NAME}_NOT_FOUND_MESSAGE \"it is not declared\")\n")
  file(WRITE "${CMAKE_FIND_PACKAGE_REDIRECTS_DIR}/${name}Config.cmake" "${content}")
  file(WRITE "${CMAKE_FIND_PACKAGE_REDIRECTS_DIR}/${name}ConfigVersion.cmake" "set(PACKAGE_VERSION_COMPATIBLE TRUE)\n")
endfunction()

# The find module that the package's own tree has for this name, relative to the tree; else empty.
function(z_tsb_own_module out name)
  set(${out} "" PARENT_SCOPE)
  if("CONFIG" IN_LIST ARGN OR "NO_MODULE" IN_LIST ARGN)
    return()
  endif()
  foreach(folder IN LISTS CMAKE_MODULE_PATH)
    cmake_path(IS_PREFIX CMAKE_SOURCE_DIR "${folder}" NORMALIZE own)
    if(own AND EXISTS "${folder}/Find${name}.cmake")
      cmake_path(RELATIVE_PATH folder BASE_DIRECTORY "${CMAKE_SOURCE_DIR}")
      set(${out} "${folder}/Find${name}.cmake" PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

macro(z_tsb_provide_dependency method name)
  # A macro: the results of find_package() must reach the caller. Own variables are prefixed and unset.
  set(z_tsb_provider "")
  foreach(z_tsb_entry IN LISTS TSB_ISOLATION_PROVIDED)
    if(z_tsb_entry MATCHES "^${name}=(.+)$")
      set(z_tsb_provider "${CMAKE_MATCH_1}")
    endif()
  endforeach()
  set(z_tsb_arguments "${ARGN}")
  string(TOLOWER "${name}" z_tsb_package)
  z_tsb_own_module(z_tsb_module "${name}" ${ARGN})
  if(NOT z_tsb_provider STREQUAL "" AND NOT z_tsb_provider STREQUAL TSB_ISOLATION_PACKAGE)
    if(NOT z_tsb_provider IN_LIST TSB_ISOLATION_DEPENDS)
      message(
        FATAL_ERROR
          "package ${TSB_ISOLATION_PACKAGE} asks for ${name}, which package ${z_tsb_provider} provides, "
          "but does not declare it. Add 'DEPENDS ${z_tsb_provider}' to ${TSB_ISOLATION_DECLARED_IN}, "
          "or switch off the option that asks for it."
      )
    endif()
    find_package(${name} ${ARGN} BYPASS_PROVIDER)
    z_tsb_check_found_in_prefix("${name}" "${z_tsb_provider}")
  elseif("${name}" IN_LIST TSB_ISOLATION_SYSTEM OR "${name}" IN_LIST TSB_ISOLATION_MODULES)
    find_package(${name} ${ARGN} BYPASS_PROVIDER)
  elseif(TARGET ${name}::${name} OR TARGET ${name}::${name}-header-only)
    # Its own tree has it already, as PyTorch's has fmt when Kineto asks for it.
    set(${name}_FOUND TRUE)
  elseif(NOT z_tsb_module STREQUAL "")
    # PyTorch takes a module of its own for one that finds: told that ITT is missing, it ends in an error elsewhere.
    message(
      FATAL_ERROR
        "package ${TSB_ISOLATION_PACKAGE} asks for ${name}, for which it has ${z_tsb_module}, but does not declare it. "
        "Add 'MODULES ${name}' to ${TSB_ISOLATION_DECLARED_IN} if that module may look, or "
        "'OPTIONS CMAKE_DISABLE_FIND_PACKAGE_${name}=ON' if it must not be found."
    )
  elseif("REQUIRED" IN_LIST z_tsb_arguments AND "${z_tsb_package}" IN_LIST TSB_ISOLATION_DEPENDS)
    message(
      FATAL_ERROR
        "package ${TSB_ISOLATION_PACKAGE} asks for ${name}, and depends on package ${z_tsb_package}, which does not "
        "provide that name. Add 'PROVIDES ${name}' to the declaration of ${z_tsb_package}."
    )
  elseif("REQUIRED" IN_LIST z_tsb_arguments)
    message(
      FATAL_ERROR
        "package ${TSB_ISOLATION_PACKAGE} asks for ${name}, which none of our packages provides. If it may come from "
        "the machine, add 'SYSTEM ${name}' to ${TSB_ISOLATION_DECLARED_IN}; otherwise add a package "
        "that provides it, or switch off the option that asks for it."
    )
  else()
    message(STATUS "isolation: ${name} is not declared, so it counts as not found")
    set(${name}_FOUND FALSE)
    z_tsb_hide_package("${name}")
  endif()
  unset(z_tsb_provider)
  unset(z_tsb_entry)
  unset(z_tsb_module)
  unset(z_tsb_package)
  unset(z_tsb_arguments)
endmacro()

# z_tsb_refuse_download(<name> <details of FetchContent_Declare()>...): before 3.30, CMake takes content for there that
# it may not download. https://cmake.org/cmake/help/latest/policy/CMP0170.html
function(z_tsb_refuse_download name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "FIND_PACKAGE_ARGS" "SOURCE_DIR;GIT_REPOSITORY" "URL")
  set(findable ${TSB_ISOLATION_PROVIDED} ${TSB_ISOLATION_SYSTEM} ${TSB_ISOLATION_MODULES})
  list(TRANSFORM findable REPLACE "=.*" "")
  if(EXISTS "${arg_SOURCE_DIR}" OR (arg_FIND_PACKAGE_ARGS AND name IN_LIST findable))
    return()
  endif()
  set(wanted "${name}")
  foreach(from IN LISTS arg_GIT_REPOSITORY arg_URL)
    string(APPEND wanted " from ${from}")
  endforeach()
  # Two blanks: CMake leaves such a line whole. The runner reads it.
  message(FATAL_ERROR "  package ${TSB_ISOLATION_PACKAGE}: FetchContent refused a download: ${wanted}")
endfunction()

macro(z_tsb_provide method name)
  if("${method}" STREQUAL "FETCHCONTENT_MAKEAVAILABLE_SERIAL")
    z_tsb_refuse_download("${name}" ${ARGN})
  else()
    z_tsb_provide_dependency("${method}" "${name}" ${ARGN})
  endif()
endmacro()

cmake_language(SET_DEPENDENCY_PROVIDER z_tsb_provide SUPPORTED_METHODS FIND_PACKAGE FETCHCONTENT_MAKEAVAILABLE_SERIAL)

# Only compilers that know these options: nvcc and NASM do not.
add_compile_options("$<$<COMPILE_LANGUAGE:C,CXX,ASM>:${TSB_ISOLATION_COMPILE_OPTIONS}>")
# By which debug information is found; not every compiler asks for it by itself.
add_link_options(-Wl,--build-id=sha1)
# An object made of assembly that says nothing of the stack makes the stack of the whole process executable, and newer C
# libraries refuse to load what asks for that. oneDNN has such a file.
# https://github.com/conda-forge/pytorch-cpu-feedstock/issues/350
add_compile_options("$<$<COMPILE_LANGUAGE:ASM>:-Wa,--noexecstack>")
