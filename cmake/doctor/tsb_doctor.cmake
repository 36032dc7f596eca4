# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_doctor
----------

Look at the machine before anything is built, and say everything that is wrong with it at once. ::

  tsb_doctor(
    [CHECKS <check>...]                              # by default those of docs/settings.md, and those of the backend
    [EXTRA_CHECKS <check>...]                        # more, such as that of a BLAS
    [PACKAGES <package>...]                          # what is built; by default pytorch
    [SOURCE_DIR <folder>] [BUILD_DIR <folder>]       # are looked at for characters that cannot work
    [WRITABLE <folder>...]                           # must be writable, or possible to make
    [DISK <folder> <MB> [<folder> <MB>]...]          # folders of one file system share its space
    [MEMORY_MB <n>]                                  # what the largest step needs
    [PYTHONS <version>...]                           # those that artifacts are made for, such as 3.11
    RESULT_ERROR <variable>)

``RESULT_ERROR``
  Set to a closing sentence when there are problems, else to an empty string. In a ``CMakeLists.txt``,
  ``message(FATAL_ERROR)`` with this sentence ends the configure without the functions' frames.

A check ``x`` is a function ``tsb_doctor_check_x()`` in ``tsb_doctor_check_x.cmake`` beside this file, or in
``backends/<kind>/doctor``: it reads the ``doctor_*`` variables below and calls ``z_tsb_doctor_good()`` or
``z_tsb_doctor_problem()``. Or it is Python: ``check(doctor)`` in ``x.py`` there, which ``checks.py`` runs. Nothing else
is needed to add one.

Works before ``project()`` and in scripts. Sets for the caller what the checks export: ``TSB_CODEGEN_PYTHON``,
``TSB_COMPILER_CACHE``, ``TSB_FARM_PROCESSORS``, and what those of a backend do. Checks named in ``TSB_DOCTOR_SKIP`` are
left out, unless the build needs what they export; a name that no backend has is a problem.
#]]
include_guard(GLOBAL)
cmake_policy(VERSION 3.21)
include(${CMAKE_CURRENT_LIST_DIR}/detail/z_tsb_doctor_findings.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../data/tsb_find_data.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../data/tsb_list_data.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../detail/tsb_fail.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../model/tsb_json_object.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../model/z_tsb_records_folder.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../python/tsb_run_python.cmake)
# Checks for one program, as z_tsb_doctor_tool() takes them. Ninja knows job pools and dyndeps from 1.10 on; an older
# patchelf damages libraries of this size or knows no --add-rpath; LAPACK needs Fortran.
set_property(GLOBAL PROPERTY TSB_DOCTOR_TOOL_cmake "${CMAKE_COMMAND}" 3.25 cmake cmake) # workflow presets
set_property(GLOBAL PROPERTY TSB_DOCTOR_TOOL_ninja "ninja|ninja-build" 1.10 ninja-build ninja-build)
set_property(GLOBAL PROPERTY TSB_DOCTOR_TOOL_patchelf patchelf 0.14 patchelf patchelf)
set_property(GLOBAL PROPERTY TSB_DOCTOR_TOOL_fortran gfortran 0 gfortran gcc-gfortran)

# z_tsb_doctor_check_file(<out-var> <check> <backend's folder>...): the first file that has such a check, or nothing.
function(z_tsb_doctor_check_file out check)
  get_filename_component(project "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../.." ABSOLUTE)
  set(file "")
  z_tsb_data_folders(bases)
  foreach(base IN LISTS bases)
    foreach(backend IN LISTS ARGN)
      foreach(name IN ITEMS ${check}.py tsb_doctor_check_${check}.cmake)
        if(NOT file AND EXISTS "${base}/backends/${backend}/doctor/${name}")
          set(file "${base}/backends/${backend}/doctor/${name}")
        endif()
      endforeach()
    endforeach()
  endforeach()
  foreach(name IN ITEMS engine/doctor/${check}.py cmake/doctor/tsb_doctor_check_${check}.cmake)
    if(NOT file AND EXISTS "${project}/${name}")
      set(file "${project}/${name}")
    endif()
  endforeach()
  set(${out} "${file}" PARENT_SCOPE)
