# SPDX-License-Identifier: BSD-3-Clause
# Builds a package that is a folder of the user's (IN_PLACE): configures it when something of its declaration is new,
# and asks Ninja, which knows what was edited. It runs in every build. There are no phases: nothing is fetched, patched,
# checked, staged or kept in the store, and what it installs lies where the declaration says.
#
#   run cmake -D TSB_PACKAGE_DIR=<folder> -P build_in_place.cmake
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_phase_tools.cmake")

# As z_tsb_phase_configure, but the project finds what it finds, and Ninja runs CMake again by itself.
function(z_tsb_configure_in_place)
  set(arguments -DCMAKE_BUILD_TYPE=Release)
  foreach(language IN ITEMS C CXX)
    list(APPEND arguments "-DCMAKE_${language}_COMPILER=${settings_CMAKE_${language}_COMPILER}")
    list(APPEND arguments "-DCMAKE_${language}_COMPILER_LAUNCHER=${settings_compiler_cache}")
  endforeach()
  z_tsb_package_jobs(jobs link_jobs)
  list(APPEND arguments "-DCMAKE_JOB_POOLS=link=${link_jobs}" -DCMAKE_JOB_POOL_LINK=link)
  z_tsb_package_features(features)
  foreach(feature IN LISTS package_features)
    list(APPEND package_options "${package_features_${feature}_option}=${features_${feature}}")
  endforeach()
  foreach(pair IN LISTS package_options)
    z_tsb_expand(pair "${pair}")
    string(REPLACE ";" "\;" pair "${pair}")
    list(APPEND arguments "-D${pair}")
  endforeach()
  list(APPEND arguments "-DCMAKE_INSTALL_PREFIX=${package_in_place}/torch") # behind what the user may have set
  z_tsb_package_closure(closure "${TSB_PACKAGE_DIR}/.." ${package_depends})
  set(prefixes ${closure})
  list(TRANSFORM prefixes REPLACE "(.+)" "${TSB_PACKAGE_DIR}/../\\1/install")
  tsb_progress("${package_name} configure")
  z_tsb_forget_configuration()
  z_tsb_run(
    configure
    COMMAND "${CMAKE_COMMAND}" -S "${package_in_place}" -B "${TSB_PACKAGE_DIR}/build" -G Ninja -Wno-dev
            "-DCMAKE_PREFIX_PATH=${prefixes}" "-DCMAKE_PROJECT_TOP_LEVEL_INCLUDES=${package_include}" ${arguments}
  )
endfunction()

function(z_tsb_build_in_place)
  tsb_read_record("${TSB_PACKAGE_DIR}/package.json" package)
  tsb_read_record("${TSB_PACKAGE_DIR}/sources.json" sources)
  z_tsb_use_settings("${package_build_folder}")
  tsb_read_record("${package_build_folder}/settings.json" settings)
  set(TSB_STEPS "${package_build_folder}/steps")
  z_tsb_phase_inputs(inputs "${TSB_PACKAGE_DIR}")
  z_tsb_step_value(inputs_configure "folder" "${package_in_place}")
  # An environment may be made anew in its place, with another Python.
  execute_process(
    COMMAND "${settings_python}" -I -S -c "import sys; print(sys.version)" OUTPUT_VARIABLE version
    OUTPUT_STRIP_TRAILING_WHITESPACE
  )
  z_tsb_step_value(inputs_configure "python" "${settings_python} ${version}")
  tsb_step(
    configured ${package_name} configure INPUTS "${inputs_configure}" OUTPUTS "${TSB_PACKAGE_DIR}/build" COMMAND
    z_tsb_configure_in_place
  )
  # Where editors look for it; not in place of a file of the user's, or a link that dangles until the user's own build.
  # One that dangles and is ours led to a build folder that is gone.
  set(ours "/packages/${package_name}/build/compile_commands.json")
  set(link "${package_in_place}/compile_commands.json")
  set(target "")
  if(IS_SYMLINK "${link}" AND NOT EXISTS "${link}")
    file(READ_SYMLINK "${link}" target)
  endif()
  string(FIND "${target}/" "${ours}/" is_ours)
  if(is_ours GREATER -1 OR NOT (IS_SYMLINK "${link}" OR EXISTS "${link}"))
    file(CREATE_LINK "${TSB_PACKAGE_DIR}/build/compile_commands.json" "${link}" SYMBOLIC)
  endif()
  tsb_progress("${package_name} build")
  z_tsb_package_jobs(jobs link_jobs)
  z_tsb_step_begin(${package_name} build)
  z_tsb_run(build RETRY_ALONE COMMAND "${settings_ninja}" -C "${TSB_PACKAGE_DIR}/build" -j ${jobs} install)
  z_tsb_step_done(${package_name} build "") # for the report: it ran
  message(NOTICE "${package_description}")
endfunction()

z_tsb_build_in_place()
