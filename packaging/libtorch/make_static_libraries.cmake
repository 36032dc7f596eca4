# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
make_static_libraries
---------------------

Stage script of PyTorch: makes ``static/lib<name>.a`` in the install tree for ``libc10.so`` and ``libtorch_cpu.so``, with CUDA also
for ``libc10_cuda.so``, ``libtorch_cuda.so`` and ``libtorch_cuda_linalg.so``, of the objects that the shared libraries were linked
from. Whatever the shared libraries have inside (oneDNN, protobuf, MKL, MAGMA) is in the archives, only those objects that are
needed, each in one archive only.

It runs in PyTorch's stage phase, since what comes from the store has no objects; so every install tree has them, and an
artifact of the other linkage builds nothing. Ninja knows how the shared libraries were linked; ``torchpkg archive`` reads
it from there.

Two sources are compiled again, all others are not. PyTorch opens ``libtorch_cuda_linalg.so`` by its name when linear algebra is
first asked of the GPU, and ``_cholesky_solve_helper_cuda`` in ``LinearAlgebraStubs.cpp`` does so even when its functions are there
already, as in a program that has them inside. Without ``BUILD_LAZY_CUDA_LINALG``, which upstream does not set where it builds
static libraries, the stubs are empty and ``BatchLinearAlgebra.cpp`` takes their place. Headers say nothing by that name but
declarations.

Debug information is left out: for programs with a static libtorch inside there is none.
#]]
cmake_minimum_required(VERSION 3.25)
get_filename_component(settings_file "${TSB_INSTALL_DIR}/../../../settings.json" ABSOLUTE)
file(READ "${settings_file}" settings)
string(JSON ninja GET "${settings}" ninja)
string(JSON torchpkg GET "${settings}" torchpkg)
string(JSON strip GET "${settings}" CMAKE_STRIP)
set(static "${TSB_INSTALL_DIR}/static")
file(MAKE_DIRECTORY "${static}")

# compile_again(<command of a compile>): without the definition `lazy`, when the source knows it. Appends the object to the
# lists `lazy_objects` and `own_objects`: the one that was linked, and the new one.
function(compile_again command)
  separate_arguments(words UNIX_COMMAND "${command}")
  list(FIND words -c at)
  math(EXPR at "${at} + 1")
  list(GET words ${at} source)
  get_filename_component(source "${source}" ABSOLUTE BASE_DIR "${TSB_BUILD_DIR}")
  file(STRINGS "${source}" lines REGEX "${lazy}" LIMIT_COUNT 1)
  if(NOT lines)
    return()
  endif()
  list(FIND words -o at)
  math(EXPR at "${at} + 1")
  list(GET words ${at} object)
  string(REGEX REPLACE "\\.o$" ".static.o" own "${object}")
  list(REMOVE_ITEM words -D${lazy})
  string(REPLACE "${object}" "${own}" words "${words}")
  execute_process(COMMAND ${words} WORKING_DIRECTORY "${TSB_BUILD_DIR}" RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "cannot compile ${source} without ${lazy}; see the message above")
  endif()
  set(lazy_objects ${lazy_objects} "${object}" PARENT_SCOPE)
  set(own_objects ${own_objects} "${own}" PARENT_SCOPE)
endfunction()

set(lazy BUILD_LAZY_CUDA_LINALG)
set(lazy_objects "")
set(own_objects "")
set(libraries c10 torch_cpu)
if(EXISTS "${TSB_BUILD_DIR}/lib/libtorch_cuda.so")
  list(APPEND libraries c10_cuda torch_cuda)
endif()
if(EXISTS "${TSB_BUILD_DIR}/lib/libtorch_cuda_linalg.so")
  list(APPEND libraries torch_cuda_linalg)
  execute_process(
    COMMAND "${ninja}" -C "${TSB_BUILD_DIR}" -t commands lib/libtorch_cuda_linalg.so
    COMMAND grep -e " -D${lazy} .* -c "
    OUTPUT_VARIABLE commands
    OUTPUT_STRIP_TRAILING_WHITESPACE
  )
  string(REPLACE "\n" ";" commands "${commands}")
  foreach(command IN LISTS commands)
    compile_again("${command}")
  endforeach()
endif()

set(beside "")
# In the order in which they need each other, the last one first: a third-party library that two of them link is in one.
foreach(library IN LISTS libraries)
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
  file(READ "${command}" line)
  foreach(object own IN ZIP_LISTS lazy_objects own_objects)
    string(REPLACE " ${object} " " ${own} " line "${line}")
  endforeach()
  file(WRITE "${command}" "${line}")
  execute_process(
    COMMAND "${torchpkg}" archive --link-command "${command}" --directory "${TSB_BUILD_DIR}" --output
            "${static}/lib${library}.a" ${beside} RESULT_VARIABLE result
  )
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "cannot make lib${library}.a; see the message above")
  endif()
  execute_process(
    COMMAND "${strip}" --strip-debug --enable-deterministic-archives "${static}/lib${library}.a" RESULT_VARIABLE result
  )
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "cannot strip lib${library}.a; see the message above")
  endif()
  list(APPEND beside --beside "${static}/lib${library}.a")
endforeach()
