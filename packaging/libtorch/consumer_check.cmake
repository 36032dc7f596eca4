# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
consumer_check
--------------

Uses a packed libtorch as its user would, and fails when that does not work.

.. code-block:: sh

  cmake -D TSB_PACKAGE=<zip> -D TSB_CONSUMER=<folder> -D TSB_WORK=<folder>
        [-D TSB_COMPILER=<c++>] [-D TSB_NINJA=<ninja>] [-D TSB_RESULT=<json>] -P consumer_check.cmake

``TSB_PACKAGE``
  The packed file. It is unpacked at two prefixes, one with a space in its name; the first one is deleted before the
  second one is made, so that nothing in the package can point back to it.
``TSB_CONSUMER``
  The consumer: a CMake project that finds Torch and has the programs ``torch_consumer`` (it knows the options of
  ``tests/consumer/main.cpp``), ``right_abi`` and, not part of ``all``, ``wrong_abi``, which must not link.
``TSB_WORK``
  Everything is written below this folder: the unpacked package, builds, ``log/<place>-<step>.log``, a compiler cache.
``TSB_COMPILER``, ``TSB_NINJA``
  The C++ compiler, and Ninja. Default: what CMake finds in the system's folders; without Ninja, make.
``TSB_RESULT``
  Receives the rows as JSON.

The environment of every command is empty but for ``PATH`` (the system's folders), ``HOME`` and, for the compiler,
``TMPDIR`` and the settings of the cache. As many compilers run at once as ``tsb_job_pools`` allows at 1.8 GB for each.
What the program has to find (version, BLAS, features) is read from the package's own ``build-version`` and
``manifest.json``: a manifest that claims what is not true fails.

A run that ended well leaves a stamp. With the same package, the same consumer and the same check it ends at once.
Errors: one line says which step failed, after the step's last lines and with the path of its log.
#]]
cmake_minimum_required(VERSION 3.25)
set(cmake_detail "${CMAKE_CURRENT_LIST_DIR}/../../cmake/detail")
include("${cmake_detail}/tsb_fail.cmake")
include("${cmake_detail}/z_tsb_json.cmake")
include("${cmake_detail}/z_tsb_write_file.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/../../cmake/jobs/tsb_job_pools.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/detail/z_tsb_consumer_expectations.cmake")

set(system_path /usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin)
set(rows "[]")

# row(<verdict> <place> <step> <text>): one line for the reader and one entry for the result.
macro(row verdict place step text)
  message(STATUS "${verdict} ${place}, ${step}: ${text}")
  set(entry "{}")
  z_tsb_json_set_string(entry place "${place}")
  z_tsb_json_set_string(entry step "${step}")
  z_tsb_json_set_string(entry verdict "${verdict}")
  z_tsb_json_set_string(entry found "${text}")
  string(JSON length LENGTH "${rows}")
  string(JSON rows SET "${rows}" ${length} "${entry}")
endmacro()

# result(<verdict>): writes what was found so far.
macro(result verdict)
  set(summary "{}")
  z_tsb_json_set_string(summary package "${package_name}")
  z_tsb_json_set_string(summary verdict "${verdict}")
  string(JSON summary SET "${summary}" rows "${rows}")
  z_tsb_write_file("${TSB_WORK}/result.json" "${summary}\n")
  if(TSB_RESULT)
    z_tsb_write_file("${TSB_RESULT}" "${summary}\n")
  endif()
endmacro()

# failed(<place> <step> <what> <remedy>): shows the checks that failed, or the last lines, and ends the script.
macro(failed place step what remedy)
  # Marked, so that a CMake error in a log is not taken for one of this script.
  set(mark sed "s/^/  | /")
  execute_process(COMMAND grep "^FAIL " "${log}" COMMAND ${mark} OUTPUT_VARIABLE shown OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT shown)
    execute_process(COMMAND tail -n 30 "${log}" COMMAND ${mark} OUTPUT_VARIABLE shown OUTPUT_STRIP_TRAILING_WHITESPACE)
  endif()
  message(NOTICE "${shown}")
  row(FAIL "${place}" "${step}" "${what}")
  result(FAIL)
  tsb_fail("${package_name} cannot be used: ${step} at ${place}: ${what}" "${remedy}" "log: ${log}")
endmacro()

# run(<place> <step> [IN <folder>] [ENVIRONMENT <pair>...] COMMAND <command>...): sets `status`, `log` and `seconds`.
function(run place step)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "IN" "ENVIRONMENT;COMMAND")
  string(REPLACE " " "_" name "${place}-${step}")
  set(log "${TSB_WORK}/log/${name}.log")
  string(TIMESTAMP begin "%s")
  execute_process(
    COMMAND env -i "PATH=${system_path}" "HOME=${TSB_WORK}/home" ${arg_ENVIRONMENT} ${arg_COMMAND}
    WORKING_DIRECTORY "${arg_IN}"
    OUTPUT_FILE "${log}"
    ERROR_FILE "${log}"
    RESULT_VARIABLE status
    TIMEOUT 3600
  )
  string(TIMESTAMP end "%s")
  math(EXPR seconds "${end} - ${begin}")
  set(status "${status}" PARENT_SCOPE)
  set(log "${log}" PARENT_SCOPE)
  set(seconds "${seconds}" PARENT_SCOPE)
