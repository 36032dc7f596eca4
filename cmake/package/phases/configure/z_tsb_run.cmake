# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../../python/tsb_python_command.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../../z_tsb_framework.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../../z_tsb_source_commit.cmake)

# z_tsb_run(<phase> [RETRY_ALONE] [STEP_COSTS <file>] [LOG <name>] COMMAND <command>...)
#
# Runs a command of a package in a scrubbed environment, with its output in log/<name>.log (default: <phase>.log; a
# phase's second command needs a name of its own, as a log is written anew each time) and progress on the terminal; the
# runner (engine/runner) does both, shows the first error in a failed command's log, and names a compiler that was
# killed for lack of memory. The command has no network: TSB_FRAMEWORK_ENVIRONMENT says what stops downloads, and
# settings.json whether it also gets an empty network namespace. The runner passes the caller's environment on only as
# far as it cannot change the result: HOME and TMPDIR, the compiler cache's own settings, and for terminals TERM. PATH
# holds the folders of the tools that were found when the superbuild was configured and the system's. What decides
# something is set by TSB_FRAMEWORK_ENVIRONMENT and by the declaration.
function(z_tsb_run phase)
  cmake_parse_arguments(PARSE_ARGV 1 arg "RETRY_ALONE" "LOG;STEP_COSTS" "COMMAND")
  if(NOT arg_LOG)
    set(arg_LOG "${phase}")
  endif()
  tsb_read_record("${package_build_folder}/settings.json" settings)

  set(environment "PATH=${settings_path}")
  foreach(pair IN LISTS TSB_FRAMEWORK_ENVIRONMENT package_environment)
    z_tsb_expand(pair "${pair}")
    string(REPLACE ";" "\;" pair "${pair}")
    list(APPEND environment "${pair}")
  endforeach()

  z_tsb_expand(proxy "@PROXY@")
  set(options --no-network "${proxy}")
  if(settings_host_namespace)
    list(APPEND options --host-namespace)
  endif()
  if(arg_RETRY_ALONE)
    list(APPEND options --retry-alone)
  endif()
  if(arg_STEP_COSTS)
    list(APPEND options --step-costs "${arg_STEP_COSTS}")
  endif()
  tsb_python_command(runner "${settings_python}" runner)
  execute_process(
    COMMAND ${runner} --package "${package_name}" --phase "${phase}" --log "${TSB_PACKAGE_DIR}/log/${arg_LOG}.log"
            ${options} -- env -i ${environment} ${arg_COMMAND} RESULT_VARIABLE result
  )
  if(NOT result EQUAL 0)
    tsb_fail(
      "package ${package_name}: the ${phase} phase failed"
      "fix the error shown above and run the same command again; finished work is kept"
    )
  endif()
endfunction()

# z_tsb_package_toolchain(<out-var>): what of the toolchain decides what is compiled, a line for each.
function(z_tsb_package_toolchain out)
  set(lines "")
  foreach(name IN LISTS package_toolchain)
    string(APPEND lines "${name}=${package_toolchain_${name}}\n")
  endforeach()
  set(${out} "${lines}" PARENT_SCOPE)
endfunction()

# z_tsb_expand(<var> <text>): replaces the placeholders that a declaration may use, and those of the framework's own
# values: @PACKAGE_DIR@, the package's folder, @PACKAGES_DIR@, that of all packages, @TOOLCHAIN@, a hash of the
# compilers and what belongs to them, and @PROXY@, the address where the package's downloads are refused.
function(z_tsb_expand out text)
  get_filename_component(packages "${TSB_PACKAGE_DIR}" DIRECTORY)
  string(REPLACE "@PACKAGE_DIR@" "${TSB_PACKAGE_DIR}" text "${text}")
  string(REPLACE "@PACKAGES_DIR@" "${packages}" text "${text}")
  if(text MATCHES "@PROXY@")
    # All of 127.0.0.0/8 is this machine. One for each package, since several are built at once, by several users even.
    string(SHA256 hash "${TSB_PACKAGE_DIR}")
    string(REGEX MATCH "^(..)(..)(..)(...)" ignored "${hash}")
    math(EXPR first "0x${CMAKE_MATCH_1} % 254 + 1")
    math(EXPR second "0x${CMAKE_MATCH_2} % 254 + 1")
    math(EXPR third "0x${CMAKE_MATCH_3} % 254 + 1")
    # Below the ports that Linux gives to clients, and none that a service is known for.
    math(EXPR port "20000 + 0x${CMAKE_MATCH_4}")
    string(REPLACE "@PROXY@" "127.${first}.${second}.${third}:${port}" text "${text}")
  endif()
  if(text MATCHES "@TOOLCHAIN@")
    tsb_read_record("${TSB_PACKAGE_DIR}/package.json" package)
    z_tsb_package_toolchain(toolchain)
    string(SHA256 hash "${toolchain}")
    string(REPLACE "@TOOLCHAIN@" "${hash}" text "${text}")
  endif()
  foreach(folder IN ITEMS source build install)
    string(TOUPPER "@${folder}_DIR@" placeholder)
    string(REPLACE "${placeholder}" "${TSB_PACKAGE_DIR}/${folder}" text "${text}")
  endforeach()
  if(text MATCHES "@PYTHON@")
    tsb_read_record("${TSB_PACKAGE_DIR}/package.json" package)
    set(python "${package_python_executable}")
    if(NOT python)
      tsb_read_record("${TSB_PACKAGE_DIR}/../../settings.json" settings)
      set(python "${settings_python}")
    endif()
    string(REPLACE "@PYTHON@" "${python}" text "${text}")
  endif()
  if(text MATCHES "@COMMIT@")
    tsb_read_record("${TSB_PACKAGE_DIR}/package.json" package)
    tsb_read_record("${TSB_PACKAGE_DIR}/sources.json" sources)
    z_tsb_source_commit(commit "${package_source}")
    string(REPLACE "@COMMIT@" "${commit}" text "${text}")
  endif()
  while(text MATCHES "@PREFIX_([a-z0-9-]+)@")
    string(REPLACE "${CMAKE_MATCH_0}" "${packages}/${CMAKE_MATCH_1}/install" text "${text}")
  endwhile()
  set(${out} "${text}" PARENT_SCOPE)
endfunction()
