# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_read_release
----------------

Reads what is true of a release of PyTorch: ``releases/<version>/release.json`` (see :command:`tsb_find_data`). ::

  tsb_read_release(<result> <version>)

``<result>`` is set to the JSON text, or to nothing when there is no such release here. docs/architecture.md has its
members. Error: a ``;`` in it, since such values are passed on in lists.
#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../data/tsb_find_data.cmake)

function(tsb_read_release result version)
  set(facts "")
  tsb_find_data(file "releases/${version}/release.json")
  if(file)
    file(READ "${file}" facts)
    if(facts MATCHES ";")
      message(
        FATAL_ERROR "  ${file} holds a ';', which ends an element of a list of CMake's\n  write lists as JSON arrays"
      )
    endif()
  endif()
  set(${result} "${facts}" PARENT_SCOPE)
endfunction()
