# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_find_python
---------------

Finds the Python that an artifact is made for: CPython of exactly this minor version, with its headers. Never just any
``python3``. ::

  tsb_find_python(<version> EXECUTABLE <variable> DESCRIPTION <variable> ERROR <variable>)

``<version>``
  Major and minor version: ``3.11``.
``EXECUTABLE``
  Set to the interpreter itself, not a wrapper such as pyenv's.
``DESCRIPTION``
  Set to what decides the extension modules that are made with it: ``CPython 3.11.7 cpython-311-x86_64-linux-gnu``.
``ERROR``
  Set to the reason why there is none, else to an empty string. The others are empty then.

Looked at, in this order: what ``TSB_PYTHON_<version without dot>`` names (then nothing else),
``python<version>`` on the path, and where pyenv, uv and the manylinux images keep theirs.

Refused: another version than asked for, PyPy and the like, a debug or a free-threaded build (PyTorch's wheels have
another tag for that one), one without ``Python.h``.
#]]
include_guard(GLOBAL)

# z_tsb_look_at_python(<interpreter> <version>): sets executable, description, fault.
function(z_tsb_look_at_python python version)
  set(
    script
    [[
import os, platform, sys, sysconfig
print("|".join([
    platform.python_implementation(),
    "%d.%d" % sys.version_info[:2],
    platform.python_version(),
    getattr(sys, "abiflags", ""),
    "headers" if os.path.exists(os.path.join(sysconfig.get_paths()["include"], "Python.h")) else "",
    sysconfig.get_config_var("SOABI") or "",
    sys.executable,
]))
]]
  )
  execute_process(
    COMMAND "${python}" -I -c "${script}" OUTPUT_VARIABLE output ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE
  )
  set(executable "")
  set(description "")
  set(fault "")
  if(NOT output MATCHES "^([^|]*)\\|([^|]*)\\|([^|]*)\\|([^|]*)\\|([^|]*)\\|([^|]*)\\|(.+)$")
    set(fault "${python} does not run")
  elseif(NOT "${CMAKE_MATCH_1}" STREQUAL "CPython")
    set(fault "${python} is ${CMAKE_MATCH_1}, not CPython")
  elseif(NOT "${CMAKE_MATCH_2}" STREQUAL version)
    set(fault "${python} is Python ${CMAKE_MATCH_3}")
  elseif(NOT "${CMAKE_MATCH_4}" STREQUAL "")
    set(fault "${python} is a debug or free-threaded build (its ABI flags are '${CMAKE_MATCH_4}')")
  elseif("${CMAKE_MATCH_5}" STREQUAL "")
    set(fault "${python} has no headers (Python.h)")
  else()
    set(executable "${CMAKE_MATCH_7}")
    set(description "CPython ${CMAKE_MATCH_3} ${CMAKE_MATCH_6}")
  endif()
  foreach(variable IN ITEMS executable description fault)
    set(${variable} "${${variable}}" PARENT_SCOPE)
  endforeach()
endfunction()

function(tsb_find_python version)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "EXECUTABLE;DESCRIPTION;ERROR" "")
  string(REPLACE "." "" tag "${version}")
  set(named "${TSB_PYTHON_${tag}}")
  if(named)
    set(candidates "${named}")
  else()
    find_program(first python${version} NO_CACHE)
    set(candidates ${first})
    list(FILTER candidates EXCLUDE REGEX "NOTFOUND$")
    foreach(
      pattern IN
      ITEMS
        "/usr/bin/python${version}"
        "/usr/local/bin/python${version}"
        "$ENV{HOME}/.pyenv/versions/${version}.*/bin/python${version}"
        "$ENV{PYENV_ROOT}/versions/${version}.*/bin/python${version}"
        "$ENV{HOME}/.local/share/uv/python/cpython-${version}.*/bin/python${version}"
        "/opt/python/cp${tag}-cp${tag}/bin/python${version}"
    )
      file(GLOB found "${pattern}")
      list(SORT found COMPARE NATURAL ORDER DESCENDING)
      list(APPEND candidates ${found})
    endforeach()
    list(REMOVE_DUPLICATES candidates)
  endif()

  set(chosen "")
  set(faults "")
  foreach(candidate IN LISTS candidates)
    z_tsb_look_at_python("${candidate}" ${version})
    if(NOT fault)
      set(chosen "${executable}")
      break()
    endif()
    # pyenv's wrapper of a version that is installed but not chosen is not a fault of that version.
    if(named OR NOT candidate MATCHES "/shims/")
      list(APPEND faults "${fault}")
    endif()
  endforeach()
  if(NOT chosen)
    set(description "")
    list(JOIN faults ", " faults)
    set(error "there is no python${version}")
    if(faults)
      set(error "${faults}")
    endif()
  else()
    set(error "")
  endif()
  set(${arg_EXECUTABLE} "${chosen}" PARENT_SCOPE)
  set(${arg_DESCRIPTION} "${description}" PARENT_SCOPE)
  set(${arg_ERROR} "${error}" PARENT_SCOPE)
endfunction()
