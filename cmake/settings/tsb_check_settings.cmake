# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_check_settings
------------------

Refuses settings that would be ignored or misunderstood, before anything else is looked at.

.. code-block:: cmake

  tsb_check_settings(RESULT_ERROR <variable>) # what is wrong and what to do, or an empty string

A switch of the environment may be ``ON``, ``OFF``, ``1`` or ``0``, and is ``ON`` or ``OFF`` afterwards. A variable that
was set when this build folder was configured before and is not set now is named: ``cmake --build`` configures again by
itself when a CMake file has changed, in the environment that it is started in. What nothing reads is named too.

Errors: no preset; a ``-D TSB_…`` that is read from the environment, or that does not exist; a switch or a number that
is neither; an unknown ``TSB_DEBUG_INFO``; a ``TSB_TORCHPKG`` that is not torchpkg; a file or folder that is not there,
or that holds something else.
#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../backend/tsb_find_backend.cmake)

# What presets set; everything else is read from the environment, since ``cmake --workflow`` takes no ``-D``.
set(Z_TSB_CACHE_VARIABLES TSB_PRESET TSB_BACKEND TSB_PYTORCH_VERSION TSB_BLAS TSB_ARTIFACTS TSB_PACKAGES TSB_TESTS_ONLY)

function(tsb_check_settings)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "RESULT_ERROR" "")
  z_tsb_check_cache_variables(error)
  if(NOT error)
    z_tsb_check_environment(error)
  endif()
  if(NOT error)
    z_tsb_check_folders(error)
  endif()
  if(NOT error AND NOT TSB_TESTS_ONLY)
    z_tsb_name_unset_settings("${CMAKE_BINARY_DIR}/settings.txt")
  endif()
  set(${arg_RESULT_ERROR} "${error}" PARENT_SCOPE)
endfunction()

function(z_tsb_check_cache_variables out)
  get_cmake_property(variables CACHE_VARIABLES)
  list(FILTER variables INCLUDE REGEX "^TSB_")
  list(REMOVE_ITEM variables ${Z_TSB_CACHE_VARIABLES})
  set(unknown "")
  foreach(variable IN LISTS variables)
    get_property(type CACHE ${variable} PROPERTY TYPE)
    if(NOT type STREQUAL "INTERNAL") # the doctor's memory
      list(APPEND unknown ${variable})
    endif()
  endforeach()
  set(error "")
  if(unknown)
    list(GET unknown 0 variable)
    list(JOIN Z_TSB_CACHE_VARIABLES ", " known)
    set(error "  -D ${variable} has no effect\n  ")
    string(
      APPEND error "set it in the environment if docs/sources.md lists it: export ${variable}='${${variable}}'\n  "
    )
    string(APPEND error "valid with -D are: ${known}")
    unset(${variable} CACHE) # or it would be refused in the next run, too
  elseif(TSB_TESTS_ONLY)
    # nothing of a preset's is needed
  elseif("${TSB_PRESET}" STREQUAL "" OR ("${TSB_ARTIFACTS}" STREQUAL "" AND "${TSB_PACKAGES}" STREQUAL ""))
    set(error "  no preset: there is nothing to build\n  ")
    string(APPEND error "name one, as in: cmake --preset cpu-libtorch-shared; cmake --list-presets lists them")
  endif()
  set(${out} "${error}" PARENT_SCOPE)
endfunction()

function(z_tsb_check_environment out)
  set(error "")
  tsb_find_backend(backend "${TSB_BACKEND}")
  z_tsb_json_get_list(switches "${backend}" switches)
  foreach(name IN LISTS switches ITEMS TSB_OFFLINE TSB_UNITY TSB_SONAME_VERSION TSB_NETWORK_NAMESPACE)
    string(TOUPPER "$ENV{${name}}" value)
    if(value MATCHES "^(1|ON|TRUE|YES|Y)$")
      set(ENV{${name}} ON)
    elseif(value MATCHES "^(0|OFF|FALSE|NO|N)$")
      set(ENV{${name}} OFF)
    elseif(NOT value STREQUAL "")
      set(error "  ${name} is '$ENV{${name}}'\n  set it to ON or OFF, or unset it")
    endif()
  endforeach()
  foreach(name IN ITEMS TSB_JOBS TSB_PROGRESS_SECONDS)
    if(NOT "$ENV{${name}}" MATCHES "^([1-9][0-9]*)?$")
      set(error "  ${name} is '$ENV{${name}}'\n  set it to a positive integer, or unset it")
    endif()
  endforeach()
  if(NOT "$ENV{TSB_DEBUG_INFO}" MATCHES "^(none|lines|full|)$")
    set(error "  TSB_DEBUG_INFO is '$ENV{TSB_DEBUG_INFO}'\n  set it to none, lines or full, or unset it: lines")
  endif()
  if(NOT "$ENV{TSB_TORCHPKG}" STREQUAL "")
    get_filename_component(torchpkg "$ENV{TSB_TORCHPKG}" ABSOLUTE BASE_DIR "${CMAKE_SOURCE_DIR}")
    set(fault "does not exist")
    if(EXISTS "${torchpkg}")
      set(fault "is not torchpkg")
      execute_process(COMMAND "${torchpkg}" --version OUTPUT_VARIABLE version ERROR_QUIET)
    endif()
    if(NOT version MATCHES "^torchpkg ")
      set(error "  TSB_TORCHPKG names ${torchpkg}, which ${fault}\n  ")
      string(APPEND error "correct it, or unset it: torchpkg is compiled then")
    endif()
  endif()
  set(${out} "${error}" PARENT_SCOPE)
