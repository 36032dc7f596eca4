# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
unity_groups
------------

Makes PyTorch's own build compile several sources as one unit (``UNITY_BUILD``, mode ``GROUP``): most of a
libtorch source's compile time goes into headers that its neighbours parse as well. The same holds for the C++
trees below ``third_party`` that are built with it (oneDNN, ONNX, TensorPipe, Kineto, Gloo).

Runs inside PyTorch's project, through ``CMAKE_PROJECT_TOP_LEVEL_INCLUDES`` or ``CMAKE_PROJECT_Torch_INCLUDE``::

  -D CMAKE_PROJECT_TOP_LEVEL_INCLUDES=.../superbuild/pytorch/unity_groups.cmake

and waits until all of PyTorch's targets are defined. Which sources share a unit stands in the
``unity_groups.txt`` of the release, for which it was proven, by ``tools/unity/find_groups.py``, that

- the units compile, with the features of the default CPU build on, and with them off;
- no macro or ``#undef`` of a source is seen by a later one, or by a header that the later one reads;
- every function of every source, compiled without optimisation, has the same bytes and refers to the same
  names as when its source is compiled alone.

The list is an allow-list: a source that is not on it is compiled alone, one that does not exist or is not part
of the target with these features is skipped, and so is one whose content is not what was proven (a patch, a
tree under development). Headers count as well: the list has their digest for PyTorch and for each third-party
project, and where a project's headers are others, all its sources are compiled alone. (oneDNN 3.5.3 has sources of
3.7.2 that share no unit with its own headers.) Without a list nothing is grouped. ``unity_exclude.txt``
names sources that are left out in spite of the list; its first word per line is the path.

``TSB_INPUTS``
  Has the paths of those two files: the package's ``INPUTS``.

``TSB_UNITY``
  ``OFF`` turns grouping off.

``TSB_UNITY_TRIAL``
  ``ON`` groups the sources that are not what was proven as well, as with the list of the nearest release. The units may
  not compile, or mean something else. The runner names a source that does not compile in one, and the line for
  ``unity_exclude.txt``.

Other compilers than GCC have not been tried and get no groups; for a processor the target says whether the groups hold
(``superbuild/pytorch/build_settings.cmake``). Nothing here is an error: the outcome is one status line.
#]]

include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_unity_headers.cmake")

function(z_tsb_unity_say text)
  message(STATUS "unity groups: ${text}")
endfunction()

# Sets <out> to the absolute paths of the sources of a target.
function(z_tsb_unity_sources target out)
  get_target_property(sources ${target} SOURCES)
  get_target_property(dir ${target} SOURCE_DIR)
  list(FILTER sources EXCLUDE REGEX "\\$<")
  set(found "")
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${dir}" NORMALIZE)
    list(APPEND found "${source}")
  endforeach()
  set(${out} "${found}" PARENT_SCOPE)
endfunction()

# Adds a project of the list to `projects`, and to `other_headers` when its headers are not the proven ones. PyTorch
# itself is ".".
macro(z_tsb_unity_project digest project folders)
  list(APPEND projects "${project}")
  separate_arguments(z_tsb_folders UNIX_COMMAND "${folders}")
  z_tsb_unity_headers(z_tsb_found "${CMAKE_SOURCE_DIR}" ${z_tsb_folders})
  if(NOT z_tsb_found STREQUAL "${digest}")
    list(APPEND other_headers "${project}")
  endif()
endmacro()

# The project of `projects` that a source belongs to; none when the list says nothing of PyTorch.
function(z_tsb_unity_project_of out path projects)
  set(found "")
  foreach(project IN LISTS projects)
    string(FIND "${path}" "${project}/" position)
    if(position EQUAL 0 OR (project STREQUAL "." AND found STREQUAL ""))
      set(found "${project}")
    endif()
  endforeach()
  set(${out} "${found}" PARENT_SCOPE)
endfunction()

# Marks the members of one group. A single one stays as it is: a unit of one file gains nothing.
function(z_tsb_unity_group target group members)
  list(LENGTH members count)
  if(count LESS 2)
    return()
  endif()
  foreach(member IN LISTS members)
    # PyTorch sets this on ATen's core sources; all it does is to make a wrong #include an error.
    # CMake leaves a source with any compile definition of its own out of every unit.
    get_source_file_property(definitions "${member}" TARGET_DIRECTORY ${target} COMPILE_DEFINITIONS)
    if(definitions STREQUAL "TORCH_ASSERT_ONLY_METHOD_OPERATORS")
      set_property(SOURCE "${member}" TARGET_DIRECTORY ${target} PROPERTY COMPILE_DEFINITIONS)
    endif()
    set_property(SOURCE "${member}" TARGET_DIRECTORY ${target} PROPERTY UNITY_GROUP "${group}")
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_property(done GLOBAL PROPERTY Z_TSB_UNITY_SOURCES)
  math(EXPR done "${done} + ${count}")
  set_property(GLOBAL PROPERTY Z_TSB_UNITY_SOURCES ${done})
  get_property(units GLOBAL PROPERTY Z_TSB_UNITY_UNITS)
  math(EXPR units "${units} + 1")
  set_property(GLOBAL PROPERTY Z_TSB_UNITY_UNITS ${units})
