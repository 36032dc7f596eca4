# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
z_tsb_check_found
-----------------

The second half of isolation, after a package's CMake has run. ``find_package()`` is answered before it finds anything
(``tsb_isolate_package``); ``find_library()``, ``find_path()``, ``find_file()``, ``pkg_check_modules()`` and a plain
``-lfoo`` are not stood in for. Here the outcome is looked at, and what the package took from this machine without
declaring it is an error: another machine does not have it, or has another one.

.. code-block:: cmake

  z_tsb_check_found(<folder of the package> <folder> ...) # the record `package` is read

Looks at ``build/CMakeCache.txt`` (what was found) and ``build/build.ninja`` (what is linked, however it was found).
The ``<folder>`` arguments are the install trees of the packages that it depends on. Allowed are:

* what lies in the package's own folder or in one of those;
* a variable that the declaration lists under SYSTEM, or that begins with a name listed there and ``_``, as the
  variables of a find module do: ``SYSTEM OpenMP`` allows ``OpenMP_libomp_LIBRARY``;
* a variable that the declaration sets under OPTIONS: ``OPTIONS LIBGMP=`` makes ``find_library(LIBGMP ...)`` find
  nothing;
* the libraries of the C library and of the compiler (``libm``, ``libdl``, ``librt``, ``libpthread``, ``libstdc++``,
  ...): the compiler links them, and it is an input itself;
* programs (``git``, ``python3``, ``ar``): tools that the build runs, no part of what is built.

A variable named ``CMAKE_...`` is CMake's. What is not seen: headers of the machine's to which no variable of the cache
leads, such as one that ``check_include_file()`` or ``__has_include`` found.

Errors: for each one, which file was found for which variable, or what is linked, and what to do.
#]]
include_guard(GLOBAL)

set(
  Z_TSB_RUNTIME_LIBRARIES c m mvec dl rt pthread util gcc gcc_s stdc++ atomic
                          atomic_asneeded # gcc 16's own way to link it
)

# z_tsb_runtime_library(<out-var> <path>): is it one of the C library's or the compiler's?
function(z_tsb_runtime_library out file)
  set(${out} FALSE PARENT_SCOPE)
  get_filename_component(file_name "${file}" NAME)
  if(file_name MATCHES "^lib(.+)\\.(so|a)(\\.[0-9.]+)?$" AND CMAKE_MATCH_1 IN_LIST Z_TSB_RUNTIME_LIBRARIES)
    set(${out} TRUE PARENT_SCOPE)
  endif()
endfunction()

