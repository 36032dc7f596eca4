# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
consumer_check (of a conda package)
-----------------------------------

Uses a packed conda package as its user would, and fails when that does not work: a conda client (rattler) solves and
installs it from a channel made of the folder of the package. With libtorch a C++ program is built and run, in a prefix
without Python; with pytorch ``wheel_checks.py`` runs, and the console scripts. The files of others are counted. ::

  cmake -D TSB_PACKAGE=<conda> -D TSB_CONSUMER=<folder> -D TSB_WORK=<folder> -D TSB_TOOLS=<folder>
        [-D TSB_TOOLS_PYTHON=<python>] [-D TSB_NINJA=<ninja>] [-D TSB_COMPILER=<c++>] [-D TSB_RESULT=<json>]
        [-D TSB_DRIVER=<package>=<version>] [-D TSB_CHANNELS=<pattern>...] [-D TSB_PUBLISHED=<url>]
        -P consumer_check.cmake

``TSB_TOOLS``, ``TSB_TOOLS_PYTHON``
  The folder of Python modules with the client (``tools/requirements.txt``), and the Python that they are for. Default:
  the first ``python3`` of the path.
``TSB_CONSUMER``
  The folder with ``conda/`` and ``wheel_checks.py``.
``TSB_DRIVER``
  The virtual package by which clients know the driver that the package needs, such as ``__cuda=12.4``: on a machine
  without one it is installed as for that driver.
``TSB_CHANNELS``
  Patterns of packages that it may need and that are not in its folder.
``TSB_PUBLISHED``
  A channel that has the package, in place of one made of its folder.

What the package depends on comes from conda-forge, or from ``TSB_CONDA_CHANNEL`` of the environment. If that cannot be
read, or must not be since ``TSB_OFFLINE`` is set, the client installs the package without it, and a row says so. Then
the C++ program uses this machine's libraries. It is not tried where these lack one that it needs, and Python never.
#]]
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/../consumer_check/steps.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/../../cmake/python/tsb_python_command.cmake")

if(NOT TSB_TOOLS_PYTHON)
  find_program(any_python python3 REQUIRED)
  set(TSB_TOOLS_PYTHON "${any_python}")
endif()
begin(conda TSB_TOOLS)
get_filename_component(package_folder "${TSB_PACKAGE}" DIRECTORY)
get_filename_component(platform "${package_folder}" NAME)
if(NOT package_name MATCHES "^(.+)-([^-]+)-([^-]+)\\.conda$")
  tsb_fail("consumer_check: ${package_name} is not a conda package's file name" "it is <name>-<version>-<build>.conda")
endif()
set(name "${CMAKE_MATCH_1}")
set(spec "${CMAKE_MATCH_1} ==${CMAKE_MATCH_2} ${CMAKE_MATCH_3}")
use_pip()
set(others conda-forge)
if(TSB_CONDA_CHANNEL)
  # As it may be shown: its address can have a password, or a token in conda's form.
  z_tsb_without_password(others "${TSB_CONDA_CHANNEL}")
  string(REGEX REPLACE "/t/[^/]+" "/t/..." others "${others}")
endif()
list(APPEND inherited TSB_CONDA_CHANNEL)

set(channel "${TSB_PUBLISHED}")
if(NOT channel)
  # With what it may need: pytorch its libtorch. No symbolic links: py-rattler's index leaves them out.
  file(GLOB packages ${TSB_CHANNELS} "${package_folder}/*.conda")
  list(FILTER packages INCLUDE REGEX "/${platform}/[^/]+$")
  file(MAKE_DIRECTORY "${TSB_WORK}/channel/${platform}")
  foreach(package IN LISTS packages)
    get_filename_component(file "${package}" NAME)
    file(CREATE_LINK "${package}" "${TSB_WORK}/channel/${platform}/${file}" COPY_ON_ERROR)
  endforeach()
  tsb_python_command(index "${TSB_TOOLS_PYTHON}" "${CMAKE_CURRENT_LIST_DIR}/index_channel.py" MODULES "${TSB_TOOLS}")
  step(channel index IN "${TSB_WORK}" COMMAND ${index} "${TSB_WORK}/channel")
  set(channel "file://${TSB_WORK}/channel")
