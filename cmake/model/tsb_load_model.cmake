# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_load_model
--------------

Reads the data of a release, a backend and a processor as records (:command:`tsb_read_record`). Nothing else opens the
files of data; ``engine/model/data.py`` says what is in them and refuses what must not be. Works in scripts and before
``project()``. ::

  tsb_load_model([--backend=<name>] [--release=<version>] [--processor=<name>] [--pins=<file>])

Sets for the caller:

``release_...``
  What is true of the release, with ``release_folder``, its version.
``release_options_...``, ``release_features_...``
  What it is built with for the backend, by package: ``release_options_pytorch`` has ``<name>=<value>`` of each option.
``backend_...``
  The backend, of that release, or without ``--release`` of the newest one that is built for it; with
  ``backend_version``, and ``backend_folder`` below ``backends/``. ``backend_configured_...`` is what its settings and
  the release come to, by its hook ``resolve``; the settings stay what the user wrote.
``versions_...``
  ``versions.json`` in the backend's folder: what is true of each version of its toolkit.
``libraries_...``
  What its ``libraries.json`` says, by package: ``libraries_cudnn_files``, names and patterns of files, and
  ``libraries_cudnn_sources``, those of the pins that are wheels with them.
``target_...``
  The processor: ``--processor``, the backend's, or this machine's. For another one than this machine's it has
  ``cross``, what the names of its compilers and tools begin with, ``aarch64-linux-gnu-``, and those that are used:
  ``c_compiler``, ``cxx_compiler`` and ``objcopy``.
``artifact_rows_...``, ``model_artifacts``
  What can be made, by name: the rows of ``packaging/artifacts.json``; and the names, in their order.
``model_releases``, ``model_targets``, ``model_backends``
  The names of all releases, the newest first, of the processors, and of the backends; ``model_backends_<name>`` is the
  newest release that is built for it, and ``model_backends_of_release`` has the names of the release's.
``model_sources``
  The names of the pinned sources: of ``--pins``, or of the release, additions and the backend;
  ``model_prebuilt_<name>`` are the patterns ``prebuilt`` of the pin.
``model_symbols``
  A file with the release's ``symbols.json`` and what that inherits, or nothing if the release has none.

What does not exist has no members. The folder of additions is ``TSB_ADDITIONS``.

Errors: no Python; a file of data that is not what it must be.
#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../backend/tsb_ask_backend.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../python/tsb_run_python.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/tsb_read_record.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/z_tsb_records_folder.cmake)

# z_tsb_processor(<result>): asked of the machine, since CMake knows it after project() only.
function(z_tsb_processor result)
  execute_process(COMMAND uname -m OUTPUT_VARIABLE processor OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  set(${result} "${processor}" PARENT_SCOPE)
endfunction()

# z_tsb_write_model(<out-var> <argument>...): the folder with what model.py writes.
function(z_tsb_write_model out)
  z_tsb_records_folder(folder model)
  set(${out} "${folder}" PARENT_SCOPE)
  z_tsb_processor(machine)
  tsb_run_python(model.model --to "${folder}" "--machine=${machine}" "--additions=${TSB_ADDITIONS}" ${ARGN})
endfunction()

macro(tsb_load_model)
  z_tsb_write_model(z_tsb_folder ${ARGN})
  foreach(
    z_tsb_record IN ITEMS release release_options release_features backend versions libraries target model
                          artifact_rows
  )
    tsb_read_record("${z_tsb_folder}/${z_tsb_record}.json" ${z_tsb_record})
  endforeach()
  if(CMAKE_SCRIPT_MODE_FILE)
    file(REMOVE_RECURSE "${z_tsb_folder}")
  endif()
  tsb_ask_backend(TSB_BACKEND_RESOLVED backend resolve)
  tsb_set_record(backend_configured TSB_BACKEND_RESOLVED)
endmacro()
