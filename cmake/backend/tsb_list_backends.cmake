# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_list_backends
-----------------

The backends that a release of PyTorch is built for: a list of JSON objects. ::

  tsb_list_backends(<result> <release json>) # see tsb_read_release

A backend has a kind and a version, such as ``cuda`` and ``12.4``; the release has a member of its ``backends`` for each
kind, and in it one for each version. CPU has no version. Its object has the members ``kind`` and ``version``, and those of
``backends/<kind>/backend.json``:

``name``, ``title``
  What it is called in presets and versions, and for people. ``@version@`` and ``@digits@``, the version without its dot,
  are filled in, here and in all others.
``variables``
  Further cache variables of its presets.
``wheel_styles``
  How its wheels may be made: ``plain``; ``small`` (libraries in wheels of their own), ``large`` (all libraries inside).
``conda_name``, ``conda_build_number``
  Name part and build number of its conda packages.

Errors: a kind without its file.
#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../data/tsb_find_data.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../detail/z_tsb_json.cmake)

function(tsb_list_backends result release)
  set(backends "")
  z_tsb_json_members(kinds "${release}" backends)
  foreach(kind IN LISTS kinds)
    tsb_find_data(file "backends/${kind}/backend.json")
    if(NOT file)
      message(
        FATAL_ERROR
          "  a release of PyTorch here is built for '${kind}', which has no backends/${kind}/backend.json\n  add it, or take '${kind}' out of the release's backends"
      )
    endif()
    file(READ "${file}" text)
    z_tsb_json_members(versions "${release}" backends ${kind})
    list(SORT versions COMPARE NATURAL)
    if(versions STREQUAL "")
      set(versions none)
    endif()
    foreach(version IN LISTS versions)
      string(REGEX REPLACE "^none$" "" version "${version}")
      string(REPLACE "." "" digits "${version}")
      string(CONFIGURE "${text}" backend @ONLY)
      z_tsb_json_set_string(backend kind "${kind}")
      z_tsb_json_set_string(backend version "${version}")
      list(APPEND backends "${backend}")
    endforeach()
  endforeach()
  set(${result} "${backends}" PARENT_SCOPE)
endfunction()