endif()
set(prefix "${TSB_WORK}/prefix")
tsb_python_command(
  install "${TSB_TOOLS_PYTHON}" "${CMAKE_CURRENT_LIST_DIR}/consumer_check/install_packages.py" MODULES "${TSB_TOOLS}"
)
list(APPEND install --prefix "${prefix}" --channel "${channel}")
if(TSB_DRIVER)
  list(APPEND install --driver "${TSB_DRIVER}")
endif()

# run_client([--alone]): sets `status`.
macro(run_client)
  run(
    prefix install
    IN "${TSB_WORK}"
    ENVIRONMENT ${environment}
    COMMAND ${install} ${ARGN} "${spec}"
  )
endmacro()
set(alone "")
set(missing "")
if(offline_environment AND NOT others MATCHES "^(file://|/)")
  set(alone "${others} is not a folder, and TSB_OFFLINE is set")
else()
  run_client()
  if(status EQUAL 3)
    set(alone "${others} cannot be read")
  endif()
endif()
if(alone)
  run_client(--alone)
endif()
if(NOT status EQUAL 0)
  failed(
    prefix install "a conda client cannot install it"
    "fix what it depends on, or set TSB_CONDA_CHANNEL to a channel that has it"
  )
endif()
if(alone)
  row(skip prefix install "${seconds} s, by rattler, without what it depends on: the channel ${alone}")
  file(GLOB libraries "${prefix}/lib/*.so")
  run(
    prefix libraries
    IN "${TSB_WORK}"
    ENVIRONMENT "LD_LIBRARY_PATH=${prefix}/lib"
    COMMAND ldd ${libraries}
  )
  file(STRINGS "${log}" missing REGEX "=> not found")
  list(TRANSFORM missing REPLACE "^[ \t]*([^ ]+).*" "\\1")
  list(REMOVE_DUPLICATES missing)
  list(JOIN missing ", " missing)
else()
  file(STRINGS "${log}" driver REGEX "^there is no driver here" LIMIT_COUNT 1)
  if(driver)
    string(PREPEND driver "; ")
  endif()
  row(ok prefix install "${seconds} s, by rattler, with what it depends on from ${others}${driver}")
endif()

if(NOT name MATCHES "^(libtorch|pytorch)$")
  file(GLOB_RECURSE files "${prefix}/include/*.h" "${prefix}/lib/*.a" "${prefix}/lib/*.so*")
  list(LENGTH files count)
  if(count EQUAL 0)
    failed(prefix files "it has neither a header nor a library" "see the log of its package's stage phase")
  endif()
  row(ok prefix files "headers and libraries: ${count}")
elseif(missing)
  row(skip prefix run "it needs libraries of other packages: ${missing}")
elseif(name STREQUAL "libtorch")
  if(EXISTS "${prefix}/bin/python")
    failed(prefix python "libtorch brought a Python" "fix what it depends on")
  endif()
  try_program(prefix run "${prefix}")
  row(ok prefix run "a C++ program, no Python in the prefix")
elseif(NOT alone)
  step(
    prefix run IN "${TSB_WORK}" ENVIRONMENT ${environment} COMMAND "${prefix}/bin/python"
    "${TSB_CONSUMER}/wheel_checks.py" --root "${prefix}"
  )
  file(STRINGS "${log}" text REGEX "^[0-9]+ checks, 0 failed$")
  if(NOT text)
    failed(prefix run "it exited without reporting its checks" "see the log")
  endif()
  row(ok prefix run "${text} in ${seconds} s")
  step(prefix torchrun IN "${TSB_WORK}" COMMAND "${prefix}/bin/torchrun" --help)
  row(ok prefix torchrun "shows its help")
endif()
file(REMOVE_RECURSE "${prefix}" "${prefix}.cache" "${TSB_WORK}/build")
result(ok)
message(STATUS "ok ${package_name} works in a prefix")
