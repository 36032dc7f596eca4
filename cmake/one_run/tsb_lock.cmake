# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_lock
--------

Keep two runs from working in one build folder at once, and make what configure starts part of this one
(``engine/one_run/lock.py`` says how). ::

  tsb_lock(<error-var> <folder>)

The variable is set to the message when another run holds the build folder, else to an empty string. A
``message(FATAL_ERROR)`` with this text in a ``CMakeLists.txt`` shows it without the functions' frames. The cache is
then that of the other run again: its later steps would read what this command has changed.

Called when configuring; ``engine/one_run/run.py`` does it later on. Nothing is locked where there is no ``/proc``, or
no Python, which the doctor then reports.
#]]
include_guard(GLOBAL)
cmake_policy(VERSION 3.25)

# z_tsb_restore_cache(<folder>): what CMakeCache.txt says, which CMake writes only after a configure.
function(z_tsb_restore_cache folder)
  get_cmake_property(given CACHE_VARIABLES)
  file(STRINGS "${folder}/CMakeCache.txt" lines REGEX "^[A-Za-z0-9_.+/-]+:[A-Z]+=")
  file(READ "${folder}/CMakeCache.txt" text)
  list(FILTER lines EXCLUDE REGEX "^[^:]+:(INTERNAL|STATIC)=")
  list(TRANSFORM lines REPLACE "=.*" "")
  list(TRANSFORM lines REPLACE ":.*" "" OUTPUT_VARIABLE names)
  load_cache("${folder}" READ_WITH_PREFIX old_ ${names})
  foreach(name line IN ZIP_LISTS names lines)
    get_property(help CACHE ${name} PROPERTY HELPSTRING)
    if(NOT DEFINED CACHE{${name}} OR NOT "$CACHE{${name}}" STREQUAL "${old_${name}}" OR help MATCHES "^No help")
      string(REGEX REPLACE ".*:" "" type "${line}")
      string(REGEX MATCH "//(([^\n]|\n//)*)\n${name}:" ignored "${text}")
      string(REPLACE "\n//" "" help "${CMAKE_MATCH_1}")
      set(${name} "${old_${name}}" CACHE ${type} "${help}" FORCE)
    endif()
  endforeach()
  list(REMOVE_ITEM given ${names})
  foreach(name IN LISTS given)
    get_property(type CACHE ${name} PROPERTY TYPE)
    if(NOT type MATCHES "INTERNAL|STATIC")
      unset(${name} CACHE)
    endif()
  endforeach()
endfunction()

function(tsb_lock result folder)
  file(MAKE_DIRECTORY "${folder}")
  set(error "")
  # Any Python will do, and the system's starts faster than a wrapper such as pyenv's, which PATH may find first.
  file(GLOB pythons /usr/bin/python3 /usr/bin/python3.*[0-9])
  foreach(python IN LISTS TSB_PYTHON pythons ITEMS python3)
    execute_process(
      COMMAND "${python}" -I -S -B -X utf8 "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../engine/__main__.py" --keep
              one_run.lock "${folder}"
      OUTPUT_VARIABLE said
      RESULT_VARIABLE status
      ERROR_VARIABLE fault
      OUTPUT_STRIP_TRAILING_WHITESPACE
    )
    if(status EQUAL 0)
      set(ENV{TORCH_SUPERBUILD_RUN} "${said}")
      break()
    elseif(said MATCHES "^another run")
      string(REPLACE "\n" "\n  " error "  ${said}")
      if(EXISTS "${folder}/CMakeCache.txt")
        z_tsb_restore_cache("${folder}")
      endif()
      break()
    endif()
  endforeach()
  if(fault AND NOT status EQUAL 0)
    string(REGEX REPLACE "^.*\n(.)" "\\1" fault "\n${fault}")
    message(NOTICE "${folder} cannot be locked against another run: ${fault}")
  endif()
  set(${result} "${error}" PARENT_SCOPE)
endfunction()
