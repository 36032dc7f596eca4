# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_settings
------------

Reads the local wishes from the environment (``cmake --workflow`` takes no ``-D``) and sets their defaults: the
variables of docs/sources.md that are folders or files, and ``TSB_DEBUG_INFO``. ::

  tsb_settings()

Sets these, ``TSB_RELEASE_FOLDER``, ``TSB_SOURCE_VERSION`` (:command:`tsb_source_version`), ``TSB_TARGET``
(:command:`tsb_read_target`), and by it ``TSB_BLAS``, where the preset names none; and ``TSB_BACKEND_FACTS``, what
``TSB_BACKEND`` names (:command:`tsb_find_backend`).

Errors: a ``TSB_BLAS`` that the target does not have; a ``TSB_BACKEND`` that the release is not built for; a release
without a folder; a PyTorch of one's own that cannot be built here. What the environment says was looked at before
(:command:`tsb_check_settings`).
#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../backend/tsb_find_backend.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../data/tsb_list_data.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../detail/z_tsb_json.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../isolation/tsb_clean_environment.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../release/tsb_source_version.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../target/tsb_read_target.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/z_tsb_host_namespace.cmake)

function(tsb_settings)
  set(cache "$ENV{XDG_CACHE_HOME}")
  if(NOT cache)
    set(cache "$ENV{HOME}/.cache")
  endif()
  set(default_TSB_SOURCES "${cache}/torch-superbuild/sources")
  set(default_TSB_STORE "${cache}/torch-superbuild/store")
  set(default_TSB_DIST "${CMAKE_SOURCE_DIR}/dist")
  set(TSB_RELEASE_FOLDER "")
  if(TSB_PYTORCH_VERSION)
    tsb_find_data(file "releases/${TSB_PYTORCH_VERSION}/release.json")
    get_filename_component(TSB_RELEASE_FOLDER "${file}" DIRECTORY)
    foreach(file IN ITEMS release.json options.json)
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${TSB_RELEASE_FOLDER}/${file}")
    endforeach()
  endif()
  set(TSB_RELEASE_FOLDER "${TSB_RELEASE_FOLDER}" PARENT_SCOPE)
  set(default_TSB_PINS_FILE "${CMAKE_BINARY_DIR}/pins/sources.json") # tsb_release_pins
  set(default_TSB_SUPERBUILD_DIR "${CMAKE_SOURCE_DIR}/superbuild")
  set(default_TSB_CONSUMER_DIR "${CMAKE_SOURCE_DIR}/packaging/consumer")
  foreach(name IN ITEMS TSB_SOURCES TSB_STORE TSB_DIST TSB_ADDITIONS TSB_PINS_FILE TSB_SUPERBUILD_DIR TSB_CONSUMER_DIR)
    set(value "$ENV{${name}}")
    if(NOT value)
      set(value "${default_${name}}")
    endif()
    get_filename_component(value "${value}" ABSOLUTE BASE_DIR "${CMAKE_SOURCE_DIR}")
    set(${name} "${value}" PARENT_SCOPE)
  endforeach()
  if(TSB_PYTORCH_VERSION AND NOT TSB_RELEASE_FOLDER)
    tsb_list_data(releases releases)
    list(JOIN releases ", " releases)
    message(
      FATAL_ERROR
        "  PyTorch ${TSB_PYTORCH_VERSION} has no folder in releases/\n  there are: ${releases}; take a preset of one of these, or add the folder as releases/README.md says"
    )
  endif()
  tsb_source_version(source_version error)
  if(error)
    message(FATAL_ERROR "${error}")
  endif()
  set(TSB_SOURCE_VERSION "${source_version}" PARENT_SCOPE)
  set(torchpkg "$ENV{TSB_TORCHPKG}")
  if(torchpkg)
    get_filename_component(torchpkg "${torchpkg}" ABSOLUTE BASE_DIR "${CMAKE_SOURCE_DIR}")
  endif()
  set(TSB_TORCHPKG "${torchpkg}" PARENT_SCOPE)
  set(debug_info "$ENV{TSB_DEBUG_INFO}")
  if(debug_info STREQUAL "")
    set(debug_info lines)
  endif()
  set(TSB_DEBUG_INFO "${debug_info}" PARENT_SCOPE)
  z_tsb_target_settings()
  tsb_find_backend(backend "${TSB_BACKEND}" ${TSB_PYTORCH_VERSION})
  if((TSB_BACKEND OR TSB_ARTIFACTS) AND backend STREQUAL "")
    message(
      FATAL_ERROR
        "  TSB_BACKEND is '${TSB_BACKEND}', which PyTorch ${TSB_PYTORCH_VERSION} is not built for\n  there are: ${backend_NAMES}; take a preset of one of these"
    )
  endif()
  set(TSB_BACKEND_FACTS "${backend}" PARENT_SCOPE)
endfunction()

# Without a target nothing is set: the doctor says what is wrong.
macro(z_tsb_target_settings)
  tsb_read_target(target)
  set(TSB_TARGET "${target}" PARENT_SCOPE)
  z_tsb_json_get_list(known "${target}" blas)
  if(known AND "${TSB_BLAS}" STREQUAL "")
    list(GET known 0 blas)
    set(TSB_BLAS ${blas} PARENT_SCOPE)
  elseif(known AND NOT TSB_BLAS IN_LIST known)
    z_tsb_json_take(target title)
    list(JOIN known ", " known)
    set(blas "${TSB_BLAS}")
    unset(TSB_BLAS CACHE) # or a preset that names none would find it again
    message(FATAL_ERROR "  TSB_BLAS is '${blas}'\n  take a preset with one that ${title} has: ${known}")
  endif()
endmacro()

# tsb_write_settings(): writes settings.json, what scripts need to run tools and what changes no result.
function(tsb_write_settings)
  include("${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../detail/z_tsb_json.cmake")
  include("${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../detail/z_tsb_write_file.cmake")
  set(settings "{}")
  set(torchpkg "${CMAKE_BINARY_DIR}/packaging/torchpkg/torchpkg")
  if(TSB_TORCHPKG)
    set(torchpkg "${TSB_TORCHPKG}")
  endif()
  z_tsb_json_set_string(settings torchpkg "${torchpkg}")
  z_tsb_json_set_string(settings consumer "${TSB_CONSUMER_DIR}")
  z_tsb_json_set_string(settings dist "${TSB_DIST}")
  z_tsb_json_set_string(settings ninja "${CMAKE_MAKE_PROGRAM}")
  if(NOT TSB_CODEGEN_PYTHON) # the doctor's check was skipped
    set(TSB_CODEGEN_PYTHON "$ENV{TSB_PYTHON}")
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
  z_tsb_write_file("${CMAKE_BINARY_DIR}/settings.json" "${settings}\n")
endfunction()
