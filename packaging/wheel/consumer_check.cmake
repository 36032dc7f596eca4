# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
consumer_check (of a wheel)
---------------------------

Uses a packed wheel as its user would, and fails when that does not work: pip installs it into a new virtual
environment, then a program runs, the console scripts, and a C++ program that is compiled with its CMake package. ::

  cmake -D TSB_PACKAGE=<whl> -D TSB_PYTHON=<python> -D TSB_CONSUMER=<folder> -D TSB_WORK=<folder>
        [-D TSB_PINNED=<folder>] [-D TSB_WHEELS=<folder>] [-D TSB_MODULES=<folder>] [-D TSB_NINJA=<ninja>]
        [-D TSB_COMPILER=<c++>] [-D TSB_RESULT=<json>] [-D TSB_GPUS=<n>]
        [-D TSB_PUBLISHED=<url>] [-D TSB_UV=<uv>] [-D TSB_EXTRA_INDEX=<url>] [-D TSB_OFFICIAL=<RECORD>]
        -P consumer_check.cmake

``TSB_PYTHON``
  The interpreter that the wheel is for. It must be able to make a virtual environment with pip.
``TSB_CONSUMER``
  The folder with ``wheel_checks.py`` and ``conda/``.
``TSB_PINNED``
  The folder of the release with what the wheel requires, each file with its hash: ``releases/<version>/wheel_check``.
  Nothing without a hash is installed, and no dependency that is not in it.
``TSB_WHEELS``
  A folder with such files, as the step fetch fills it; what is missing in it comes from pip's index.
``TSB_MODULES``
  A folder of Python modules (typing_extensions, setuptools) for when the wheel's dependencies cannot be installed,
  since no package index is reachable or a hash is not known: a row says so, and ``pip check`` is left out.
``TSB_PUBLISHED``, ``TSB_UV``, ``TSB_EXTRA_INDEX``
  An index from which the version that ``TSB_PACKAGE`` names is installed, by pip or by this uv. With an extra
  index what it depends on is installed from there by the same command, and not from ``TSB_PINNED``.
``TSB_OFFICIAL``
  RECORD of the official wheel that it was made of: no file of that may be missing.

A wheel whose libraries come from other wheels (``consumer`` of a backend, ``library_wheels``) cannot even be imported
without those: a row says when it was installed and not used.
#]]
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/../consumer_check/steps.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/../consumer_check/z_tsb_install_pinned.cmake")

begin(whl TSB_PYTHON)
foreach(file IN ITEMS "${TSB_PYTHON}" "${TSB_CONSUMER}/wheel_checks.py")
  if(NOT EXISTS "${file}")
    tsb_fail("consumer_check: there is no ${file}" "make it, or correct the path")
  endif()
endforeach()
use_pip()
file(MAKE_DIRECTORY "${TSB_WORK}/run")
use_gpus()
if(TSB_COMPILER)
  list(APPEND environment "CXX=${TSB_COMPILER}")
endif()
set(place venv)
set(bin "${TSB_WORK}/venv/bin")
set(dependencies "")

# in_venv(<step> <command>...): a step in the folder run.
macro(in_venv name)
  step(${place} "${name}" IN "${TSB_WORK}/run" ENVIRONMENT ${environment} COMMAND ${ARGN})
endmacro()

run(${place} make IN "${TSB_WORK}" COMMAND "${TSB_PYTHON}" -m venv "${TSB_WORK}/venv")
if(NOT status EQUAL 0)
  failed(
    ${place} make "${TSB_PYTHON} cannot make a virtual environment"
    "install its module venv (python3-venv), or pip's ensurepip"
  )
endif()
# pip refuses a name with a variant's label, which follows the platform (z_tsb_wheel_variant.cmake).
set(wheel "${TSB_PACKAGE}")
if(package_name MATCHES "^(.*-[cp][py][0-9]+-[0-9a-z]+-[^-]+)-[^-]+[.]whl$")
  set(wheel "${TSB_WORK}/${CMAKE_MATCH_1}.whl")
  file(CREATE_LINK "${TSB_PACKAGE}" "${wheel}" SYMBOLIC)
endif()
set(command "${bin}/python" -m pip install)
set(by pip)
if(TSB_UV)
  set(command "${TSB_UV}" pip install --no-cache --index-strategy unsafe-best-match --python "${bin}/python")
  set(by uv)
endif()
if(TSB_PUBLISHED)
  string(REGEX REPLACE "^([^-]+)-([^-]+)-.*" "\\1==\\2" wheel "${package_name}")
  list(APPEND command --index-url "${TSB_PUBLISHED}")
else()
  list(APPEND command --no-index)
endif()
if(TSB_EXTRA_INDEX)
  list(APPEND command --extra-index-url "${TSB_EXTRA_INDEX}")
else()
  list(APPEND command --no-deps)