endfunction()

# z_tsb_doctor_unknown_checks(<name>...): a misspelt name in TSB_DOCTOR_SKIP is a problem; another backend's is not.
function(z_tsb_doctor_unknown_checks)
  tsb_list_data(backends backends)
  foreach(check IN LISTS ARGN)
    z_tsb_doctor_check_file(file ${check} ${backends})
    get_property(tool GLOBAL PROPERTY TSB_DOCTOR_TOOL_${check})
    if(NOT file AND NOT tool)
      z_tsb_doctor_problem("TSB_DOCTOR_SKIP names '${check}', but there is no such check" "correct it, or remove it")
    endif()
  endforeach()
endfunction()

# z_tsb_doctor_python(<folder for records> <check.py>...): runs these checks, in one Python.
function(z_tsb_doctor_python folder)
  if(NOT ARGN)
    return()
  endif()
  get_property(names GLOBAL PROPERTY TSB_SETTINGS)
  list(FILTER names EXCLUDE REGEX "<")
  tsb_json_object(of_settings "" TEXTS ${names})
  set(environment_PYTHONPATH "$ENV{PYTHONPATH}")
  set(environment_PYTHONUSERBASE "$ENV{PYTHONUSERBASE}")
  tsb_json_object(of_environment environment_ TEXTS PYTHONPATH PYTHONUSERBASE)
  set(of_root "${doctor_ROOT}")
  set(of_additions "${TSB_ADDITIONS}")
  set(of_configured "${TSB_BACKEND_RESOLVED}")
  set(of_release "${release_folder}")
  set(of_processor "${target_processor}")
  set(of_packages ${doctor_PACKAGES})
  foreach(member IN ITEMS version kind folder)
    set(of_${member} "${backend_${member}}")
  endforeach()
  z_tsb_doctor_exported(of_compiler_cache TSB_COMPILER_CACHE)
  get_property(of_compiler GLOBAL PROPERTY TSB_DOCTOR_COMPILER_C++)
  set(of_farm_folder "${folder}/farm")
  if(NOT CMAKE_SCRIPT_MODE_FILE)
    set(of_farm_folder "${CMAKE_BINARY_DIR}/farm") # build.ninja of packages names the launcher
  endif()
  tsb_json_object(
    request of_ TEXTS root additions release processor version kind folder compiler_cache compiler farm_folder LISTS
    packages OBJECTS settings environment configured
  )
  file(MAKE_DIRECTORY "${folder}")
  file(TOUCH "${folder}/request.json")
  file(CHMOD "${folder}/request.json" PERMISSIONS OWNER_READ OWNER_WRITE) # a mirror's address may have a password
  file(WRITE "${folder}/request.json" "${request}")
  tsb_run_python(doctor.checks "${folder}" ${ARGN})
  include("${folder}/found.cmake")
endfunction()

