# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_list_data
-------------

Lists what is in a folder of data, the additions of ``TSB_ADDITIONS`` included (see :command:`tsb_find_data`). ::

  tsb_list_data(<result> <folder>) # releases

``<result>`` is set to the names in the folder, the highest version first.
#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/tsb_find_data.cmake)

function(tsb_list_data result path)
  set(names "")
  z_tsb_data_folders(folders)
  foreach(folder IN LISTS folders)
    file(GLOB found RELATIVE "${folder}/${path}" "${folder}/${path}/*")
    list(APPEND names ${found})
  endforeach()
  list(REMOVE_DUPLICATES names)
  list(SORT names COMPARE NATURAL ORDER DESCENDING)
  set(${result} "${names}" PARENT_SCOPE)
endfunction()
