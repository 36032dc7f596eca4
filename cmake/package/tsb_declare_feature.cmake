# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_declare_feature
-------------------

Declares one feature of a package: an option that is on when the sources and packages it needs are available.

.. code-block:: cmake

  tsb_declare_feature(<package> <feature>
    OPTION <cmake option>
    [SOURCES <source> ...]   # pinned sources that it needs, beside the submodules that the pins tie to it
    [PACKAGES <package> ...] # packages that it needs, which <package> DEPENDS on
    [WITHOUT <text>]         # what is done without it; stands before the reason
    [OFF <reason>]           # never on in this preset, and why
    [SETTING <name>]         # decides it, so that TSB_PYTORCH_OPTIONS cannot
    [REMEDY <text>])         # with OFF: nobody has chosen that, and what helps

A feature whose sources no provider has is switched off with one line, and the manifest of the artifact
says so with the reason. Every feature stands in the manifest, on or off. The sources of one with OFF are not fetched.

A package under ``PACKAGES`` may do without its sources: when no provider has them it is left out
(``z_tsb_package_left_out``), as is the feature.

Errors: an unknown package, a feature that is declared twice, a missing ``OPTION``.
#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../model/tsb_json_object.cmake)

function(tsb_declare_feature package feature)
  list(APPEND CMAKE_MESSAGE_CONTEXT "tsb_declare_feature")
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "OPTION;OFF;REMEDY;SETTING;WITHOUT" "SOURCES;PACKAGES")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "feature ${feature}: unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_OPTION)
    message(FATAL_ERROR "feature ${feature} of ${package}: OPTION is missing")
  endif()
  get_property(known GLOBAL PROPERTY TSB_PACKAGES)
  if(NOT package IN_LIST known)
    message(FATAL_ERROR "feature ${feature}: there is no package '${package}'; declared are: ${known}")
  endif()
  get_property(features GLOBAL PROPERTY TSB_PACKAGE_${package}_FEATURES)
  if(feature IN_LIST features)
    message(FATAL_ERROR "feature ${feature} of ${package} is declared twice")
  endif()
  tsb_json_object(json arg_ TEXTS OPTION OFF REMEDY SETTING WITHOUT LISTS SOURCES PACKAGES)
  set_property(GLOBAL APPEND PROPERTY TSB_PACKAGE_${package}_FEATURES ${feature})
  set_property(GLOBAL PROPERTY TSB_FEATURE_${package}_${feature} "${json}")
endfunction()
