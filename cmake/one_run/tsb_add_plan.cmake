# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_add_plan
------------

Prints what the run that begins will do and take, and adds targets that print it again, and how a run went. ::

  tsb_add_plan([<MB of the build folder> <of the store> <of the source cache> <of dist>]) # which a whole build needs

``plan``    measures how fast the machine is, if no run has; ``engine/report/plan.py``
``report``  the last run: lines, and files in ``runs/`` of the build folder; ``engine/report/report.py``

Writes ``plan/run.json``: what is to be made, and on which machine.
#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../detail/z_tsb_write_file.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../jobs/detail/z_tsb_machine.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../model/tsb_json_object.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../python/tsb_python_command.cmake)

function(tsb_add_plan)
  set(folder "${CMAKE_BINARY_DIR}")
  get_property(of_packages GLOBAL PROPERTY TSB_ACTIVE_PACKAGES)
  get_property(of_artifacts GLOBAL PROPERTY TSB_DESCRIBED_ARTIFACTS)
  z_tsb_machine(machine "")
  set(of_cores ${machine_CORES})
  set(of_available_mb "${machine_AVAILABLE_MB}")
  math(EXPR of_farm "0${TSB_FARM_PROCESSORS}")
  set(of_jobs "${TSB_JOBS}")
  set(of_needs ${ARGN})
  set(of_archs ${backend_configured_archs})
  if(backend_configured_cmake_archs) # with PTX, which is compiled as one more
    set(of_archs ${backend_configured_cmake_archs})
  endif()
  set(of_compiler "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}")
  set(of_compiler_path "${CMAKE_CXX_COMPILER}")
  set(of_compiler_cache "${TSB_COMPILER_CACHE}")
  set(of_release "${TSB_PYTORCH_VERSION}")
  foreach(name IN ITEMS PRESET DIST STORE)
    string(TOLOWER ${name} member)
    set(of_${member} "${TSB_${name}}")
  endforeach()
  set(of_remote_store "")
  if(TSB_STORE_REMOTE)
    set(of_remote_store yes) # its address may have a password
  endif()
  tsb_json_object(
    run of_ LISTS packages artifacts needs archs OBJECTS cores farm TEXTS available_mb jobs compiler compiler_path
    compiler_cache release preset dist store remote_store
  )
  # By rename: the last run's folder may have this file as its own.
  z_tsb_write_file("${folder}/plan/run.json" "${run}\n")
  set(script -P "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../package/explain.cmake")
  set(command "${CMAKE_COMMAND}" --log-level=WARNING "-DTSB_BUILD_FOLDER=${folder}" -DTSB_PLAN=ON)
  execute_process(
    COMMAND ${command} "-DTSB_PACKAGES=${of_packages}" ${script}
    OUTPUT_VARIABLE lines
    ERROR_VARIABLE error
    RESULT_VARIABLE code
  )
  if(NOT code EQUAL 0) # the run will say the same, or goes well without it
    set(lines "-- plan: not known:\n${error}")
  endif()
  string(STRIP "${lines}" lines)
  message(NOTICE "${lines}")
  add_custom_target(
    plan COMMAND ${command} "-DTSB_PACKAGES=${of_packages}" -DTSB_PLAN_OPTIONS=measure ${script} VERBATIM USES_TERMINAL
  )
  get_filename_component(packaging "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../packaging" ABSOLUTE)
  tsb_python_command(python "${TSB_CODEGEN_PYTHON}" report.report MODULES "${packaging}")
  add_custom_target(report COMMAND ${python} "${folder}" VERBATIM USES_TERMINAL)
endfunction()
