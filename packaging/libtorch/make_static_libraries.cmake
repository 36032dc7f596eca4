# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
make_static_libraries
---------------------

Stage script of PyTorch: makes ``static/libc10.a`` and ``static/libtorch_cpu.a`` in the install tree, of the objects that
the shared libraries were linked from. No source is compiled again, and whatever the shared libraries have inside (oneDNN,
protobuf, MKL) is in the archives, only those objects that are needed.

It runs in PyTorch's stage phase, since what comes from the store has no objects; so every install tree has them, and an
artifact of the other linkage builds nothing. Ninja knows how the shared libraries were linked; ``torchpkg archive`` reads
it from there.

Debug information is left out: for programs with a static libtorch inside there is none.

Format 2. The content of this file counts among the package's inputs, that of torchpkg does not: raise the number when
the archives become different ones, and PyTorch is staged again.
#]]
cmake_minimum_required(VERSION 3.25)
get_filename_component(settings_file "${TSB_INSTALL_DIR}/../../../settings.json" ABSOLUTE)
file(READ "${settings_file}" settings)
string(JSON ninja GET "${settings}" ninja)
string(JSON torchpkg GET "${settings}" torchpkg)
string(JSON strip GET "${settings}" CMAKE_STRIP)
set(static "${TSB_INSTALL_DIR}/static")
file(MAKE_DIRECTORY "${static}")
set(beside "")
# In the order in which they need each other, the last one first: a third-party library that two of them link is in one.
foreach(library IN ITEMS c10 torch_cpu)
  set(command "${TSB_BUILD_DIR}/lib${library}.link-command")
  execute_process(
    COMMAND "${ninja}" -C "${TSB_BUILD_DIR}" -t commands -s "lib/lib${library}.so"
    OUTPUT_FILE "${command}"
    ERROR_VARIABLE error
    RESULT_VARIABLE result
  )
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "cannot ask Ninja how lib${library}.so was linked: ${error}")
  endif()
  execute_process(
    COMMAND
      "${torchpkg}" archive --link-command "${command}" --directory "${TSB_BUILD_DIR}" --output
      "${static}/lib${library}.a" ${beside}
    RESULT_VARIABLE result
  )
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "cannot make lib${library}.a; the reason stands above")
  endif()
  execute_process(
    COMMAND "${strip}" --strip-debug --enable-deterministic-archives "${static}/lib${library}.a"
    RESULT_VARIABLE result
  )
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "cannot strip lib${library}.a; the reason stands above")
  endif()
  list(APPEND beside --beside "${static}/lib${library}.a")
endforeach()