endif()
in_venv(install ${command} "${wheel}")
row(ok ${place} install "${seconds} s, by ${by} alone")
if(EXISTS "${TSB_OFFICIAL}")
  in_venv(files "${bin}/python" "${CMAKE_CURRENT_LIST_DIR}/consumer_check/compare_files.py" "${TSB_OFFICIAL}")
  file(STRINGS "${log}" found LIMIT_COUNT 1)
  row(ok ${place} files "${found}")
endif()
in_venv(
  requirements "${bin}/python" "${CMAKE_CURRENT_LIST_DIR}/consumer_check/choose_requirements.py"
  "${TSB_WORK}/requirements.txt" ${TSB_PINNED}
)
file(READ "${log}" unknown)
string(STRIP "${unknown}" unknown)
set(why "")
if(TSB_EXTRA_INDEX)
  set(seconds 0) # with the wheel
elseif(unknown)
  set(why "no hash is known for ${unknown}")
else()
  z_tsb_install_pinned(${place} dependencies "${bin}/python" "${TSB_WORK}/requirements.txt")
  if(NOT status EQUAL 0)
    set(why "pip could not install them ${from}")
  endif()
endif()
if(NOT why)
  row(ok ${place} dependencies "installed in ${seconds} s")
  run(
    ${place} "pip check"
    IN "${TSB_WORK}/run"
    ENVIRONMENT ${environment}
    COMMAND "${bin}/python" -m pip check
  )
  if(NOT status EQUAL 0)
    failed(
      ${place} "pip check" "what is pinned is not what the wheel requires"
      "correct the wheel's requirements, or ${TSB_PINNED}"
    )
  endif()
  row(ok ${place} "pip check" "no broken requirements")
  if(EXISTS "${TSB_PINNED}/beside.txt")
    z_tsb_install_pinned(${place} beside "${bin}/python" "${TSB_PINNED}/beside.txt")
    if(NOT status EQUAL 0)
      row(skip ${place} beside "pip could not install NumPy and onnx ${from}; what needs them was not checked")
    endif()
  endif()
else()
  row(skip ${place} dependencies "${why}; what needs them was not checked")
  list(APPEND environment "PYTHONPATH=${TSB_MODULES}")
  set(dependencies --without-dependencies)
  z_tsb_of_backends(prefixes consumer library_wheels)
  list(JOIN prefixes "', '" prefixes)
  in_venv(
    libraries
    "${bin}/python"
    -c
    "import importlib.metadata as m\nprint(*[r.replace(chr(59), ' ').split()[0] for r in m.requires('torch') or [] if r.startswith(('${prefixes}',))])"
  )
  file(READ "${log}" libraries)
  string(STRIP "${libraries}" libraries)
  if(libraries)
    if(TSB_GPUS)
      failed(
        ${place} run "it needs the libraries of ${libraries}: ${why}"
        "let pip reach an index that has them (PIP_INDEX_URL), or add their hashes to ${TSB_PINNED}/libraries.txt"
      )
    endif()
    row(skip ${place} run "it needs the libraries of ${libraries}: installed, but not used")
    file(REMOVE_RECURSE "${TSB_WORK}/venv")
    result(ok)
    message(STATUS "ok ${package_name} can be installed in a virtual environment")
    return()
  endif()
endif()

set(expectations ${dependencies})
if(TSB_GPUS)
  list(APPEND expectations --gpus ${TSB_GPUS})
endif()
in_venv(run "${bin}/python" "${TSB_CONSUMER}/wheel_checks.py" ${expectations})
file(STRINGS "${log}" text REGEX "^[0-9]+ checks, 0 failed$")
if(NOT text)
  failed(${place} run "it exited without reporting its checks" "see the log")
endif()
file(STRINGS "${log}" skipped REGEX "^skip ")
foreach(line IN LISTS skipped)
  string(REGEX REPLACE "^skip ([^:]*): (.*)" "\\1;\\2" parts "${line}")
  list(GET parts 0 name)
  list(GET parts 1 why)
  row(skip ${place} "${name}" "${why}")
endforeach()
row(ok ${place} run "${text} in ${seconds} s")

in_venv(
  scripts
  "${bin}/python"
  -c
  "import importlib.metadata as m\nprint(*[e.name for e in m.distribution('torch').entry_points if e.group == 'console_scripts'], sep=',')"
)
file(READ "${log}" scripts)
string(STRIP "${scripts}" scripts)
string(REPLACE "," ";" scripts "${scripts}")
foreach(script IN LISTS scripts)
  in_venv("${script}" "${bin}/${script}" --help)
  row(ok ${place} "${script}" "shows its help")
endforeach()
file(GLOB cmake_package "${TSB_WORK}/venv/lib/python3*/site-packages/torch/share/cmake")
if(cmake_package)
  try_program(${place} program "${cmake_package}")
  row(ok ${place} program "compiled with the wheel's CMake package, and run")
endif()
file(REMOVE_RECURSE "${TSB_WORK}/venv" "${TSB_WORK}/build")
result(ok)
message(STATUS "ok ${package_name} works in a virtual environment")
