# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
consumer_check (of a conda package)
-----------------------------------

Uses a packed conda package as its user would, and fails when that does not work: a conda client (rattler, which pip
has) solves and installs it from a channel made of the folder of the package. With libtorch a C++ program is built and
run, in a prefix without Python; with pytorch ``wheel_checks.py`` runs, and the console scripts. ::

  cmake -D TSB_PACKAGE=<conda> -D TSB_CONSUMER=<folder> -D TSB_WORK=<folder>
        [-D TSB_PYTHON=<python>] [-D TSB_NINJA=<ninja>] [-D TSB_COMPILER=<c++>] [-D TSB_RESULT=<json>]
        [-D TSB_DRIVER=<package>=<version>] [-D TSB_PINNED=<file>] -P consumer_check.cmake

``TSB_PYTHON``
  Makes the virtual environment that the client is installed into. Default: the first ``python3`` of the path.
``TSB_CONSUMER``
  The folder with ``conda/`` and ``wheel_checks.py``.
``TSB_DRIVER``
  The virtual package by which clients know the driver that the package needs, such as ``__cuda=12.4``: on a machine
  without one it is installed as for that driver.
``TSB_PINNED``
  The client, with its hash. Default: ``consumer_check/requirements.txt``.

What the package depends on comes from conda-forge, or from ``TSB_CONDA_CHANNEL`` of the environment. If that or the
client is not available, a row says so, and nothing is installed.
#]]
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/../consumer_check/steps.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/../consumer_check/z_tsb_install_pinned.cmake")
if(NOT TSB_PINNED)
  set(TSB_PINNED "${CMAKE_CURRENT_LIST_DIR}/consumer_check/requirements.txt")
endif()

if(NOT TSB_PYTHON)
  find_program(any_python python3 REQUIRED)
  set(TSB_PYTHON "${any_python}")
endif()
begin(conda TSB_PYTHON)
get_filename_component(package_folder "${TSB_PACKAGE}" DIRECTORY)
get_filename_component(platform "${package_folder}" NAME)
if(NOT package_name MATCHES "^(.+)-([^-]+)-([^-]+)\\.conda$")
  tsb_fail("consumer_check: ${package_name} is not a conda package's file name" "it is <name>-<version>-<build>.conda")
endif()
set(name "${CMAKE_MATCH_1}")
set(spec "${CMAKE_MATCH_1} ==${CMAKE_MATCH_2} ${CMAKE_MATCH_3}")
use_pip()
file(MAKE_DIRECTORY "${TSB_WORK}/channel/${platform}")
set(others conda-forge)
if(NOT "$ENV{TSB_CONDA_CHANNEL}" STREQUAL "")
  # As it may be shown: its address can have a password, or a token in conda's form.
  z_tsb_without_password(others "$ENV{TSB_CONDA_CHANNEL}")
  string(REGEX REPLACE "/t/[^/]+" "/t/..." others "${others}")
endif()
list(APPEND inherited TSB_CONDA_CHANNEL)

# end(<why>): nothing can be installed here.
macro(end why)
  row(skip prefix install "${why}; nothing was installed")
  result(ok)
  return()
endmacro()

if(offline_environment AND NOT others MATCHES "^(file://|/)")
  end("the channel ${others}, which has what it depends on, is not a folder, and TSB_OFFLINE is set")
endif()
run(client make IN "${TSB_WORK}" COMMAND "${TSB_PYTHON}" -m venv "${TSB_WORK}/client")
if(NOT status EQUAL 0)
  failed(
    client make "${TSB_PYTHON} cannot make a virtual environment"
    "install its module venv (python3-venv), or pip's ensurepip"
  )
endif()
z_tsb_install_pinned(client install "${TSB_WORK}/client/bin/python" "${TSB_PINNED}")
if(NOT status EQUAL 0)
  end("pip could not install py-rattler, the conda client, ${from}")
endif()

# Beside it what it may need: pytorch its libtorch.
file(GLOB packages "${package_folder}/*.conda")
foreach(package IN LISTS packages)
  get_filename_component(file "${package}" NAME)
  file(CREATE_LINK "${package}" "${TSB_WORK}/channel/${platform}/${file}" SYMBOLIC)
endforeach()
get_filename_component(cmake_folder "${CMAKE_COMMAND}" DIRECTORY)
step(
  channel index IN "${TSB_WORK}" ENVIRONMENT "PATH=${cmake_folder}:${system_path}" PYTHONDONTWRITEBYTECODE=1 COMMAND
  "${TSB_PYTHON}" "${CMAKE_CURRENT_LIST_DIR}/../index/make_index.py" "${TSB_WORK}/channel"
)
set(prefix "${TSB_WORK}/prefix")
set(driver "")
if(TSB_DRIVER)
  set(driver --driver "${TSB_DRIVER}")
endif()
run(
  prefix install
  IN "${TSB_WORK}"
  ENVIRONMENT ${environment}
  COMMAND "${TSB_WORK}/client/bin/python" "${CMAKE_CURRENT_LIST_DIR}/consumer_check/install_packages.py" --prefix
          "${prefix}" --channel "file://${TSB_WORK}/channel" ${driver} "${spec}"
)
if(status EQUAL 3)
  end("the channel ${others}, which has what it depends on, cannot be read")
elseif(NOT status EQUAL 0)
  failed(
    prefix install "a conda client cannot install it"
    "fix what it depends on, or set TSB_CONDA_CHANNEL to a channel that has it"
  )
endif()
file(STRINGS "${log}" driver REGEX "^there is no driver here" LIMIT_COUNT 1)
if(driver)
  string(PREPEND driver "; ")
endif()
row(ok prefix install "${seconds} s, by rattler, with what it depends on from ${others}${driver}")

if(name STREQUAL "libtorch")
  if(EXISTS "${prefix}/bin/python")
    failed(prefix python "libtorch brought a Python" "fix what it depends on")
  endif()
  set(configure -DCMAKE_BUILD_TYPE=Release "-DCMAKE_PREFIX_PATH=${prefix}" "-DCMAKE_CXX_COMPILER=${TSB_COMPILER}")
  if(NOT TSB_COMPILER)
    list(POP_BACK configure)
  endif()
  step(
    prefix configure IN "${TSB_WORK}" COMMAND "${CMAKE_COMMAND}" -G Ninja -S "${TSB_CONSUMER}/conda" -B
    "${TSB_WORK}/build" ${configure}
  )
  step(prefix build IN "${TSB_WORK}" COMMAND "${CMAKE_COMMAND}" --build "${TSB_WORK}/build")
  step(prefix run IN "${TSB_WORK}" COMMAND "${TSB_WORK}/build/use_libtorch")
  row(ok prefix run "a C++ program, no Python in the prefix")
else()
  step(
    prefix run IN "${TSB_WORK}" ENVIRONMENT ${environment} COMMAND "${prefix}/bin/python"
    "${TSB_CONSUMER}/wheel_checks.py" --root "${prefix}"
  )
  file(STRINGS "${log}" text REGEX "^[0-9]+ checks, 0 failed$")
  if(NOT text)
    failed(prefix run "it ended without having told its checks" "see the log")
  endif()
  row(ok prefix run "${text} in ${seconds} s")
  step(prefix torchrun IN "${TSB_WORK}" COMMAND "${prefix}/bin/torchrun" --help)
  row(ok prefix torchrun "shows its help")
endif()
file(REMOVE_RECURSE "${prefix}" "${prefix}.cache" "${TSB_WORK}/client" "${TSB_WORK}/build")
result(ok)
message(STATUS "ok ${package_name} works in a prefix")