endfunction()

# step(<place> <step> ...): like run, and ends the script when the command fails.
macro(step place name)
  run("${place}" "${name}" ${ARGN})
  if(NOT status EQUAL 0)
    failed("${place}" "${name}" "it ended with: ${status}" "mend the package, or the consumer in ${TSB_CONSUMER}")
  endif()
endmacro()

macro(check_at place)
  set(here "${TSB_WORK}/${place}")
  file(MAKE_DIRECTORY "${here}/run")
  step(
    "${place}"
    unpack
    IN
    "${here}"
    COMMAND
    "${CMAKE_COMMAND}"
    -E
    tar
    xf
    "${TSB_PACKAGE}"
  )
  if(NOT EXISTS "${here}/libtorch/build-version")
    failed("${place}" unpack "there is no libtorch/build-version in it" "pack the tree below a folder libtorch")
  endif()
  row(ok "${place}" unpack "${seconds} s")
  z_tsb_consumer_expectations(expectations "${here}/libtorch" "${package_name}")

  # Only the package itself may answer find_package: what a developer's machine has installed would hide what is missing.
  step(
    "${place}"
    configure
    IN
    "${here}"
    ENVIRONMENT
    ${compile_environment}
    COMMAND
    "${CMAKE_COMMAND}"
    -S
    "${TSB_CONSUMER}"
    -B
    build
    -G
    "${generator}"
    --no-warn-unused-cli
    ${launcher}
    ${tools}
    "-DCMAKE_PREFIX_PATH=${here}/libtorch"
    -DCONSUMER_ABI=${abi}
    -DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF
    -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF
    -DCMAKE_FIND_USE_SYSTEM_PACKAGE_REGISTRY=OFF
  )
  file(READ "${log}" text)
  if(text MATCHES "CMake (Deprecation )?Warning")
    failed(
      "${place}"
      configure
      "find_package(Torch) warns"
      "mend the package's CMake files; a user should see no warning"
    )
  endif()
  row(ok "${place}" configure "${seconds} s, no warning")

  step(
    "${place}"
    build
    IN
    "${here}"
    ENVIRONMENT
    ${compile_environment}
    COMMAND
    "${CMAKE_COMMAND}"
    --build
    build
    --parallel
    ${jobs}
  )
  row(ok "${place}" build "${seconds} s")

  step("${place}" "run right_abi" IN "${here}/run" COMMAND "${here}/build/right_abi")
  run(
    "${place}"
    "link wrong_abi"
    IN "${here}"
    ENVIRONMENT ${compile_environment}
    COMMAND "${CMAKE_COMMAND}" --build build --target wrong_abi
  )
  if(status EQUAL 0)
    failed("${place}" "link wrong_abi" "a program of the other C++ ABI links" "build all libraries for one C++ ABI")
  endif()
  file(READ "${log}" text)
  if(NOT text MATCHES "undefined (reference|symbol)")
    failed("${place}" "link wrong_abi" "it failed for another reason than an undefined reference" "see the log")
  endif()
  row(ok "${place}" "link wrong_abi" "undefined reference, as it must be")

  foreach(setting IN ITEMS "" OMP_NUM_THREADS=1)
    string(STRIP "run ${setting}" name)
    step(
      "${place}"
      "${name}"
      IN
      "${here}/run"
      ENVIRONMENT
      ${setting}
      COMMAND
      "${here}/build/torch_consumer"
      ${expectations}
      --expect-prefix
      "${here}/libtorch"
    )
    file(STRINGS "${log}" text REGEX "^[0-9]+ checks, 0 failed$")
    if(NOT text)
      failed("${place}" "${name}" "it ended without having told its checks" "see the log")
    endif()
    row(ok "${place}" "${name}" "${text}")
  endforeach()
