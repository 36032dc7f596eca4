# SPDX-License-Identifier: BSD-3-Clause
# What the end-to-end tests share. In: WORK, TORCHPKG, TSB_SOURCE_DIR, TSB_TEST_DIR.
include("${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake")
set(preset cpu-libtorch-shared)
include("${TSB_SOURCE_DIR}/tests/fixtures/release.cmake")
set(zip_name libtorch-cxx11-abi-shared-with-deps-${pytorch}+cpu.zip)
set(first "${WORK}/a folder")
set(first_zip "${first}/dist/${zip_name}")

# copy_tree(<folder> [<from>]): this project, without what was built in it. Default: from the first copy, so that an
# edit while the tests run makes no difference.
function(copy_tree folder)
  set(from "${first}")
  if(ARGC GREATER 1)
    set(from "${ARGV1}")
  endif()
  file(REMOVE_RECURSE "${folder}")
  file(GLOB entries "${from}/*")
  foreach(entry IN LISTS entries)
    get_filename_component(name "${entry}" NAME)
    if(NOT name MATCHES "^(\\.git|build|dist)$")
      file(COPY "${entry}" DESTINATION "${folder}")
    endif()
  endforeach()
endfunction()

# stand_in_environment(<var> <tree> [<NAME=value>...]): `env` and its arguments for a run in this tree. What the caller
# may have set for real builds does not count. The sources are shared, the store is the tree's own.
function(stand_in_environment out tree)
  get_filename_component(name "${tree}" NAME)
  set(command env)
  execute_process(COMMAND env OUTPUT_VARIABLE all)
  string(REGEX MATCHALL "(^|\n)(TSB|CMAKE|S?CCACHE|NINJA|CTEST|SOURCE_DATE)_[A-Za-z0-9_]+=" names "${all}")
  foreach(entry IN LISTS names)
    string(REGEX REPLACE "[\n=]" "" entry "${entry}")
    list(APPEND command "--unset=${entry}")
  endforeach()
  list(
    APPEND
    command
    "TSB_PINS_FILE=${WORK}/stand-in/pins/sources.json"
    "TSB_SOURCE_MIRROR=${WORK}/stand-in/mirror"
    TSB_PROVIDERS=mirror
    "TSB_PYTORCH_VERSION=${pytorch}" # whatever the presets have
    "TSB_CONSUMER_DIR=${tree}/tests/fixtures/consumer-stand-in"
    "TSB_SOURCES=${WORK}/sources"
    "TSB_STORE=${WORK}/store of ${name}"
    "TSB_TORCHPKG=${TORCHPKG}"
    "CCACHE_DIR=${WORK}/ccache"
    TSB_SHOW_CHECKS=ON
    "PWD=${tree}" # as a shell says where it is: by the name with the link
    TSB_DOCTOR_SKIP=disk,memory # the needs of the real PyTorch
  )
  set(${out} ${command} ${ARGN} PARENT_SCOPE)
endfunction()

# find_usable_python(): sets `python` to the machine's python3, `tag` to 311 and the like when a wheel can be made for
# it and tried with it, else to nothing; `pythons` to the settings for the environment that say so. The libraries that
# make wheels are in ${WORK}/python-tools.
macro(find_usable_python)
  find_program(python python3 REQUIRED)
  execute_process(
    COMMAND
      "${python}" -c
      "import ensurepip, os, sys, sysconfig\nassert os.path.exists(sysconfig.get_paths()['include'] + '/Python.h')\nprint('%d%d' % sys.version_info[:2])"
    OUTPUT_VARIABLE tag
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET
  )
  string(REGEX REPLACE "^3" "3." pythons "${tag}")
  set(pythons TSB_PYTHONS=${pythons} "TSB_PYTHON_${tag}=${python}")
  if(NOT tag MATCHES "^3(9|10|11|12|13)$" OR NOT EXISTS "${WORK}/python-tools/packaging")
    message("No wheel: ${python} has no headers, no venv, no libraries for wheels, or is of an unsupported version")
    set(tag "")
    set(pythons TSB_PYTHONS=none)
  endif()
endmacro()

# run_in(<tree> [ENVIRONMENT <NAME=value>...] [WITH <command>...] COMMAND <command>...): sets status and output, and
# keeps the output in the test's folder. WITH: a command that runs the command.
function(run_in tree)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "ENVIRONMENT;WITH;COMMAND")
  stand_in_environment(environment "${tree}" ${arg_ENVIRONMENT})
  execute_process(
    COMMAND ${environment} ${arg_WITH} ${arg_COMMAND}
    WORKING_DIRECTORY "${tree}"
    RESULT_VARIABLE status
    OUTPUT_VARIABLE output
    ERROR_VARIABLE output
    INPUT_FILE /dev/null
  )
  file(APPEND "${TSB_TEST_DIR}/log.txt" "$ ${arg_COMMAND}\n${output}\n")
  set(status "${status}" PARENT_SCOPE)
  set(output "${output}" PARENT_SCOPE)
endfunction()

# workflow(<tree> ...): the workflow of the preset.
macro(workflow tree)
  run_in("${tree}" ${ARGN} COMMAND "${CMAKE_COMMAND}" --workflow --preset ${preset})
endmacro()

# good("<what>"): the last run ended well; its output is shown otherwise.
macro(good what)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${what}: it ended with ${status}:\n${output}")
  endif()
endmacro()

# bad("<what>" <text>...): the last run failed, with these texts, and without CMake's frames.
macro(bad what)
  if(status EQUAL 0)
    message(FATAL_ERROR "${what}: it ended well:\n${output}")
  endif()
  tsb_expect("${what}" CONTAINS "${output}" ${ARGN})
  tsb_expect("${what}" LACKS "${output}" "Call Stack")
endmacro()

# use_no_network(<out-var>): a command that runs a command in an empty network namespace; empty where that is forbidden.
function(use_no_network out)
  set(${out} "" PARENT_SCOPE)
  foreach(options IN ITEMS "-n" "-r;-n")
    execute_process(COMMAND unshare ${options} true RESULT_VARIABLE refused OUTPUT_QUIET ERROR_QUIET)
    if(refused EQUAL 0)
      set(${out} unshare ${options} PARENT_SCOPE)
      break()
    endif()
  endforeach()
endfunction()

# same_zip("<what>" <folder>): the zip there is the first tree's, byte for byte.
function(same_zip what folder)
  file(SHA256 "${folder}/${zip_name}" hash)
  file(READ "${WORK}/zip.sha256" expected)
  if(NOT hash STREQUAL expected)
    message(FATAL_ERROR "${what}: ${folder}/${zip_name} differs from the first one; keep both and compare: ${WORK}")
  endif()
endfunction()

# only_the_zip(<dist>): nothing but it, its debug zip, its bills of materials, the statements and what was not tried
# lies there, hidden or not.
function(only_the_zip dist)
  file(GLOB found RELATIVE "${dist}" "${dist}/*" "${dist}/.*")
  list(REMOVE_ITEM found . ..)
  list(SORT found)
  string(REGEX REPLACE "zip$" "" base "${zip_name}")
  set(debug "debug-${zip_name}")
  tsb_expect(
    "what lies in ${dist}" EQUAL "${found}"
    "${debug};${debug}.intoto.json;${base}cdx.json;${base}spdx.json;${zip_name};${zip_name}.checks.json;${zip_name}.intoto.json"
  )
endfunction()
