# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_declare_release_features
----------------------------

Declares the features (:command:`tsb_declare_feature`) that the release has for a package, from the record
``release_features`` (:command:`tsb_load_model`): all that there are. ::

  tsb_declare_release_features(<package> pytorch|pytorch-py)

What a machine or a setting decides of one, the backend's ``pytorch.cmake`` puts into ``feature_<NAME>``: further
arguments, such as ``PACKAGES <package>``, or ``OFF <reason> REMEDY <text>`` where something was not found. They do not
count for a feature that the release has off. The doctor's checks ask for what features need that are on
(``engine/doctor/checks.py``).

#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../package/tsb_declare_feature.cmake)

function(tsb_declare_release_features package of)
  foreach(index IN LISTS release_features_${of})
    set(entry release_features_${of}_${index})
    set(name "${${entry}_feature}")
    set(more ${feature_${name}})
    if(NOT "${${entry}_off}" STREQUAL "") # CMake 3.31 and newer warn about a keyword with an empty value
      string(REPLACE ";" "\\;" off "${${entry}_off}")
      set(more OFF "${off}")
    endif()
    if(NOT "${${entry}_packages}" STREQUAL "")
      list(APPEND more PACKAGES ${${entry}_packages})
    endif()
    tsb_declare_feature(${package} ${name} OPTION ${${entry}_option} ${more})
  endforeach()
endfunction()
