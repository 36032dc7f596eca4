# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
consumer_check
--------------

Uses a packed libtorch as its user would, and fails when that does not work. ::

  cmake -D TSB_PACKAGE=<zip> -D TSB_CONSUMER=<folder> -D TSB_WORK=<folder>
        [-D TSB_DEBUG_PACKAGE=<zip>] [-D TSB_COMPILER=<c++>] [-D TSB_NINJA=<ninja>] [-D TSB_CACHE=<folder>]
        [-D TSB_RESULT=<json>] [-D TSB_GPUS=<n>] [-D TSB_HOST_LIBRARIES=<folders>]
        [-D TSB_TRIPLET=<triplet> -D TSB_EMULATOR=<qemu>] -P consumer_check.cmake

Variables of all products are described in ``../consumer_check/steps.cmake``. The zip is unpacked at two prefixes, one
with a space in its name; the first one is deleted before the second one is made, so that nothing in the package can
point back to it. With ``TSB_GPUS`` it is used at one only, since it was moved where it was made
(``packaging/consumer/run_on_gpu.sh`` is the short way to this).

``TSB_CONSUMER``
  A CMake project that finds Torch and has the programs ``torch_consumer`` (it knows the options of
  ``packaging/consumer/run_checks.cpp``), ``right_abi`` and, not part of ``all``, ``wrong_abi``, which must not link,
  and ``torch_consumer_by_library``, the first one with all its code in a shared library.
``TSB_DEBUG_PACKAGE``
  Its debug zip, unpacked beside: gdb must find the libraries' source lines. Without gdb a row says it was not checked.
``TSB_CACHE``
  Cache of the compiler and of gdb; several checks may share it. Default: a folder below ``TSB_WORK``.
``TSB_HOST_LIBRARIES``
  Folders with ``:`` between, where the host has what a package without deps needs; for the loader and the linker.
``TSB_TRIPLET``, ``TSB_EMULATOR``
  For a package of another processor than this machine's: the name of its folder in ``/usr`` with the C and C++
  libraries, such as ``aarch64-linux-gnu``, for which ``TSB_COMPILER`` compiles; and the qemu that runs its programs.

A static libtorch is also linked by each compiler and linker that is there (``check_linkers.cmake``). As many compilers
run at once as ``tsb_job_pools`` allows at 1.8 GB for each.
#]]
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/../../cmake/jobs/tsb_job_pools.cmake")
file(
  GLOB parts "${CMAKE_CURRENT_LIST_DIR}/consumer_check/*.cmake" "${CMAKE_CURRENT_LIST_DIR}/../consumer_check/*.cmake"
)
foreach(part IN LISTS parts)
  include("${part}")
endforeach()

set(checks "")
use_gpus()
if(NOT "${TSB_GPUS}" MATCHES "^[0-9]*$")
  tsb_fail("consumer_check: TSB_GPUS is '${TSB_GPUS}'" "give the number of GPUs that the machine has")
endif()

begin(zip)
if(NOT EXISTS "${TSB_CONSUMER}/CMakeLists.txt")
  tsb_fail("consumer_check: there is no CMakeLists.txt in ${TSB_CONSUMER}" "name the folder of the consumer project")
endif()
if(TSB_DEBUG_PACKAGE)
  get_filename_component(TSB_DEBUG_PACKAGE "${TSB_DEBUG_PACKAGE}" ABSOLUTE)
  if(NOT EXISTS "${TSB_DEBUG_PACKAGE}")
    tsb_fail("consumer_check: there is no package ${TSB_DEBUG_PACKAGE}" "make it with the package step of the preset")
  endif()
endif()
file(MAKE_DIRECTORY "${TSB_WORK}/log" "${TSB_WORK}/home" "${TSB_WORK}/tmp")
file(REAL_PATH "${TSB_WORK}" TSB_WORK)

file(REMOVE "${TSB_WORK}/result.json")
file(REMOVE_RECURSE "${TSB_WORK}/first" "${TSB_WORK}/second place")

tsb_job_pools(MEMORY_PER_JOB_MB 1800 RESULT_JOBS jobs)
string(REPLACE ":" ";" folders "${system_path}")
if(NOT TSB_NINJA)
  find_program(
    TSB_NINJA
    NAMES ninja ninja-build
    PATHS ${folders}
    NO_DEFAULT_PATH NO_CACHE
  )
endif()
set(make_program "")
set(generator "Unix Makefiles")
if(TSB_NINJA)
  set(generator Ninja)
  set(make_program "-DCMAKE_MAKE_PROGRAM=${TSB_NINJA}")
endif()
set(compiler_option "")
if(TSB_COMPILER)
  set(compiler_option "-DCMAKE_CXX_COMPILER=${TSB_COMPILER}")
endif()
set(emulator "")
if(TSB_TRIPLET)
  string(REGEX MATCH "^[^-]+" processor "${TSB_TRIPLET}")
  set(emulator "${TSB_EMULATOR}" -cpu max -L "/usr/${TSB_TRIPLET}")
  set(text "set(CMAKE_SYSTEM_NAME Linux)\nset(CMAKE_SYSTEM_PROCESSOR ${processor})\n")
  string(APPEND text "set(CMAKE_CXX_COMPILER \"${TSB_COMPILER}\")\n")
  string(APPEND text "set(CMAKE_CROSSCOMPILING_EMULATOR \"${emulator}\")\n")
  file(WRITE "${TSB_WORK}/toolchain.cmake" "${text}")
  set(compiler_option "-DCMAKE_TOOLCHAIN_FILE=${TSB_WORK}/toolchain.cmake")
endif()
# The paths below TSB_WORK are the same relative to each build, so the second build is made of cache hits.
find_program(
  ccache
  NAMES ccache
  PATHS ${folders}
  NO_DEFAULT_PATH
)
set(compile_environment "TMPDIR=${TSB_WORK}/tmp")
if(NOT TSB_CACHE)
  set(TSB_CACHE "${TSB_WORK}/cache")
endif()
if(ccache)
  set(launcher "-DCMAKE_CXX_COMPILER_LAUNCHER=${ccache}")
  list(APPEND compile_environment "CCACHE_DIR=${TSB_CACHE}/ccache" "CCACHE_BASEDIR=${TSB_WORK}" CCACHE_NOHASHDIR=1)
endif()

check_at(first)
if(TSB_DEBUG_PACKAGE)
  check_debugger(first)
endif()
if(linkage STREQUAL "static")
  check_linkers(first)
endif()
file(REMOVE_RECURSE "${TSB_WORK}/first")
if(TSB_GPUS)
  set(where "on a machine with ${TSB_GPUS} GPUs")
else()
  check_at("second place")
  set(where "in two folders")
endif()
file(REMOVE_RECURSE "${TSB_WORK}/second place" "${TSB_WORK}/tmp")
result(ok)
message(STATUS "ok ${package_name} works ${where}")