# z_tsb_within(<out-var> <path> <folder>...): also when one of the two leads through a link.
function(z_tsb_within out path)
  set(${out} FALSE PARENT_SCOPE)
  file(REAL_PATH "${path}" real_path)
  foreach(folder IN LISTS ARGN)
    file(REAL_PATH "${folder}" real_folder)
    cmake_path(IS_PREFIX folder "${path}" NORMALIZE inside)
    cmake_path(IS_PREFIX real_folder "${real_path}" NORMALIZE really_inside)
    if(inside OR really_inside)
      set(${out} TRUE PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

# z_tsb_declared_variable(<out-var> <variable>)
function(z_tsb_declared_variable out variable)
  set(${out} FALSE PARENT_SCOPE)
  string(TOLOWER "${variable}_" lower)
  foreach(name IN LISTS package_system)
    string(TOLOWER "${name}_" name)
    string(FIND "${lower}" "${name}" position)
    if(position EQUAL 0)
      set(${out} TRUE PARENT_SCOPE)
    endif()
  endforeach()
  foreach(pair IN LISTS package_options)
    if(pair MATCHES "^([^=:]+)[=:]" AND CMAKE_MATCH_1 STREQUAL variable)
      set(${out} TRUE PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

# z_tsb_program(<out-var> <path>): is it something to run? Some systems' shared libraries are executable as well.
function(z_tsb_program out file)
  set(${out} FALSE PARENT_SCOPE)
  if(NOT file MATCHES "\\.(so|a)(\\.[0-9.]+)?$" AND NOT IS_DIRECTORY "${file}")
    execute_process(COMMAND test -x "${file}" RESULT_VARIABLE code)
    if(code EQUAL 0)
      set(${out} TRUE PARENT_SCOPE)
    endif()
  endif()
endfunction()

# Entries of the cache as find_library() and its like write them. Adds to `errors`, and to `known` the files of this
# machine about which nothing more is to be said.
function(z_tsb_check_cache cache)
  file(STRINGS "${cache}" lines REGEX "^[A-Za-z_][^:=]*:(FILEPATH|PATH)=/")
  foreach(line IN LISTS lines)
    string(REGEX MATCH "^([^:=]+):(FILEPATH|PATH)=(.*)$" ignored "${line}")
    set(variable "${CMAKE_MATCH_1}")
    set(value "${CMAKE_MATCH_3}")
    if(variable MATCHES "^CMAKE_" OR NOT EXISTS "${value}")
      continue()
    endif()
    z_tsb_within(inside "${value}" ${ARGN})
    z_tsb_runtime_library(runtime "${value}")
    if(inside OR runtime)
      continue()
    endif()
    z_tsb_declared_variable(is_declared ${variable})
    if(is_declared)
      list(APPEND known "${value}")
      continue()
    endif()
    z_tsb_program(program "${value}")
    if(program)
      continue()
    endif()
    list(APPEND known "${value}")
    list(
      APPEND errors "package ${package_name} found ${value} of this machine for ${variable}, which it does not declare"
      "add 'SYSTEM ${variable}' to ${package_declared_in} if it may use it, 'OPTIONS ${variable}=' if it must find none"
    )
  endforeach()
  set(errors "${errors}" PARENT_SCOPE)
  set(known "${known}" PARENT_SCOPE)
endfunction()

# What the linker is given, in whatever way it was found. Adds to `errors`.
function(z_tsb_check_links ninja_file)
  execute_process(COMMAND grep -sE "^ *LINK_LIBRARIES = " "${ninja_file}" OUTPUT_VARIABLE text RESULT_VARIABLE code)
  if(code GREATER 1) # 1: nothing is linked
    tsb_fail("what package ${package_name} links cannot be read from ${ninja_file}" "run the same command again")
  endif()
  string(REPLACE ";" "," text "${text}")
  string(REGEX REPLACE "(^|\n) *LINK_LIBRARIES = " " " text "${text}")
  string(REPLACE "$$" "$" text "${text}")
  separate_arguments(words UNIX_COMMAND "${text}")
  list(REMOVE_DUPLICATES words)
  foreach(word IN LISTS words)
    if(word MATCHES "^-l:?(.+)$")
      set(library "${CMAKE_MATCH_1}")
      # CMake links a shared library without a name of its own (SONAME) in this way, too, and what nvcc links by itself
      # (-lcudart_static).
      set(files "")
      foreach(folder IN LISTS ARGN)
        foreach(kind IN ITEMS so a)
          list(APPEND files "${folder}/lib/lib${library}.${kind}" "${folder}/lib64/lib${library}.${kind}")
        endforeach()
      endforeach()
      set(inside FALSE)
      foreach(file IN LISTS files)
        if(EXISTS "${file}")
          set(inside TRUE)
        endif()
      endforeach()
      if(inside OR library IN_LIST Z_TSB_RUNTIME_LIBRARIES)
        continue()
      endif()
    elseif(IS_ABSOLUTE "${word}")
      z_tsb_within(inside "${word}" ${ARGN})
      z_tsb_runtime_library(runtime "${word}")
      if(inside OR runtime OR word IN_LIST known)
        continue()
      endif()
      get_filename_component(library "${word}" NAME)
      string(REGEX REPLACE "^lib(.+)\\.(so|a)(\\.[0-9.]+)?$" "\\1" library "${library}")
    else()
      continue()
    endif()
    if(NOT library IN_LIST package_system)
      list(
        APPEND errors "package ${package_name} links ${word} of this machine, which it does not declare"
        "add 'SYSTEM ${library}' to ${package_declared_in} if it may use it, or switch off the option that asks for it"
      )
    endif()
  endforeach()
  set(errors "${errors}" PARENT_SCOPE)
endfunction()

function(z_tsb_check_found folder)
  set(errors "")
  set(known "")
  z_tsb_check_cache("${folder}/build/CMakeCache.txt" "${folder}" ${ARGN})
  z_tsb_check_links("${folder}/build/build.ninja" "${folder}" ${ARGN})
  list(LENGTH errors count)
  while(count GREATER 2)
    list(POP_FRONT errors what remedy)
    message(NOTICE "error: ${what}\n       ${remedy}")
    list(LENGTH errors count)
  endwhile()
  if(errors)
    list(POP_FRONT errors what remedy)
    tsb_fail("${what}" "${remedy}")
  endif()
endfunction()
