# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
record_linked
-------------

Stage script of every package that is compiled: writes down which files of its source tree are in its libraries, for
the licences and the bill of materials of the artifacts.

.. code-block:: cmake

  tsb_declare_package(<name> ... STAGE_SCRIPTS "<...>/packaging/sbom/record_linked.cmake")

The record is ``share/torch-superbuild/linked.json`` in the install tree; so it is kept in the store with it. Its
members are in ``record_linked.py``. It is read from Ninja's own records of the build.

Its content, and that of the Python files, count among the package's inputs.
#]]
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/../../cmake/model/tsb_read_record.cmake")
get_filename_component(settings_file "${TSB_INSTALL_DIR}/../../../settings.json" ABSOLUTE)
tsb_read_record("${settings_file}" settings)
execute_process(
  COMMAND
    "${CMAKE_COMMAND}" -E env PYTHONDONTWRITEBYTECODE=1 "${settings_python}" "${CMAKE_CURRENT_LIST_DIR}/../../engine"
    sbom.record_linked --source "${TSB_SOURCE_DIR}" --build "${TSB_BUILD_DIR}" --install "${TSB_INSTALL_DIR}" --ninja
    "${settings_ninja}" --output "${TSB_INSTALL_DIR}/share/torch-superbuild/linked.json"
  RESULT_VARIABLE result
)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "cannot record what is in the libraries; see the message above")
endif()