endmacro()

foreach(variable IN ITEMS TSB_PACKAGE TSB_CONSUMER TSB_WORK)
  if("${${variable}}" STREQUAL "")
    tsb_fail(
      "consumer_check: ${variable} is not given"
      "usage: cmake -D TSB_PACKAGE=<zip> -D TSB_CONSUMER=<folder> -D TSB_WORK=<folder> -P consumer_check.cmake"
    )
  endif()
  get_filename_component(${variable} "${${variable}}" ABSOLUTE)
endforeach()
if(NOT EXISTS "${TSB_PACKAGE}" OR IS_DIRECTORY "${TSB_PACKAGE}")
  tsb_fail("consumer_check: there is no package ${TSB_PACKAGE}" "make it with the package step of the preset")
endif()
if(NOT EXISTS "${TSB_CONSUMER}/CMakeLists.txt")
  tsb_fail("consumer_check: there is no CMakeLists.txt in ${TSB_CONSUMER}" "name the folder of the consumer project")
endif()
get_filename_component(package_name "${TSB_PACKAGE}" NAME)
file(MAKE_DIRECTORY "${TSB_WORK}/log" "${TSB_WORK}/home" "${TSB_WORK}/tmp")
file(REAL_PATH "${TSB_WORK}" TSB_WORK)

file(SHA256 "${TSB_PACKAGE}" fingerprint)
string(APPEND fingerprint "\n${TSB_COMPILER}")
file(GLOB_RECURSE inputs LIST_DIRECTORIES OFF "${TSB_CONSUMER}/*")
foreach(
  input
  IN
  LISTS inputs
  ITEMS "${CMAKE_CURRENT_LIST_FILE}" "${CMAKE_CURRENT_LIST_DIR}/detail/z_tsb_consumer_expectations.cmake"
)
  file(SHA256 "${input}" hash)
  string(APPEND fingerprint "\n${hash} ${input}")
endforeach()
set(stamp "${TSB_WORK}/checked.stamp")
if(EXISTS "${stamp}" AND EXISTS "${TSB_WORK}/result.json")
  file(READ "${stamp}" checked)
  if(checked STREQUAL fingerprint)
    if(TSB_RESULT)
      file(READ "${TSB_WORK}/result.json" json)
      z_tsb_write_file("${TSB_RESULT}" "${json}")
    endif()
    message(STATUS "ok ${package_name} was used before by the same consumer; nothing to do")
    return()
  endif()
endif()
file(REMOVE "${stamp}" "${TSB_WORK}/result.json")
file(REMOVE_RECURSE "${TSB_WORK}/first" "${TSB_WORK}/second place")

tsb_job_pools(MEMORY_PER_JOB_MB 1800 RESULT_JOBS jobs)
string(REPLACE ":" ";" folders "${system_path}")
if(NOT TSB_NINJA)
  find_program(TSB_NINJA NAMES ninja ninja-build PATHS ${folders} NO_DEFAULT_PATH NO_CACHE)
endif()
set(tools "")
set(generator "Unix Makefiles")
if(TSB_NINJA)
  set(generator Ninja)
  list(APPEND tools "-DCMAKE_MAKE_PROGRAM=${TSB_NINJA}")
endif()
if(TSB_COMPILER)
  list(APPEND tools "-DCMAKE_CXX_COMPILER=${TSB_COMPILER}")
endif()
# The paths below TSB_WORK are the same relative to each build, so the second build is made of cache hits.
find_program(ccache NAMES ccache PATHS ${folders} NO_DEFAULT_PATH)
set(compile_environment "TMPDIR=${TSB_WORK}/tmp")
if(ccache)
  set(launcher "-DCMAKE_CXX_COMPILER_LAUNCHER=${ccache}")
  list(APPEND compile_environment "CCACHE_DIR=${TSB_WORK}/ccache" "CCACHE_BASEDIR=${TSB_WORK}" CCACHE_NOHASHDIR=1)
endif()

check_at(first)
file(REMOVE_RECURSE "${TSB_WORK}/first")
check_at("second place")
file(REMOVE_RECURSE "${TSB_WORK}/second place" "${TSB_WORK}/tmp")
result(ok)
z_tsb_write_file("${stamp}" "${fingerprint}")
message(STATUS "ok ${package_name} works at two places")
