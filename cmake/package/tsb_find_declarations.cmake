# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_find_declarations
---------------------

Finds the package declarations: those of ``TSB_SUPERBUILD_DIR`` and of the backend, ``backends/<folder>/packages``. One
of the same name in ``superbuild`` or ``backends/<folder>/packages`` of ``TSB_ADDITIONS`` takes the place of one of
these, and a line says so (see :command:`tsb_find_data`). ::

  tsb_find_declarations(<result>)
#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../data/tsb_find_data.cmake)

function(tsb_find_declarations result)
  z_tsb_data_folders(data_folders)
  get_filename_component(project "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../.." ABSOLUTE)
  set(folders "")
  foreach(data_folder IN LISTS data_folders)
    if(NOT backend_prebuilt AND data_folder STREQUAL project)
      list(APPEND folders "${TSB_SUPERBUILD_DIR}")
    elseif(NOT backend_prebuilt)
      list(APPEND folders "${data_folder}/superbuild")
    endif()
  endforeach()
  foreach(data_folder IN LISTS data_folders)
    list(APPEND folders "${data_folder}/backends/${backend_folder}/packages")
  endforeach()
  set(names "")
  set(files "")
  foreach(folder IN LISTS folders)
    file(GLOB found RELATIVE "${folder}" CONFIGURE_DEPENDS "${folder}/*.cmake")
    foreach(name IN LISTS found)
      if(NOT name IN_LIST names)
        list(APPEND names "${name}")
        list(APPEND files "${folder}/${name}")
      else()
        list(FIND names "${name}" index)
        list(GET files ${index} file)
        message(NOTICE "${file} is taken instead of ${folder}/${name}")
      endif()
    endforeach()
  endforeach()
  set(${result} "${files}" PARENT_SCOPE)
endfunction()
