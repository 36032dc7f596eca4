# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_find_data
-------------

Finds a file or folder of data that is added by its name alone, such as a release of PyTorch. ::

  tsb_find_data(<result> <path>) # releases/9.9.0

``<result>`` is set to its absolute path: below the folder ``TSB_ADDITIONS`` when it is there, else
below the project's own folder or one of its ``additions/``; empty when it is in none.
#]]
include_guard(GLOBAL)

# z_tsb_data_folders(<result>): where data is looked for, in this order.
function(z_tsb_data_folders result)
  get_filename_component(project "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../.." ABSOLUTE)
  file(GLOB own "${project}/additions/*")
  set(folders "${project}" ${own})
  if(TSB_ADDITIONS)
    list(PREPEND folders "${TSB_ADDITIONS}")
  endif()
  set(${result} "${folders}" PARENT_SCOPE)
endfunction()

function(tsb_find_data result path)
  set(${result} "" PARENT_SCOPE)
  z_tsb_data_folders(folders)
  foreach(folder IN LISTS folders)
    if(EXISTS "${folder}/${path}")
      set(${result} "${folder}/${path}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()