endfunction()

function(z_tsb_check_folders out)
  set(error "")
  # One of these must be in it.
  set(parts_of_TSB_ADDITIONS releases/* backends/* targets/* superbuild/*)
  set(parts_of_TSB_SUPERBUILD_DIR *.cmake)
  set(parts_of_TSB_CONSUMER_DIR CMakeLists.txt)
  foreach(name IN ITEMS TSB_SOURCES TSB_STORE TSB_DIST TSB_PINS_FILE TSB_ADDITIONS TSB_SUPERBUILD_DIR TSB_CONSUMER_DIR)
    if("$ENV{${name}}" STREQUAL "")
      continue()
    endif()
    get_filename_component(value "$ENV{${name}}" ABSOLUTE BASE_DIR "${CMAKE_SOURCE_DIR}")
    list(TRANSFORM parts_of_${name} PREPEND "${value}/" OUTPUT_VARIABLE parts)
    file(GLOB found LIST_DIRECTORIES ON ${parts})
    set(fault "")
    if(value MATCHES "[][;\"]")
      set(fault "and CMake's lists and patterns cannot have ';', quotes or brackets")
    elseif(NOT EXISTS "${value}" AND (parts OR name STREQUAL "TSB_PINS_FILE"))
      set(fault "which does not exist")
    elseif(EXISTS "${value}" AND NOT IS_DIRECTORY "${value}" AND NOT name STREQUAL "TSB_PINS_FILE")
      set(fault "which is not a folder")
    elseif(parts AND NOT found)
      list(JOIN parts_of_${name} ", " parts)
      set(fault "which holds something else: it has no ${parts}")
    endif()
    if(fault)
      set(error "  ${name} names ${value}, ${fault}\n  correct it, or unset it")
    endif()
  endforeach()
  set(${out} "${error}" PARENT_SCOPE)
endfunction()

# z_tsb_name_unknown_settings(<name>...): docs/sources.md has the list; what ends in "_" there goes on with a name.
function(z_tsb_name_unknown_settings)
  file(STRINGS "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../docs/sources.md" lines REGEX "TSB_")
  string(REGEX MATCHALL "TSB_[A-Z0-9_]+" known "${lines}")
  list(REMOVE_ITEM known ${Z_TSB_CACHE_VARIABLES})
  set(prefixes "${known}")
  list(FILTER prefixes INCLUDE REGEX "_$")
  list(REMOVE_DUPLICATES prefixes)
  list(JOIN prefixes "|" prefixes)
  foreach(name IN LISTS ARGN)
    if(name IN_LIST Z_TSB_CACHE_VARIABLES)
      message(NOTICE "${name} in the environment has no effect: presets set it, or -D")
    elseif(NOT name IN_LIST known AND NOT name MATCHES "^(${prefixes})")
      message(NOTICE "${name} in the environment has no effect: docs/sources.md does not list it")
    endif()
  endforeach()
endfunction()

# Names only go to <file>: a value may hold a password.
function(z_tsb_name_unset_settings file)
  execute_process(COMMAND env OUTPUT_VARIABLE environment)
  string(REPLACE ";" "," environment "${environment}")
  string(REGEX MATCHALL "(^|\n)TSB_[A-Za-z0-9_]+=[^\n]" found "${environment}")
  list(TRANSFORM found REPLACE "^\n?(TSB_[^=]+)=.*" "\\1")
  z_tsb_name_unknown_settings(${found})
  # Those are read when something runs, and change no result.
  list(REMOVE_ITEM found TSB_JOBS TSB_PROGRESS_SECONDS TSB_EXIT_FILE TSB_PROGRESS_FILE TSB_DOCTOR_SKIP)
  list(SORT found)
  set(before "")
  if(EXISTS "${file}")
    file(STRINGS "${file}" before)
  endif()
  if(before)
    list(REMOVE_ITEM before ${found})
  endif()
  foreach(name IN LISTS before)
    message(NOTICE "${name} was set when this folder was configured before, and is not set now: its default is used")
  endforeach()
  list(JOIN found "\n" found)
  file(WRITE "${file}" "${found}\n")
endfunction()
