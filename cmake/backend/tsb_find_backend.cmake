# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_find_backend
----------------

Finds the backend of a name. ::

  tsb_find_backend(<result> <name> [<PyTorch's version>])

``<result>``
  Set to an object of :command:`tsb_list_backends`, or to nothing when there is none of this name.
``<result>_RELEASE``
  The release of PyTorch that it is of: the one that was asked for, else the newest here that is built for it.
``<result>_NAMES``
  Without a backend the names that there are, in words.
#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../data/tsb_list_data.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../release/tsb_read_release.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/tsb_list_backends.cmake)

function(tsb_find_backend result name)
  set(releases ${ARGN})
  if(NOT releases)
    tsb_list_data(releases releases)
  endif()
  set(names "")
  foreach(version IN LISTS releases)
    tsb_read_release(release "${version}")
    tsb_list_backends(backends "${release}")
    foreach(backend IN LISTS backends)
      z_tsb_json_get(its_name "${backend}" name)
      if(its_name STREQUAL name)
        set(${result} "${backend}" PARENT_SCOPE)
        set(${result}_RELEASE ${version} PARENT_SCOPE)
        return()
      endif()
      list(APPEND names ${its_name})
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES names)
  list(JOIN names ", " names)
  set(${result} "" PARENT_SCOPE)
  set(${result}_RELEASE "" PARENT_SCOPE)
  set(${result}_NAMES "${names}" PARENT_SCOPE)
endfunction()
