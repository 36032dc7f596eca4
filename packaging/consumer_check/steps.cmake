# SPDX-License-Identifier: BSD-3-Clause
# What the parts of consumer_check share: a step runs one command, and its result is one row of the report. For each
# product:
#
# TSB_PACKAGE              the packed file
# TSB_PUBLISHED            instead of the file, what TSB_PACKAGE names is installed from this index or channel
# TSB_WORK                 everything is written below this folder, logs as log/<place>-<step>.log
# TSB_COMPILER, TSB_NINJA  the C++ compiler, and Ninja. Default: those in the system's folders
# TSB_RESULT               receives the rows as JSON, and the results of the program's own checks
# TSB_BRIEF                rows are printed only when one fails
# TSB_GPUS                 the machine has at least so many: what cannot run for want of one fails, and is not skipped
#
# The environment of every command is empty but for PATH (the system's folders), HOME, what is named for it, and what
# the script has asked for: use_pip, use_gpus. What has to be found (version, BLAS, features) is read from the package's
# own manifest: one that claims what is not true fails. When a step fails, one line says which, after the end of its
# log.
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_of_backends.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_pip_environment.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/../../cmake/data/tsb_find_data.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/../../cmake/settings/z_tsb_use_settings.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/../../cmake/model/tsb_json_object.cmake")
foreach(function IN ITEMS tsb_fail tsb_progress z_tsb_without_password z_tsb_write_file)
  include("${CMAKE_CURRENT_LIST_DIR}/../../cmake/detail/${function}.cmake")
endforeach()

set(system_path /usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin)
set(rows "")
set(held_back "")
# Patterns of the names of variables that a command inherits from this script.
set(inherited PATH TORCH_SUPERBUILD_RUN)

# The settings come in the environment, from the step or from who runs a script by hand: a channel may have a password.
foreach(name IN ITEMS TSB_OFFLINE TSB_ADDITIONS TSB_CONDA_CHANNEL)
  set(${name} "$ENV{${name}}")
  z_tsb_use_setting(${name})
endforeach()

