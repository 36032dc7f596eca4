# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_read_settings
-----------------

Reads all settings (:command:`tsb_declare_setting`) and sets a variable for each, in the form of its type: a list is a
list of CMake's, a path is absolute. ::

  tsb_read_settings(RESULT_ERROR <variable>) # a line for each fault with what to do, or an empty string

Sets ``TSB_FROM_ENVIRONMENT`` as well, the names of those that the environment has given.

What counts is a word behind ``./bootstrap.sh <preset>`` (an environment variable that ``BOOTSTRAP_SETTINGS`` names),
else the cache (``-D``, a cache editor, a preset of the user's), else this run's environment, else what a shipped preset
says (``TSB_DEFAULT_PYTORCH_VERSION``), else the default. Each becomes a cache variable, which only ever holds what the
user gave: empty is not set. In a script a ``-D`` does the same.

In a configure that a build has started the environment is that of the configure before it
(:command:`tsb_keep_settings`). In one of the user's a setting that was in the environment then, and is not now, is
named.

Faults: a value that does not fit its setting; a setting that does not exist, with the nearest one that does; one that
is read from somewhere else; a ``-D`` that nothing reads. A ``-D`` that is refused is taken out of the cache, so that
the next run does not meet it again.
#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../data/tsb_list_data.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../detail/tsb_fail.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/settings.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/tsb_keep_settings.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/z_tsb_is_word.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/z_tsb_setting_value.cmake)

# z_tsb_setting_of(<out-var> <name>): the setting as it is declared, or nothing.
function(z_tsb_setting_of out name)
  get_property(settings GLOBAL PROPERTY TSB_SETTINGS)
  if(name IN_LIST settings)
    set(${out} "${name}" PARENT_SCOPE)
    return()
  endif()
  list(FILTER settings INCLUDE REGEX "<")
  foreach(setting IN LISTS settings)
    string(REPLACE "<digits>" "[0-9]+" pattern "${setting}")
    string(REGEX REPLACE "<[a-z]+>" "[A-Za-z0-9_]+" pattern "${pattern}")
    if(name MATCHES "^${pattern}$")
      set(${out} "${setting}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  set(${out} "" PARENT_SCOPE)
endfunction()

# z_tsb_nearest(<out-var> <prefix> <name> <known>...): a question with the nearest of them, all without the prefix, or
# nothing; none without Python.
function(z_tsb_nearest out prefix name)
  string(
    CONCAT close "import difflib, sys; names = {name.lower(): name for name in sys.argv[2:]}; "
           "print(*(names[one] for one in difflib.get_close_matches(sys.argv[1].lower(), names, 1, 0.7)))"
  )
  execute_process(COMMAND python3 -c "${close}" ${name} ${ARGN} OUTPUT_VARIABLE nearest ERROR_QUIET)
  string(STRIP "${nearest}" nearest)
  string(REGEX REPLACE "(.+)" " Did you mean ${prefix}\\1?" nearest "${nearest}")
  set(${out} "${nearest}" PARENT_SCOPE)
endfunction()

# z_tsb_names_of_environment(<out-var>): of what begins with TSB_ and is not empty.
function(z_tsb_names_of_environment out)
  execute_process(COMMAND "${CMAKE_COMMAND}" -E environment OUTPUT_VARIABLE environment)
  string(REGEX MATCHALL "(^|\n)TSB_[A-Za-z0-9_]+=" found "${environment}")
  string(REGEX REPLACE "[\n=]" "" found "${found}")
  set(names "")
  foreach(name IN LISTS found)
    if(NOT "$ENV{${name}}" STREQUAL "")
      list(APPEND names ${name})
    endif()
  endforeach()
  set(${out} "${names}" PARENT_SCOPE)
endfunction()

# z_tsb_variables_of_cmake(<out-var>): CMake's own, for C++ where they have a language.
function(z_tsb_variables_of_cmake out)
  execute_process(COMMAND "${CMAKE_COMMAND}" --help-variable-list OUTPUT_VARIABLE names)
  string(REGEX MATCHALL "CMAKE_[^\n]+" names "${names}")
  list(TRANSFORM names REPLACE "<LANG>" CXX)
  set(${out} "${names}" PARENT_SCOPE)
endfunction()

# z_tsb_names_of_cache(<out-var>): of what begins with TSB_, and of what was given with -D and nothing reads.
function(z_tsb_names_of_cache out)
  get_cmake_property(all CACHE_VARIABLES)
  set(names "")
  set(known "")
  foreach(name IN LISTS all)
    get_property(type CACHE ${name} PROPERTY TYPE)
    if(
      NOT "$CACHE{${name}}" STREQUAL "" AND NOT name MATCHES "^(CPACK|CTEST|TORCHPKG|TSB_DEFAULT)_"
      AND ((name MATCHES "^TSB_" AND NOT type STREQUAL "INTERNAL") OR type STREQUAL "UNINITIALIZED")
    )
      if(name MATCHES "^CMAKE_")
        if(NOT known)
          z_tsb_variables_of_cmake(known)
          list(TRANSFORM known REPLACE "<[^>]*>|CXX|RELEASE" "[A-Za-z0-9_]+")
        endif()
        foreach(pattern IN LISTS known)
          if(name MATCHES "^${pattern}$")
            set(name "")
            break()
          endif()
        endforeach()
      endif()
      list(APPEND names ${name})
    endif()
  endforeach()
  set(${out} "${names}" PARENT_SCOPE)
endfunction()

# z_tsb_refuse_setting(<name> <what is wrong and what to do, or nothing>): adds a line to the caller's `faults`. A -D is
# taken out of the cache, but for what a preset is made of. The property TSB_REFUSED has the names.
function(z_tsb_refuse_setting name fault)
  if(fault STREQUAL "")
    return()
  endif()
  set_property(GLOBAL APPEND PROPERTY TSB_REFUSED "${name}")
  z_tsb_setting_of(setting "${name}")
  z_tsb_setting(of "${setting}")
  if(of_FROM STREQUAL "PRESET")
    set(line "  ${name} ${fault}\n")
  else()
    set(line "  ${name} ${fault}, or unset it\n")
    if(NOT "$CACHE{${name}}" STREQUAL "")
      string(REGEX REPLACE "^  " "  -D " line "${line}")
      unset(${name} CACHE)
    endif()
  endif()
  set(faults "${faults}${line}" PARENT_SCOPE)
endfunction()

# z_tsb_check_names(<-D or nothing> <place> <name>...): of tsb_read_settings(). Adds to its `faults`, or to its `names`.
macro(z_tsb_check_names option place)
  foreach(name IN ITEMS ${ARGN})
    set(fault "")
    z_tsb_setting_of(setting "${name}")
    z_tsb_setting(of "${setting}")
    if(setting STREQUAL "")
      get_property(known GLOBAL PROPERTY TSB_SETTINGS)
      list(FILTER known EXCLUDE REGEX "<|^CMAKE_")
      string(REGEX REPLACE "TSB_" "" known "${known}")
      string(REGEX REPLACE "^[Tt][Ss][Bb]_" "" own "${name}")
      if(name MATCHES "^CMAKE_")
        z_tsb_variables_of_cmake(known)
        z_tsb_nearest(nearest "" "${name}" ${known})
      else()
        z_tsb_nearest(nearest TSB_ "${own}" ${known})
      endif()
      set(fault "there is no such setting.${nearest} ./bootstrap.sh settings lists them")
      if(name MATCHES "^(USE|BUILD)_|^DEBUG$|^REL_WITH_DEB_INFO$|^MAX_JOBS$")
        string(APPEND fault "; PyTorch's own options are given in TSB_PYTORCH_OPTIONS (docs/variants.md#options)")
      endif()
    elseif(of_FROM STREQUAL "ENVIRONMENT" AND NOT "${option}" STREQUAL "")
      set(fault "it is read from the environment, whenever a step runs: export ${name}=...")
    elseif(of_FROM STREQUAL "PRESET" AND "${option}" STREQUAL "")
      set(fault "a preset says it: choose another preset, or unset it")
    endif()
    if(fault)
      string(APPEND faults "  ${option}${name}${place}: ${fault}\n")
      unset(${name} CACHE)
    else()
      list(APPEND names ${name})
    endif()
  endforeach()
endmacro()

# z_tsb_read_setting(<name> <setting>): sets <name> for the caller, adds to its `faults` and `TSB_FROM_ENVIRONMENT`.
function(z_tsb_read_setting name setting)
  z_tsb_setting(of "${setting}")
  set(value "${${name}}")
  if(NOT of_FROM STREQUAL "ENVIRONMENT" AND (name STREQUAL setting OR DEFINED CACHE{${name}}))
    # As text: CMake makes a relative path absolute itself, from where it was started.
    set(${name} "" CACHE STRING "${of_HELP}")
    set_property(CACHE ${name} PROPERTY HELPSTRING "${of_HELP}")
    if(of_TYPE MATCHES "PATH$")
      set_property(CACHE ${name} PROPERTY TYPE ${of_TYPE})
    elseif(of_TYPE STREQUAL "BOOL")
      set(of_VALUES ON OFF) # not as a check box, which knows no third state
    endif()
    if(of_VALUES AND NOT of_TYPE STREQUAL "LIST")
      set_property(CACHE ${name} PROPERTY STRINGS ${of_VALUES})
    endif()
  endif()
  set(given "$ENV{${name}}")
  z_tsb_is_word(is_word ${name})
  if((value STREQUAL "" OR is_word) AND NOT given STREQUAL "" AND NOT of_FROM STREQUAL "PRESET")
    set(value "${given}")
    if(NOT of_FROM STREQUAL "ENVIRONMENT")
      list(APPEND TSB_FROM_ENVIRONMENT ${name})
    endif()
    if(is_word AND NOT "$CACHE{${name}}" STREQUAL "" AND NOT "$CACHE{${name}}" STREQUAL given)
      message(NOTICE "${name} behind bootstrap.sh overrides, in this run, what an earlier -D or your preset says")
    endif()
  elseif(NOT given STREQUAL "" AND NOT given STREQUAL value AND NOT of_FROM STREQUAL "PRESET")
    message(NOTICE "${name} of the environment is ignored: -D or your preset overrides it")
  endif()
  string(REGEX REPLACE "^TSB_" "TSB_DEFAULT_" of_preset ${name})
  foreach(default IN ITEMS "${${of_preset}}" "${of_DEFAULT}")
    if(value STREQUAL "")
      set(value "${default}")
    endif()
  endforeach()
  z_tsb_setting_value(resolved "${setting}" "${value}")
  z_tsb_refuse_setting(${name} "${resolved_FAULT}")
  if(resolved_FAULT)
    list(REMOVE_ITEM TSB_FROM_ENVIRONMENT ${name})
    z_tsb_setting_value(resolved "${setting}" "${of_DEFAULT}")
  endif()
  set(${name} "${resolved}" PARENT_SCOPE)
  set(TSB_FROM_ENVIRONMENT "${TSB_FROM_ENVIRONMENT}" PARENT_SCOPE)
  set(faults "${faults}" PARENT_SCOPE)
endfunction()

# tsb_check_environment(): ends a script of a build if the environment has the name of no setting. Who reads a value
# checks it.
function(tsb_check_environment)
  set(faults "")
  z_tsb_load_settings()
  z_tsb_names_of_environment(names)
  z_tsb_check_names("" ", of the command or the environment" ${names})
  if(faults)
    string(STRIP "${faults}" faults)
    tsb_fail("${faults}")
  endif()
endfunction()

function(tsb_read_settings)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "RESULT_ERROR" "")
  set(faults "")
  set(TSB_FROM_ENVIRONMENT "")
  set_property(GLOBAL PROPERTY TSB_REFUSED "")
  z_tsb_use_kept_settings()
  z_tsb_read_setting(TSB_ADDITIONS TSB_ADDITIONS) # whose backends have settings of their own
  z_tsb_load_settings()
  get_property(names GLOBAL PROPERTY TSB_SETTINGS)
  list(FILTER names EXCLUDE REGEX "<")
  z_tsb_names_of_cache(of_cache)
  z_tsb_names_of_environment(of_environment)
  z_tsb_check_names("-D " "" ${of_cache})
  z_tsb_check_names("" ", of the command or the environment" ${of_environment})
  list(REMOVE_DUPLICATES names)
  list(REMOVE_ITEM names TSB_ADDITIONS)
  foreach(name IN LISTS names)
    z_tsb_setting_of(setting "${name}")
    z_tsb_read_setting(${name} "${setting}")
    set(${name} "${${name}}" PARENT_SCOPE)
  endforeach()
  set(TSB_ADDITIONS "${TSB_ADDITIONS}" PARENT_SCOPE)
  if(NOT "$ENV{SOURCE_DATE_EPOCH}" MATCHES "^[0-9]*$") # CMake's own message names neither value nor remedy
    string(
      APPEND faults "  SOURCE_DATE_EPOCH is '$ENV{SOURCE_DATE_EPOCH}': set it to seconds since 1970, or unset it\n"
    )
  endif()
  z_tsb_name_unset_settings()
  set(TSB_FROM_ENVIRONMENT "${TSB_FROM_ENVIRONMENT}" PARENT_SCOPE)
  set(${arg_RESULT_ERROR} "${faults}" PARENT_SCOPE)
endfunction()