endfunction()

function(z_tsb_unity_apply)
  if(DEFINED TSB_UNITY AND NOT TSB_UNITY)
    z_tsb_unity_say("off (TSB_UNITY)")
    return()
  endif()
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    z_tsb_unity_say("none, they were proven with GCC only")
    return()
  endif()
  set(list ${TSB_INPUTS})
  list(FILTER list INCLUDE REGEX "/unity_groups[.]txt$")
  if(NOT list)
    z_tsb_unity_say("none are known for this release, every source is compiled alone")
    return()
  endif()
  set(exclude_file ${TSB_INPUTS})
  list(FILTER exclude_file INCLUDE REGEX "/unity_exclude[.]txt$")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list} ${exclude_file})
  set(excluded "")
  if(exclude_file)
    file(STRINGS "${exclude_file}" excluded REGEX "^[^#]")
    list(TRANSFORM excluded REPLACE " .*" "")
  endif()

  set_property(GLOBAL PROPERTY Z_TSB_UNITY_SOURCES 0)
  set_property(GLOBAL PROPERTY Z_TSB_UNITY_UNITS 0)
  set(target "")
  set(group "")
  set(members "")
  set(changed 0)
  set(projects "")
  set(other_headers "")
  file(STRINGS "${list}" lines REGEX "^[^#]")
  foreach(line IN LISTS lines)
    if(line MATCHES "^% ([^ ]+) ([^ ]+) (.+)$")
      z_tsb_unity_project("${CMAKE_MATCH_1}" "${CMAKE_MATCH_2}" "${CMAKE_MATCH_3}")
    elseif(line MATCHES "^@ ([^ ]+) ([^ ]+)$")
      set(next_target "${CMAKE_MATCH_1}")
      set(next_group "${CMAKE_MATCH_2}")
      z_tsb_unity_group("${target}" "${group}" "${members}")
      set(group "${next_group}")
      set(members "")
      if(NOT target STREQUAL next_target)
        set(target "${next_target}")
        set(sources "")
        if(TARGET ${target})
          z_tsb_unity_sources(${target} sources)
        endif()
      endif()
    elseif(line MATCHES "^([0-9a-f]+) (.+)$")
      set(proven "${CMAKE_MATCH_1}")
      set(path "${CMAKE_MATCH_2}")
      if(
        "${CMAKE_SOURCE_DIR}/${path}" IN_LIST sources AND NOT path IN_LIST excluded AND EXISTS
                                                                                        "${CMAKE_SOURCE_DIR}/${path}"
      )
        file(SHA256 "${CMAKE_SOURCE_DIR}/${path}" digest)
        string(SUBSTRING "${digest}" 0 12 digest)
        z_tsb_unity_project_of(project "${path}" "${projects}")
        set(is_proven TRUE)
        if(NOT digest STREQUAL proven OR NOT project OR project IN_LIST other_headers)
          set(is_proven FALSE)
          math(EXPR changed "${changed} + 1")
        endif()
        if(is_proven OR TSB_UNITY_TRIAL)
          list(APPEND members "${CMAKE_SOURCE_DIR}/${path}")
        endif()
      endif()
    endif()
  endforeach()
  z_tsb_unity_group("${target}" "${group}" "${members}")

  get_property(done GLOBAL PROPERTY Z_TSB_UNITY_SOURCES)
  get_property(units GLOBAL PROPERTY Z_TSB_UNITY_UNITS)
  set(note "")
  if(changed AND TSB_UNITY_TRIAL)
    set(note ", ${changed} changed sources by trial")
  elseif(changed)
    set(note ", ${changed} changed sources stay alone")
  endif()
  if(other_headers)
    list(TRANSFORM other_headers REPLACE "^[.]$" "PyTorch")
    list(JOIN other_headers ", " names)
    string(APPEND note " (other headers than the proven ones: ${names})")
  endif()
  z_tsb_unity_say("${done} sources in ${units} units${note}")
endfunction()

# Once: TOP_LEVEL_INCLUDES and a second project(Torch) must not ask for it twice.
get_property(z_tsb_unity_asked GLOBAL PROPERTY Z_TSB_UNITY_ASKED)
if(NOT z_tsb_unity_asked)
  set_property(GLOBAL PROPERTY Z_TSB_UNITY_ASKED TRUE)
  cmake_language(DEFER DIRECTORY "${CMAKE_SOURCE_DIR}" CALL z_tsb_unity_apply)
endif()
unset(z_tsb_unity_asked)
