# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_source_version
------------------

The version of the PyTorch that is built. ::

  tsb_source_version(<result> <error>)

That is ``TSB_PYTORCH_VERSION``, the release whose folder is used, or what a folder in ``TSB_LOCAL_pytorch`` has
in ``version.txt``. Upstream's branch of a release, 9.9.0, says ``9.9.0a0`` also at its tag, so that counts as 9.9.0.

``<error>`` is set to a message if the folder asks for a newer CMake, else to an empty string.
#]]
include_guard(GLOBAL)

function(tsb_source_version result error)
  set(${result} "${TSB_PYTORCH_VERSION}" PARENT_SCOPE)
  set(${error} "" PARENT_SCOPE)
  set(folder "${TSB_LOCAL_pytorch}")
  if(folder STREQUAL "" OR TSB_PYTORCH_VERSION STREQUAL "")
    return()
  endif()
  file(STRINGS "${folder}/CMakeLists.txt" line REGEX "^ *cmake_minimum_required" LIMIT_COUNT 1)
  if(line MATCHES "VERSION +([0-9.]+)" AND CMAKE_MATCH_1 VERSION_GREATER CMAKE_VERSION)
    set(what "  the PyTorch in ${folder} needs CMake ${CMAKE_MATCH_1}, and this is CMake ${CMAKE_VERSION}")
    set(${error} "${what}\n  put a newer one first into PATH: pip install 'cmake>=${CMAKE_MATCH_1}'" PARENT_SCOPE)
  endif()
  if(EXISTS "${folder}/version.txt")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${folder}/version.txt")
    file(STRINGS "${folder}/version.txt" version LIMIT_COUNT 1)
    string(REGEX MATCH "^[0-9]+[.][0-9]+[0-9a-z.]*" version "${version}")
    if(version AND NOT version STREQUAL "${TSB_PYTORCH_VERSION}a0")
      set(${result} "${version}" PARENT_SCOPE)
    endif()
  endif()
endfunction()
