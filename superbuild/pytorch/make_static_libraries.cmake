# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
make_static_libraries
---------------------

Stage script of PyTorch: makes ``static/lib<name>.a`` in the install tree for ``libc10.so`` and ``libtorch_cpu.so``, and
for those of the backend (``libraries`` in its ``backend.json``), of the objects that the shared libraries were linked
from. Whatever the shared libraries have inside (oneDNN, protobuf, MKL, MAGMA) is in the archives, only those objects
that are needed, each in one archive only.

It runs in PyTorch's stage phase, since what comes from the store has no objects; so every install tree has them, and an
artifact of the other linkage builds nothing. With a backend that has no static artifact there are none. Ninja knows how
the shared libraries were linked; ``torchpkg archive`` reads it from there.

Where an object cannot be in an archive as it was linked, the backend's hook ``static_objects`` has another one made.

Debug information is left out: for programs with a static libtorch inside there is none.
#]]
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/../../cmake/backend/tsb_ask_backend.cmake")
get_filename_component(build_folder "${TSB_INSTALL_DIR}/../../.." ABSOLUTE)
tsb_read_record("${build_folder}/settings.json" settings)
tsb_read_record("${build_folder}/plan/backend.json" backend)
if(NOT static IN_LIST backend_linkages)
  return()
endif()
set(static "${TSB_INSTALL_DIR}/static")
file(MAKE_DIRECTORY "${static}")

set(libraries c10 torch_cpu)
foreach(library IN LISTS backend_libraries)
  if(EXISTS "${TSB_BUILD_DIR}/lib/lib${library}.so")
    list(APPEND libraries ${library})
  endif()
endforeach()
tsb_ask_backend(objects backend static_objects "${libraries}" "${TSB_BUILD_DIR}" "${settings_ninja}")

set(beside "")
# In the order in which they need each other, the last one first: a third-party library that two of them link is in one.
foreach(library IN LISTS libraries)
  set(command "${TSB_BUILD_DIR}/lib${library}.link-command")
  execute_process(
    COMMAND "${settings_ninja}" -C "${TSB_BUILD_DIR}" -t commands -s "lib/lib${library}.so"
    OUTPUT_FILE "${command}"
    ERROR_VARIABLE error
    RESULT_VARIABLE result
  )
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "cannot ask Ninja how lib${library}.so was linked: ${error}")
  endif()
  file(READ "${command}" line)
  set(pairs ${objects})
  while(pairs)
    list(POP_FRONT pairs object own)
    string(REPLACE " ${object} " " ${own} " line "${line}")
  endwhile()
  file(WRITE "${command}" "${line}")
  execute_process(
    COMMAND "${settings_torchpkg}" archive --link-command "${command}" --directory "${TSB_BUILD_DIR}" --output
            "${static}/lib${library}.a" ${beside} RESULT_VARIABLE result
  )
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "cannot make lib${library}.a; see the message above")
  endif()
  execute_process(
    COMMAND "${settings_CMAKE_STRIP}" --strip-debug --enable-deterministic-archives "${static}/lib${library}.a"
    RESULT_VARIABLE result
  )
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "cannot strip lib${library}.a; see the message above")
  endif()
  list(APPEND beside --beside "${static}/lib${library}.a")
endforeach()