# With TSB_OFFLINE no command asks an address: nothing listens at the proxies. What pip needs has to lie in folders that
# it knows (find-links). The last words, so that no setting of the caller's overrides them.
set(offline_environment "")
set(from "from its index")
if(TSB_OFFLINE)
  set(from "from a folder, and TSB_OFFLINE is set")
  set(offline_environment PIP_NO_INDEX=1 PIP_PROXY=http://127.0.0.1:9 GIT_ALLOW_PROTOCOL=file)
  foreach(name IN ITEMS http_proxy https_proxy all_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY)
    list(APPEND offline_environment "${name}=http://127.0.0.1:9")
  endforeach()
endif()

# For the checks of a backend that is an addition.
set(additions_environment "")
if(TSB_ADDITIONS)
  set(additions_environment "TSB_ADDITIONS=${TSB_ADDITIONS}")
endif()

# begin(<kind of file> <variable>...): these variables have to be given besides those of all products. Sets
# `package_name`.
macro(begin kind)
  foreach(variable IN ITEMS TSB_PACKAGE TSB_CONSUMER TSB_WORK ${ARGN})
    if("${${variable}}" STREQUAL "")
      tsb_fail(
        "consumer_check: ${variable} is not given"
        "usage: cmake -D TSB_PACKAGE=<${kind}> ... -P ${CMAKE_CURRENT_LIST_FILE}, whose head describes the rest"
      )
    endif()
    get_filename_component(${variable} "${${variable}}" ABSOLUTE)
  endforeach()
  if(NOT TSB_PUBLISHED AND (NOT EXISTS "${TSB_PACKAGE}" OR IS_DIRECTORY "${TSB_PACKAGE}"))
    tsb_fail("consumer_check: there is no package ${TSB_PACKAGE}" "make it with the package step of the preset")
  endif()
  file(GLOB others "${TSB_WORK}/*")
  if(others AND NOT (EXISTS "${TSB_WORK}/log" AND EXISTS "${TSB_WORK}/home"))
    tsb_fail("consumer_check: TSB_WORK is ${TSB_WORK}, which holds something else" "name a new folder")
  endif()
  get_filename_component(package_name "${TSB_PACKAGE}" NAME)
endmacro()

# use_pip(): an empty TSB_WORK, and the `environment` of commands that use pip. Ninja is on the path.
macro(use_pip)
  file(REMOVE_RECURSE "${TSB_WORK}")
  file(MAKE_DIRECTORY "${TSB_WORK}/log" "${TSB_WORK}/home")
  if(TSB_NINJA)
    get_filename_component(folder "${TSB_NINJA}" DIRECTORY)
    string(PREPEND system_path "${folder}:")
  endif()
  z_tsb_pip_environment()
  list(APPEND inherited "PIP_[A-Z0-9_]+")
  set(environment LANG=C.UTF-8)
endmacro()

# use_gpus(): with the variables by which whoever runs a machine says how its GPUs and the links between them may be
# used (CUDA_VISIBLE_DEVICES, NCCL_NVLS_ENABLE=0, ...; `environment` of each backend). On a shared machine a program
# that runs without them can disturb others. None helps to find a library.
macro(use_gpus)
  z_tsb_of_backends(names environment)
  list(APPEND inherited ${names})
endmacro()

# not_inherited(<out-var>): options of env that take away what is not inherited. What is stays where it is: as
# NAME=VALUE, a value with a `;` would become several words, and everybody on this machine could see a password.
function(not_inherited out)
  list(JOIN inherited "|" names)
  execute_process(COMMAND env OUTPUT_VARIABLE all)
  string(REGEX MATCHALL "(^|\n)[A-Za-z_][^][;=\\\n]*=" options "${all}")
  list(FILTER options EXCLUDE REGEX "^\n?(${names})=")
  list(TRANSFORM options REPLACE "^\n?(.*)=" "-u\\1")
  set(${out} "${options}" PARENT_SCOPE)
endfunction()

# row(<verdict> <place> <step> <text>): one line for the reader and one entry for the result.
macro(row verdict place step text)
  if(TSB_BRIEF)
    string(APPEND held_back "-- ${verdict} ${place}, ${step}: ${text}\n")
  else()
    message(STATUS "${verdict} ${place}, ${step}: ${text}")
  endif()
  set(entry_place "${place}")
  set(entry_step "${step}")
  set(entry_verdict "${verdict}")
  set(entry_found "${text}")
  tsb_json_object(entry entry_ TEXTS place step verdict found)
  if(rows)
    string(APPEND rows ",\n")
  endif()
  string(APPEND rows "${entry}")
endmacro()

# result(<verdict>): writes what was found so far; with `checks`, the program's own.
macro(result verdict)
  set(of_package "${package_name}")
  set(of_verdict "${verdict}")
  set(of_rows "[${rows}]")
  set(of_checks "${checks}")
  tsb_json_object(summary of_ TEXTS package verdict OBJECTS rows checks)
  z_tsb_write_file("${TSB_WORK}/result.json" "${summary}\n")
  if(TSB_RESULT)
    z_tsb_write_file("${TSB_RESULT}" "${summary}\n")
  endif()
endmacro()

# failed(<place> <step> <what> <remedy>): shows the checks that failed, or the last lines, and ends the script.
macro(failed place step what remedy)
  # Marked, so that a CMake error in a log is not taken for one of this script.
  set(mark sed "s/^/  | /")
  execute_process(
    COMMAND grep "^FAIL " "${log}"
    COMMAND ${mark}
    OUTPUT_VARIABLE shown
    OUTPUT_STRIP_TRAILING_WHITESPACE
  )
  if(NOT shown)
    execute_process(
      COMMAND tail -n 30 "${log}"
      COMMAND ${mark}
      OUTPUT_VARIABLE shown
      OUTPUT_STRIP_TRAILING_WHITESPACE
    )
  endif()
  message(NOTICE "${held_back}${shown}")
  set(TSB_BRIEF OFF)
  row(FAIL "${place}" "${step}" "${what}")
  result(FAIL)
  tsb_fail("${package_name} cannot be used: ${step} at ${place}: ${what}" "${remedy}" "log: ${log}")
endmacro()

# run(<place> <step> [IN <folder>] [ENVIRONMENT <pair>...] COMMAND <command>...): sets `status`, `log` and `seconds`.
function(run place step)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "IN" "ENVIRONMENT;COMMAND")
  string(REPLACE " " "_" name "${place}-${step}")
  set(log "${TSB_WORK}/log/${name}.log")
  set(host_libraries "")
  if(TSB_HOST_LIBRARIES)
    # The linker looks in the second one for what is named on its line; for what these need in the third one, before
    # all folders that the package names, which may have others, such as an older NCCL.
    set(
      host_libraries "LD_LIBRARY_PATH=${TSB_HOST_LIBRARIES}" "LIBRARY_PATH=${TSB_HOST_LIBRARIES}"
                     "LDFLAGS=\"-Wl,-rpath-link,${TSB_HOST_LIBRARIES}\""
    )
  endif()
  file(REMOVE "${log}") # what an earlier check said is not how far this one is
  tsb_progress("${place}, ${step} log: ${log}")
  not_inherited(options)
  string(TIMESTAMP begin "%s")
  execute_process(
    COMMAND env ${options} "PATH=${system_path}" "HOME=${TSB_WORK}/home" ${host_libraries} ${arg_ENVIRONMENT}
            ${additions_environment} ${offline_environment} ${arg_COMMAND}
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
    failed(
      "${place}" "${name}" "it ended with: ${status}" "fix the package, or the consumer project in ${TSB_CONSUMER}"
    )
  endif()
endmacro()

# try_program(<place> <step> <prefix>): compiles a C++ program against the CMake package there, and runs it.
macro(try_program place name prefix)
  set(configure -DCMAKE_BUILD_TYPE=Release "-DCMAKE_PREFIX_PATH=${prefix}")
  if(TSB_COMPILER)
    list(APPEND configure "-DCMAKE_CXX_COMPILER=${TSB_COMPILER}")
  endif()
  step(
    "${place}" configure IN "${TSB_WORK}" COMMAND "${CMAKE_COMMAND}" -G Ninja -S "${TSB_CONSUMER}/conda" -B
    "${TSB_WORK}/build" ${configure}
  )
  step("${place}" build IN "${TSB_WORK}" COMMAND "${CMAKE_COMMAND}" --build "${TSB_WORK}/build")
  step("${place}" "${name}" IN "${TSB_WORK}" COMMAND "${TSB_WORK}/build/use_libtorch")
endmacro()
