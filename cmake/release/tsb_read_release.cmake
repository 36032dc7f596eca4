# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_read_release
----------------

Reads what is true of a release of PyTorch: ``releases/<version>/release.json`` (see :command:`tsb_find_data` and
releases/README.md). ::

  tsb_read_release(<result> <version>)

``<result>`` is set to the JSON text, or to nothing when there is no such release here. Errors: those of
:command:`tsb_read_data`.
#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../data/tsb_find_data.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../data/tsb_read_data.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../detail/z_tsb_json.cmake)

function(tsb_read_release result version)
  set(facts "")
  tsb_find_data(file "releases/${version}/release.json")
  if(file)
    tsb_read_data(
      facts "${file}" IN_LISTS STRING cxx_standard libtorch_zip version? triton? ARRAY pythons python_targets? sources?
      OBJECT backends BOOLEAN ready?
    )
    z_tsb_json_members(kinds "${facts}" backends)
    list(TRANSFORM kinds PREPEND "backends.")
    z_tsb_check_members("${facts}" "${file}" OBJECT ${kinds})
  endif()
  set(${result} "${facts}" PARENT_SCOPE)
endfunction()
