# SPDX-License-Identifier: BSD-3-Clause
# Runs the file TEST, tests of Python's unittest, in a folder of its own. They find box.py, modules of fixtures/, the
# package engine, the folders of scripts, and the libraries that bootstrap.sh installs.
find_program(python NAMES python3 REQUIRED)
get_filename_component(folder "${TEST}" DIRECTORY)
get_filename_component(file "${TEST}" NAME)
get_filename_component(root "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
set(
  folders
  tests/cmake tests/fixtures tools tools/compare_wheel tools/dependency_versions tools/import_official
  operations/containers operations/fleet operations/publish operations/workflows packaging packaging/conda
  packaging/consumer packaging/libraries packaging/wheel build/remote-tools build/publish-tools .
)
list(TRANSFORM folders PREPEND "${root}/")
list(JOIN folders ":" folders)
set(ENV{PYTHONPATH} "${folders}")
set(ENV{TORCHPKG} "${TORCHPKG}")
execute_process(
  COMMAND "${python}" -B -m unittest discover --verbose --start-directory "${folder}" --pattern "${file}"
  WORKING_DIRECTORY "${TSB_TEST_DIR}" COMMAND_ERROR_IS_FATAL ANY
)
