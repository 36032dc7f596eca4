# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_list_backends
-----------------

The backends that a release of PyTorch is built for: a list of JSON objects. ::

  tsb_list_backends(<result> <release json>) # see tsb_read_release

A backend has a kind and a version, such as ``cuda`` and ``12.4``; the release has a member of its ``backends`` for each
kind, and in it one for each version. CPU has no version. Its object has the members ``kind`` and ``version``, and those
of ``backends/<kind>/backend.json``:

``name``, ``title``
  What it is called in presets and versions, and for people. ``@version@`` and ``@digits@``, the version without its
  dot, are filled in, here and in all others.
``wheel_styles``
  How its wheels may be made: ``plain``; ``small`` (libraries in wheels of their own), ``large`` (all libraries inside).
``artifacts``
  An expression for the names in ``packaging/artifacts.json`` that are made of it; without it all.
``conda_name``, ``conda_build_number``
  For its conda packages: what conda-forge calls it, and the number by which a client prefers one of several.
``conda_driver``
  The virtual package, and its version, by which a conda client knows the driver: ``__cuda=@version@``.
``checks``, ``checks_of_pytorch``, ``exporting_checks``
  The doctor's, ``backends/<kind>/doctor/tsb_doctor_check_<check>.cmake``, in their order; those of them that only
  PyTorch needs; those that ``TSB_DOCTOR_SKIP`` must not leave out, since the build needs what they find.
``switches``
  Variables of the environment that are ``ON`` or ``OFF``.
``environment``
  Expressions for variables with which whoever runs a machine says how its GPUs may be used.
``toolkit``
  The package, in ``backends/<kind>/packages``, that has the compiler. What depends on it is compiled with it.
``packages``
  Packages with libraries that an artifact may have inside, the toolkit among them.
``libraries``
  PyTorch's own, without ``lib``, in the order in which a process loads them.
``consumer``
  For the program that tries a package: whose versions it must see (``libraries``), what it may load of the machine
  (``may_load``), and how the names of wheels begin that have libraries (``library_wheels``).

What is not data is a hook, see :command:`tsb_ask_backend`.

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
      text "${file}" IN_LISTS STRING name title conda_name? conda_build_number? conda_driver? toolkit? ARRAY
      wheel_styles checks? checks_of_pytorch? exporting_checks? switches? environment? packages? libraries?
      consumer.libraries? consumer.may_load? consumer.library_wheels? OBJECT consumer?
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
      z_tsb_json_set_string(backend kind "${kind}")
      z_tsb_json_set_string(backend version "${version}")
      list(APPEND backends "${backend}")
    endforeach()
  endforeach()
  set(${result} "${backends}" PARENT_SCOPE)
endfunction()
