# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_declare_release_features
----------------------------

Declares the features (:command:`tsb_declare_feature`) that the release has for a package, from the record
``release_features`` (:command:`tsb_load_model`). ::

  tsb_declare_release_features(<package> pytorch|pytorch-py)

``feature_<NAME>`` may have further arguments of it, which depend on the machine: ``OFF <reason>``,
``PACKAGES <package>``.

#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../package/tsb_declare_feature.cmake)

function(tsb_declare_release_features package of)
  foreach(index IN LISTS release_features_${of})
    set(entry release_features_${of}_${index})
    set(off "${${entry}_off}")
    if(NOT off STREQUAL "") # CMake 3.31 and newer warn about a keyword with an empty value
      string(REPLACE ";" "\\;" off "${off}")
      set(off OFF "${off}")
    endif()
    set(name "${${entry}_feature}")
    set(more ${feature_${name}})
    if(NOT "${${entry}_packages}" STREQUAL "")
      list(APPEND more PACKAGES ${${entry}_packages})
    endif()
    tsb_declare_feature(${package} ${name} ${off} OPTION ${${entry}_option} ${more})
  endforeach()
endfunction()
