# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_list_backends
-----------------

The backends that a release of PyTorch is built for: a list of JSON objects. ::

  tsb_list_backends(<result> <release json>) # see tsb_read_release

A backend has a kind and a version, such as ``cuda`` and ``12.4``; the release has a member of its ``backends`` for each
kind, and in it one for each version. CPU has no version. Its object has the members ``folder``, which is this kind, and
``version``, and those of ``backends/<kind>/backend.json`` (backends/README.md), where ``kind`` may name another one.
Errors: a kind without its file; those of :command:`tsb_read_data`.
#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../data/tsb_find_data.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../data/tsb_read_data.cmake)
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
    tsb_read_data(
      text "${file}" IN_LISTS STRING name title target? conda_name? conda_build_number? conda_driver? toolkit? kind?
      local_version? ARRAY wheel_styles checks? checks_of_pytorch? exporting_checks? environment? packages? libraries?
      consumer.libraries? consumer.may_load? consumer.library_wheels? OBJECT consumer? BOOLEAN prebuilt?
    )
    z_tsb_json_members(versions "${release}" backends ${kind})
    list(SORT versions COMPARE NATURAL)
    if(versions STREQUAL "")
      set(versions none)
    endif()
    foreach(version IN LISTS versions)
      string(REGEX REPLACE "^none$" "" version "${version}")
      string(REPLACE "." "" digits "${version}")
      string(CONFIGURE "${text}" backend @ONLY)
      z_tsb_json_set_string(backend folder "${kind}")
      z_tsb_json_get(its_kind "${backend}" kind)
      if(NOT its_kind)
        z_tsb_json_set_string(backend kind "${kind}")
      endif()
      z_tsb_json_set_string(backend version "${version}")
      list(APPEND backends "${backend}")
    endforeach()
  endforeach()
  set(${result} "${backends}" PARENT_SCOPE)
endfunction()
