# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_release_options
-------------------

Reads which options a release of PyTorch is built with, from ``options.json`` in ``TSB_RELEASE_FOLDER``. ::

  tsb_release_options(<result> pytorch|pytorch-py)

``<result>`` is set to ``<option>=<value>`` of each that holds for the package and the backend; an entry with
``backend`` goes before one without.

``tsb_declare_release_features(<package>)`` declares the release's features (:command:`tsb_declare_feature`) for a package.
#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../data/tsb_read_data.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../detail/z_tsb_json.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../package/tsb_declare_feature.cmake)

# z_tsb_entries_that_hold(<result> <json> <array> <package> <member>...): the indices of the entries for this package and
# backend, those of the backend last. Error: one has no text of that member.
function(z_tsb_entries_that_hold result json array package)
  z_tsb_json_take(TSB_BACKEND_FACTS kind)
  set(general "")
  set(own "")
  set(index 0)
  string(JSON count LENGTH "${json}" ${array})
  while(index LESS count)
    foreach(member IN LISTS ARGN)
      string(JSON type ERROR_VARIABLE absent TYPE "${json}" ${array} ${index} ${member})
      if(NOT type STREQUAL "STRING")
        message(
          FATAL_ERROR "  ${TSB_RELEASE_FOLDER}/options.json: '${array}' ${index} has no text '${member}'\n  add it"
        )
      endif()
    endforeach()
    z_tsb_json_get(of_backend "${json}" ${array} ${index} backend)
    z_tsb_json_get(of_package "${json}" ${array} ${index} package)
    if("${of_package}" MATCHES "^(${package})?$")
      if(of_backend STREQUAL "")
        list(APPEND general ${index})
      elseif(of_backend STREQUAL kind)
        list(APPEND own ${index})
      endif()
    endif()
    math(EXPR index "${index} + 1")
  endwhile()
  set(${result} ${general} ${own} PARENT_SCOPE)
endfunction()

function(tsb_release_options result package)
  tsb_read_data(json "${TSB_RELEASE_FOLDER}/options.json" ARRAY options features)
  z_tsb_entries_that_hold(indices "${json}" options ${package} option value)
  set(options "")
  foreach(index IN LISTS indices)
    string(JSON option GET "${json}" options ${index} option)
    string(JSON value GET "${json}" options ${index} value)
    list(FILTER options EXCLUDE REGEX "^${option}=")
    list(APPEND options "${option}=${value}")
  endforeach()
  set(${result} "${options}" PARENT_SCOPE)
endfunction()

function(tsb_declare_release_features package)
  tsb_read_data(json "${TSB_RELEASE_FOLDER}/options.json" ARRAY options features)
  z_tsb_entries_that_hold(indices "${json}" features ${package} feature option)
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
