# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_settings
------------

Looks up what the settings (:command:`tsb_read_settings`) name in the data. ::

  tsb_settings(<out-var of the error>)

Sets ``TSB_RELEASE_FOLDER``, ``TSB_SOURCE_VERSION`` (:command:`tsb_source_version`), ``TSB_TARGET``
(:command:`tsb_read_target`), and by it ``TSB_BLAS``, where neither preset nor user names one; ``TSB_BACKEND_FACTS``,
what ``TSB_BACKEND`` names (:command:`tsb_find_backend`); and ``TSB_PINS_FILE`` where it is not set.

The error is an empty string, or: a ``TSB_BLAS`` that the target does not have; a ``TSB_BACKEND`` that the release is
not built for; a release without a folder; a Python of ``TSB_PYTHONS`` that the release is not made for; a PyTorch of
one's own that cannot be built here; a ``TSB_TORCHPKG`` that is none; a ``TSB_LOCAL_<source>`` for a source that the
pins do not have.
#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../backend/tsb_find_backend.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../data/tsb_list_data.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../data/tsb_read_data.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../detail/z_tsb_json.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../isolation/tsb_clean_environment.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../release/tsb_source_version.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../target/tsb_read_target.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/tsb_read_settings.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/z_tsb_host_namespace.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/z_tsb_use_settings.cmake)

# z_tsb_settings_error(<what> <remedy>): ends tsb_settings() with it.
macro(z_tsb_settings_error what remedy)
  set(${out} "  ${what}\n  ${remedy}" PARENT_SCOPE)
  return()
endmacro()

function(tsb_settings out)
  set(${out} "" PARENT_SCOPE)
  if(TSB_PYTORCH_VERSION MATCHES "^[0-9][0-9A-Za-z.]*$")
    tsb_find_data(file "releases/${TSB_PYTORCH_VERSION}/release.json")
    get_filename_component(TSB_RELEASE_FOLDER "${file}" DIRECTORY)
    foreach(file IN ITEMS release.json options.json)
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${TSB_RELEASE_FOLDER}/${file}")
    endforeach()
  endif()
  set(TSB_RELEASE_FOLDER "${TSB_RELEASE_FOLDER}" PARENT_SCOPE)
  if(TSB_PYTORCH_VERSION AND NOT TSB_RELEASE_FOLDER)
    tsb_list_data(releases releases)
    list(JOIN releases ", " releases)
    z_tsb_settings_error(
      "PyTorch ${TSB_PYTORCH_VERSION} has no folder in releases/"
      "there are: ${releases}; set TSB_PYTORCH_VERSION to one of these, or add the folder as releases/README.md says"
    )
  endif()
  z_tsb_check_local_folders()
  if(NOT TSB_PINS_FILE)
    set(TSB_PINS_FILE "${CMAKE_BINARY_DIR}/pins/sources.json" PARENT_SCOPE) # tsb_release_pins
  endif()
  tsb_source_version(source_version error)
  if(error)
    set(${out} "${error}" PARENT_SCOPE)
    return()
  endif()
  set(TSB_SOURCE_VERSION "${source_version}" PARENT_SCOPE)
  if(TSB_PYTHONS AND NOT TSB_PYTHONS STREQUAL "none" AND TSB_RELEASE_FOLDER)
    tsb_read_release(release "${TSB_PYTORCH_VERSION}")
    z_tsb_json_get_list(pythons "${release}" pythons)
    list(REMOVE_ITEM TSB_PYTHONS ${pythons})
    list(JOIN TSB_PYTHONS ", " unknown)
    list(JOIN pythons ", " pythons)
    if(unknown)
      z_tsb_settings_error(
        "TSB_PYTHONS has ${unknown}, which PyTorch ${TSB_PYTORCH_VERSION} is not made for"
        "name some of these, or none: ${pythons}"
      )
    endif()
  endif()
  if(TSB_TORCHPKG)
    execute_process(COMMAND "${TSB_TORCHPKG}" --version OUTPUT_VARIABLE version ERROR_QUIET)
    if(NOT version MATCHES "^torchpkg ")
      z_tsb_settings_error(
        "TSB_TORCHPKG names ${TSB_TORCHPKG}, which is not torchpkg"
        "correct it, or unset it: torchpkg is compiled then"
      )
    endif()
  endif()
  tsb_find_backend(backend "${TSB_BACKEND}" ${TSB_PYTORCH_VERSION})
  set(TSB_BACKEND_FACTS "${backend}" PARENT_SCOPE)
  z_tsb_json_get(processor "${backend}" target)
  tsb_read_target(target ${processor}) # without one nothing is set: the doctor says what is wrong
  set(TSB_TARGET "${target}" PARENT_SCOPE)
  z_tsb_json_get_list(known "${target}" blas)
  if(known AND NOT TSB_BLAS)
    list(GET known 0 blas)
    set(TSB_BLAS ${blas} PARENT_SCOPE)
  elseif(known AND NOT TSB_BLAS IN_LIST known)
    z_tsb_json_take(target title)
    list(JOIN known ", " known)
    z_tsb_settings_error("TSB_BLAS is '${TSB_BLAS}'" "set it to one that ${title} has: ${known}")
  endif()
  if(
    backend STREQUAL "" AND TSB_DEFAULT_PYTORCH_VERSION AND NOT TSB_PYTORCH_VERSION STREQUAL
                                                            TSB_DEFAULT_PYTORCH_VERSION
  )
    z_tsb_settings_error(
      "${TSB_PRESET} makes no PyTorch ${TSB_PYTORCH_VERSION}, which TSB_PYTORCH_VERSION asks for"
      "unset it, or take a preset of this release: of ${backend_NAMES}"
    )
  elseif(backend STREQUAL "" AND (TSB_BACKEND OR TSB_ARTIFACTS))
    z_tsb_settings_error(
      "TSB_BACKEND is '${TSB_BACKEND}', which PyTorch ${TSB_PYTORCH_VERSION} is not built for"
      "there are: ${backend_NAMES}; take a preset of one of these"
    )
  endif()
