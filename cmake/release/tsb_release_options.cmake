# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_release_options
-------------------

Reads which options a release of PyTorch is built with, from ``options.json`` in ``TSB_RELEASE_FOLDER``. ::

  tsb_release_options(<result> pytorch|pytorch-py)

``<result>`` is set to ``<option>=<value>`` of each that holds for the package and the backend; of two with the same
name, options or features, the one with ``backend``.

``tsb_declare_release_features(<package>)`` declares the release's features (:command:`tsb_declare_feature`) for a
package.

Errors: those of :command:`tsb_read_data`; an unknown backend or package; an option or a feature that is there twice.
#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../data/tsb_list_data.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../data/tsb_read_data.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../detail/z_tsb_json.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../package/tsb_declare_feature.cmake)

# z_tsb_entries_that_hold(<result> <array> <package> <member that names one> <other members>): the indices of the
# entries for this package and backend, those of the backend last and instead of others with their names. Sets json to
# what was read.
function(z_tsb_entries_that_hold result array package name)
  set(file "${TSB_RELEASE_FOLDER}/options.json")
  tsb_read_data(json "${file}" ARRAY options features)
  z_tsb_json_take(TSB_BACKEND_FACTS kind)
  tsb_list_data(backends backends)
  set(packages pytorch pytorch-py)
  foreach(list IN ITEMS general own general_keys own_keys)
    set(${list} "")
  endforeach()
  set(index 0)
  string(JSON count LENGTH "${json}" ${array})
  while(index LESS count)
    string(JSON entry GET "${json}" ${array} ${index})
    z_tsb_check_members("${entry}" "${file}: '${array}' ${index}" STRING ${name} backend? package? ${ARGN})
    z_tsb_json_get(key "${entry}" ${name})
    foreach(member IN ITEMS backend package)
      z_tsb_json_get(of_${member} "${entry}" ${member})
      if(NOT of_${member} STREQUAL "" AND NOT of_${member} IN_LIST ${member}s)
        list(JOIN ${member}s ", " known)
        message(FATAL_ERROR "  ${file}: '${key}' is for the ${member} '${of_${member}}'\n  there are: ${known}")
      endif()
    endforeach()
    set(holds general)
    if(of_backend)
      set(holds own)
    endif()
    if("${of_backend}" MATCHES "^(${kind})?$" AND "${of_package}" MATCHES "^(${package})?$")
      if(key IN_LIST ${holds}_keys)
        message(FATAL_ERROR "  ${file}: '${key}' is twice in '${array}' for ${package}\n  remove one")
      endif()
      list(APPEND ${holds}_keys "${key}")
      list(APPEND ${holds} ${index})
    endif()
    math(EXPR index "${index} + 1")
  endwhile()
  set(indices "")
  foreach(index key IN ZIP_LISTS general general_keys)
    if(NOT key IN_LIST own_keys)
      list(APPEND indices ${index})
    endif()
  endforeach()
  set(json "${json}" PARENT_SCOPE)
  set(${result} ${indices} ${own} PARENT_SCOPE)
endfunction()

function(tsb_release_options result package)
  z_tsb_entries_that_hold(indices options ${package} option value)
  set(options "")
  foreach(index IN LISTS indices)
    string(JSON option GET "${json}" options ${index} option)
    string(JSON value GET "${json}" options ${index} value)
    list(APPEND options "${option}=${value}")
  endforeach()
  set(${result} "${options}" PARENT_SCOPE)
endfunction()

function(tsb_declare_release_features package)
  z_tsb_entries_that_hold(indices features ${package} feature option off? ARRAY packages?)
  foreach(index IN LISTS indices)
    string(JSON feature GET "${json}" features ${index})
    string(JSON name GET "${feature}" feature)
    string(JSON option GET "${feature}" option)
    z_tsb_json_get(off "${feature}" off)
    z_tsb_json_get_list(packages "${feature}" packages)
    if(NOT off STREQUAL "") # CMake 3.31 and newer warn about a keyword with an empty value
      string(REPLACE ";" "\\;" off "${off}")
      set(off OFF "${off}")
    endif()
    tsb_declare_feature(${package} ${name} ${off} OPTION ${option} PACKAGES ${packages})
  endforeach()
endfunction()
