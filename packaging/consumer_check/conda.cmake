# SPDX-License-Identifier: BSD-3-Clause
# A conda package: a conda client (rattler) solves and installs it from a channel made of the folder of the package.
# With libtorch a C++ program is built and run, in a prefix without Python; with pytorch wheel_checks.py runs, and
# its scripts. The files of others are counted.
#
# What the package depends on comes from conda-forge, or from TSB_CONDA_CHANNEL of the environment. If that cannot be
# read, or must not be since TSB_OFFLINE is set, the client installs the package without it. Then the C++ program uses
# this machine's libraries. It is not tried where these lack one that it needs, and Python never.
set(TSB_TOOLS "" CACHE PATH "The folder of Python modules with the client (packaging/libraries/requirements.txt)")
set(TSB_TOOLS_PYTHON python3 CACHE FILEPATH "The Python that they are for")
set(TSB_DRIVER "" CACHE STRING "The driver to assume on a machine without one, as <package>=<version>")
set(TSB_CHANNELS "" CACHE STRING "Patterns of packages that it may need and that are not in its folder")
has(TSB_TOOLS)
if(NOT package_name MATCHES "^(.+)-([^-]+)-([^-]+)\\.conda$")
  tsb_fail("consumer_check: ${package_name} is not a conda package's file name" "it is <name>-<version>-<build>.conda")
endif()
set(name "${CMAKE_MATCH_1}")
set(spec "${CMAKE_MATCH_1} ==${CMAKE_MATCH_2} ${CMAKE_MATCH_3}")
set(place prefix)
set(labels conda)
set(prefix "${CMAKE_BINARY_DIR}/prefix")

set(channel "")
set(indexed "")
if("$ENV{TSB_PUBLISHED}" STREQUAL "")
  # With what it may need: pytorch its libtorch. No symbolic links: py-rattler's index leaves them out.
  get_filename_component(folder "${TSB_PACKAGE}" DIRECTORY)
  get_filename_component(platform "${folder}" NAME)
  file(GLOB packages ${TSB_CHANNELS} "${folder}/*.conda")
  list(FILTER packages INCLUDE REGEX "/${platform}/[^/]+$")
  file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/channel/${platform}")
  foreach(package IN LISTS packages)
    get_filename_component(file "${package}" NAME)
    file(CREATE_LINK "${package}" "${CMAKE_BINARY_DIR}/channel/${platform}/${file}" COPY_ON_ERROR)
  endforeach()
  tsb_python_command(
    command "${TSB_TOOLS_PYTHON}" "${CMAKE_CURRENT_SOURCE_DIR}/../conda/index_channel.py" MODULES "${TSB_TOOLS}"
  )
  check(index COMMAND ${command} "${CMAKE_BINARY_DIR}/channel")
  set(channel --channel "file://${CMAKE_BINARY_DIR}/channel")
  set(indexed AFTER index)
endif()
tsb_python_command(
  install "${TSB_TOOLS_PYTHON}" "${CMAKE_CURRENT_SOURCE_DIR}/install_packages.py" MODULES "${TSB_TOOLS}"
)
if(TSB_OFFLINE)
  list(APPEND install --offline)
endif()
check(
  install ${indexed} COMMAND ${install} --prefix "${prefix}" ${channel} "--driver=${TSB_DRIVER}" --missing
  "${CMAKE_BINARY_DIR}/missing" "${spec}"
)
set(usable AFTER install UNLESS missing)
if(name STREQUAL "libtorch")
  check(
    python AFTER install COMMAND sh -c "! test -e \"$0\" || ! echo FAIL libtorch brought a Python"
    "${prefix}/bin/python"
  )
  check_program(run prefix ${usable})
elseif(name STREQUAL "pytorch")
  check(
    run ${usable} REPORTS COMMAND "${prefix}/bin/python" -B "${CMAKE_CURRENT_SOURCE_DIR}/../../engine"
    "${TSB_CONSUMER}/wheel_checks.py" --root "${prefix}"
  )
  check(scripts ${usable} COMMAND "${prefix}/bin/python" "${CMAKE_CURRENT_SOURCE_DIR}/run_scripts.py")
else()
  set(
    count
    "echo headers and libraries: $(find . -path '*/include/*.h' -o -path '*/lib/*.a' -o -path '*/lib/*.so*' | wc -l)"
  )
  check(
    files AFTER install COMMAND sh -c "cd \"$0\" && ${count}" "${prefix}" PROPERTIES PASS_REGULAR_EXPRESSION ": [1-9]"
  )
endif()