function(tsb_doctor)
  if(release_least_cmake AND NOT backend_prebuilt)
    set_property(GLOBAL PROPERTY TSB_DOCTOR_TOOL_cmake "${CMAKE_COMMAND}" ${release_least_cmake} cmake cmake)
  endif()
  cmake_parse_arguments(
    PARSE_ARGV 0 doctor "" "SOURCE_DIR;BUILD_DIR;MEMORY_MB;RESULT_ERROR;ROOT"
    "CHECKS;EXTRA_CHECKS;PACKAGES;WRITABLE;DISK;PYTHONS"
  )
  if(NOT DEFINED doctor_CHECKS)
    set(
      doctor_CHECKS target cmake ninja compiler python patchelf tools compiler_cache farm compile folders clock disk
                    memory
    )
    list(APPEND doctor_CHECKS ${backend_checks})
  endif()
  if(NOT TSB_FARM AND NOT EXISTS "${CMAKE_BINARY_DIR}/farm")
    list(REMOVE_ITEM doctor_CHECKS farm) # starts no Python
  endif()
  if(NOT DEFINED doctor_PACKAGES)
    set(doctor_PACKAGES pytorch)
  elseif(NOT doctor_PACKAGES MATCHES "pytorch")
    list(REMOVE_ITEM doctor_CHECKS disk ${backend_checks_of_pytorch})
  endif()
  foreach(kind IN ITEMS GOOD PROBLEMS PROBLEM_COUNT EXPORTS)
    set_property(GLOBAL PROPERTY TSB_DOCTOR_${kind} "")
  endforeach()

  z_tsb_records_folder(folder doctor)
  file(REMOVE_RECURSE "${folder}")
  set(skipped ${TSB_DOCTOR_SKIP})
  set(python "")
  foreach(check IN LISTS doctor_CHECKS doctor_EXTRA_CHECKS)
    if(check IN_LIST skipped AND (check STREQUAL "target" OR check IN_LIST backend_exporting_checks))
      z_tsb_doctor_problem(
        "${check}: TSB_DOCTOR_SKIP names it, but the build needs what this check finds"
        "remove it from TSB_DOCTOR_SKIP"
      )
      continue()
    elseif(check IN_LIST skipped)
      z_tsb_doctor_good("${check}: skipped (TSB_DOCTOR_SKIP)")
      continue()
    endif()
    get_property(tool GLOBAL PROPERTY TSB_DOCTOR_TOOL_${check})
    if(tool)
      z_tsb_doctor_tool(${tool})
      continue()
    endif()
    z_tsb_doctor_check_file(file ${check} ${backend_folder})
    if(NOT file)
      tsb_fail(
        "backends/${backend_folder}/backend.json names the check '${check}', but there is no ${check}.py"
        "add it to backends/${backend_folder}/doctor, or remove the name"
      )
    elseif(file MATCHES "\\.py$")
      list(APPEND python "${file}")
      continue()
    endif()
    z_tsb_doctor_python("${folder}" ${python})
    set(python "")
    include("${file}")
    cmake_language(CALL tsb_doctor_check_${check})
  endforeach()
  z_tsb_doctor_python("${folder}" ${python})
  z_tsb_doctor_unknown_checks(${skipped})
  if(CMAKE_SCRIPT_MODE_FILE)
    file(REMOVE_RECURSE "${folder}")
  endif()

  get_property(good GLOBAL PROPERTY TSB_DOCTOR_GOOD)
  get_property(problems GLOBAL PROPERTY TSB_DOCTOR_PROBLEMS)
  get_property(count GLOBAL PROPERTY TSB_DOCTOR_PROBLEM_COUNT)
  get_property(exports GLOBAL PROPERTY TSB_DOCTOR_EXPORTS)
  foreach(variable IN LISTS exports)
    get_property(value GLOBAL PROPERTY TSB_DOCTOR_EXPORT_${variable})
    set(${variable} "${value}" PARENT_SCOPE)
  endforeach()
  if(good MATCHES "^-- (.*)\n$")
    message(STATUS "${CMAKE_MATCH_1}")
  endif()
  set(error "")
  list(LENGTH count count)
  if(count GREATER 0)
    if(problems MATCHES "-> (apt-get|dnf) install ")
      set(command "./bootstrap.sh --install-only ${TSB_PRESET}")
      if(TSB_DEFAULT_PYTORCH_VERSION AND NOT TSB_PYTORCH_VERSION STREQUAL TSB_DEFAULT_PYTORCH_VERSION)
        string(APPEND command " TSB_PYTORCH_VERSION=${TSB_PYTORCH_VERSION}") # may need newer tools
      endif()
      string(STRIP "${command}" command)
      string(APPEND problems "  ${command} installs what is missing\n")
    endif()
    message(NOTICE "This machine is not ready:\n${problems}")
    set(error "problems with this machine: ${count}, listed above with their remedies; nothing was built")
  endif()
  set(${doctor_RESULT_ERROR} "${error}" PARENT_SCOPE)
endfunction()