endfunction()

# z_tsb_check_local_folders(): of tsb_settings(). A mistyped TSB_LOCAL_<source> would be ignored in silence, and the
# pinned source be built.
macro(z_tsb_check_local_folders)
  get_cmake_property(found VARIABLES)
  list(FILTER found INCLUDE REGEX "^TSB_LOCAL_.")
  set(files "${TSB_PINS_FILE}")
  if(NOT files)
    z_tsb_data_folders(files)
    list(TRANSFORM files APPEND "/releases/${TSB_PYTORCH_VERSION}/sources.json")
  endif()
  set(known "")
  foreach(file IN LISTS files)
    if(found AND EXISTS "${file}")
      tsb_read_data(pins "${file}" OBJECT sources)
      z_tsb_json_members(names "${pins}" sources)
      list(APPEND known ${names})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES known)
  list(TRANSFORM known REPLACE "-" "_")
  foreach(variable IN LISTS found)
    string(REPLACE "TSB_LOCAL_" "" name ${variable})
    if(known AND ${variable} AND NOT name IN_LIST known)
      z_tsb_nearest(nearest TSB_LOCAL_ ${name} ${known})
      list(JOIN known ", " known)
      z_tsb_settings_error(
        "${variable}: the pins have no source of that name.${nearest}" "correct it, or unset it; there are: ${known}"
      )
    endif()
  endforeach()
endmacro()

# tsb_write_settings(): writes settings.json: what scripts need to run tools, which changes no result, and the settings
# of z_tsb_use_settings.
function(tsb_write_settings)
  include("${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../detail/z_tsb_json.cmake")
  include("${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../detail/z_tsb_write_file.cmake")
  set(settings "{}")
  # One for all presets of a checkout: another compiler makes another one, and so may additions.
  string(SHA256 key "${CMAKE_CXX_COMPILER} ${TSB_ADDITIONS}")
  string(SUBSTRING ${key} 0 8 key)
  set(torchpkg "${CMAKE_SOURCE_DIR}/build/torchpkg/${key}/torchpkg")
  if(TSB_TORCHPKG)
    set(torchpkg "${TSB_TORCHPKG}")
  endif()
  z_tsb_json_set_string(settings torchpkg "${torchpkg}")
  z_tsb_json_set_string(settings consumer "${TSB_CONSUMER_DIR}")
  z_tsb_json_set_string(settings dist "${TSB_DIST}")
  z_tsb_json_set_string(settings emulator "${TSB_EMULATOR}")
  z_tsb_json_set_string(settings ninja "${CMAKE_MAKE_PROGRAM}")
  if(NOT TSB_CODEGEN_PYTHON) # the doctor's check was skipped
    set(TSB_CODEGEN_PYTHON "${TSB_PYTHON}")
    if(NOT TSB_CODEGEN_PYTHON)
      unset(TSB_CODEGEN_PYTHON) # find_program() takes an empty text for an answer
      find_program(TSB_CODEGEN_PYTHON python3 NO_CACHE)
    endif()
    set(TSB_CODEGEN_PYTHON "${TSB_CODEGEN_PYTHON}" PARENT_SCOPE)
  endif()
  z_tsb_json_set_string(settings python "${TSB_CODEGEN_PYTHON}")
  z_tsb_json_set_string(settings compiler_cache "${TSB_COMPILER_CACHE}")
  z_tsb_host_namespace(host_namespace "${TSB_COMPILER_CACHE}")
  z_tsb_json_set_string(settings host_namespace "${host_namespace}")
  if(TSB_BACKEND_FACTS)
    string(JSON settings SET "${settings}" backend "${TSB_BACKEND_FACTS}")
  endif()
  foreach(variable IN ITEMS CMAKE_C_COMPILER CMAKE_CXX_COMPILER CMAKE_STRIP)
    z_tsb_json_set_string(settings ${variable} "${${variable}}")
  endforeach()
  z_tsb_clean_path(path "${CMAKE_MAKE_PROGRAM}" "${TSB_COMPILER_CACHE}")
  z_tsb_json_set_string(settings path "${path}")
  foreach(name IN LISTS Z_TSB_SETTINGS_OF_STEPS)
    z_tsb_json_set_string(settings ${name} "${${name}}")
  endforeach()
  foreach(name IN LISTS Z_TSB_SETTINGS_OF_RUNS)
    z_tsb_json_set_string(settings ${name} "$CACHE{${name}}") # -D alone
  endforeach()
  z_tsb_write_file("${CMAKE_BINARY_DIR}/settings.json" "${settings}\n")
  file(CHMOD "${CMAKE_BINARY_DIR}/settings.json" FILE_PERMISSIONS OWNER_READ OWNER_WRITE
  )# a channel may have a password
endfunction()
