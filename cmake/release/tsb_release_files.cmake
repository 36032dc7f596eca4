# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_release_files
-----------------

Finds files of the release. ::

  tsb_release_files(<result> <pattern>) # pytorch/unity_*.txt

``<result>`` is a list of paths: of each name the release's own file, or else that of the release that it inherits from.
Configure depends on the folders that they are looked for in. Reads the record ``model`` (:command:`tsb_load_model`).
#]]
include_guard(GLOBAL)

function(tsb_release_files result pattern)
  set(names "")
  set(files "")
  foreach(folder IN LISTS model_lineage)
    get_filename_component(place "${folder}/${pattern}" DIRECTORY)
    if(EXISTS "${place}")
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${place}")
    endif()
    file(GLOB found RELATIVE "${folder}" "${folder}/${pattern}")
    list(REMOVE_ITEM found "" ${names})
    list(APPEND names ${found})
    list(TRANSFORM found PREPEND "${folder}/")
    list(APPEND files ${found})
  endforeach()
  set(${result} "${files}" PARENT_SCOPE)
endfunction()
