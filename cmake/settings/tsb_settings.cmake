# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_settings
------------

Looks up what the settings (:command:`tsb_read_settings`) name in the data. ::

  tsb_settings(<out-var of the faults>) # a line for each with what to do, or an empty string

Sets the records of :command:`tsb_load_model`; ``TSB_PYTORCH_VERSION`` where nobody names one: the newest release with
the backend; ``TSB_SOURCE_VERSION`` (:command:`tsb_source_version`); ``TSB_BLAS`` where neither preset nor user names
one: the target's first; and ``TSB_PINS_FILE`` where it is not set.

Faults: a release without a folder; a ``TSB_BACKEND`` that the release is not built for; a setting that has no effect
with this backend (in the environment, where it may stand for other presets, it is named and does not count; but a word
behind a preset, as ``BOOTSTRAP_SETTINGS`` names them, stands for that alone); a ``TSB_BLAS`` that the target does not
have; a nightly that is a candidate; a Python of ``TSB_PYTHONS`` that the release is not made for; a PyTorch of one's
own that cannot be built here; a ``TSB_TORCHPKG`` that is none; a ``TSB_LOCAL_<source>`` for a source that the release
does not have; no checkout to develop in; and what the backend's hook ``settings`` finds in its own.
#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../backend/tsb_ask_backend.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../detail/z_tsb_write_file.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../isolation/tsb_clean_environment.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../model/tsb_json_object.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../model/tsb_load_model.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../release/tsb_source_version.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../release/z_tsb_why_refused.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../one_run/tsb_make_program.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/tsb_read_settings.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/z_tsb_host_namespace.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/z_tsb_is_word.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/z_tsb_use_settings.cmake)

# z_tsb_check_effect(<name>): of tsb_settings(). Refuses a setting that has none with the backend, or takes its default.
macro(z_tsb_check_effect name)
  z_tsb_setting(of "${name}")
  set(why "")
  if(of_KIND AND NOT of_KIND STREQUAL backend_kind)
    string(TOUPPER "${of_KIND}" of_KIND)
    set(why "${TSB_BACKEND} is made without ${of_KIND}")
  elseif(of_COMPILED AND backend_prebuilt)
    set(why "PyTorch is not compiled for ${TSB_BACKEND}")
  elseif(of_PART AND "${release_backends_${backend_kind}_${backend_version}_${of_PART}}" STREQUAL "")
    set(why "PyTorch ${release_folder} has no ${of_PART} with ${TSB_BACKEND}")
  elseif(builds_checkout AND "${name}" MATCHES "^TSB_(DEBUG_INFO|PATCHES|UNITY|UNITY_TRIAL)$")
    set(why "a checkout is compiled as its own build says (docs/develop.md#options)")
  elseif(builds_checkout AND of_PACKED)
    set(why "nothing is packed")
  endif()
  z_tsb_is_word(is_word ${name})
  get_property(refused GLOBAL PROPERTY TSB_REFUSED) # its value does not fit: whoever corrects it should know at once
  if(
    why AND ((is_word AND "${name}" IN_LIST TSB_FROM_ENVIRONMENT) OR NOT "$CACHE{${name}}" STREQUAL ""
             OR "${name}" IN_LIST refused)
  )
    z_tsb_refuse_setting(${name} "has no effect, since ${why}: take another preset")
  elseif(why AND "${name}" IN_LIST TSB_FROM_ENVIRONMENT)
    message(NOTICE "${name} of the environment has no effect, since ${why}")
    list(REMOVE_ITEM TSB_FROM_ENVIRONMENT ${name})
    z_tsb_setting_value(${name} ${name} "${of_DEFAULT}")
    set(${name} "${${name}}" PARENT_SCOPE)
  endif()
endmacro()

# z_tsb_check_backend(): of tsb_settings().
macro(z_tsb_check_backend)
  if("${backend_kind}" STREQUAL "")
    set(wrong TSB_BACKEND)
    if(TSB_DEFAULT_PYTORCH_VERSION AND NOT TSB_PYTORCH_VERSION STREQUAL TSB_DEFAULT_PYTORCH_VERSION)
      set(wrong TSB_PYTORCH_VERSION)
    endif()
    set(names "${model_backends_of_release}")
    if(NOT TSB_PYTORCH_VERSION)
      set(names "${model_backends}")
    endif()
    list(JOIN names ", " names)
    string(STRIP "PyTorch ${TSB_PYTORCH_VERSION}" pytorch)
    set(why "'${TSB_BACKEND}' is not among the backends of ${pytorch}")
    z_tsb_why_refused(reason "")
    z_tsb_refuse_setting(${wrong} "is '${${wrong}}', and ${why}${reason}: take a preset of ${names}")
  else()
    get_property(names GLOBAL PROPERTY TSB_SETTINGS)
    list(FILTER names EXCLUDE REGEX "<")
    foreach(name IN LISTS names)
      z_tsb_check_effect(${name})
    endforeach()
    if(TSB_PYTHONS)
      z_tsb_check_pythons()
    endif()
  endif()
endmacro()

# z_tsb_check_pythons(): of tsb_settings().
macro(z_tsb_check_pythons)
  set(unknown ${TSB_PYTHONS})
  list(REMOVE_ITEM unknown none ${release_pythons})
  if(unknown)
    list(JOIN unknown ", " unknown)
    list(JOIN release_pythons ", " pythons)
    set(why "which PyTorch ${TSB_PYTORCH_VERSION} is not made for")
    z_tsb_refuse_setting(TSB_PYTHONS "has ${unknown}, ${why}: name some of ${pythons}, or none")
  endif()
endmacro()

# z_tsb_check_blas(): of tsb_settings(). Without a target the doctor says what is wrong.
macro(z_tsb_check_blas)
  if(target_blas AND NOT TSB_BLAS)
    list(GET target_blas 0 blas)
    set(TSB_BLAS ${blas} PARENT_SCOPE)
  elseif(target_blas AND NOT TSB_BLAS IN_LIST target_blas)
    list(JOIN target_blas ", " known)
    z_tsb_refuse_setting(TSB_BLAS "is '${TSB_BLAS}': set it to one that ${target_title} has: ${known}")
  endif()
endmacro()

macro(tsb_settings out)
  tsb_load_model("--backend=${TSB_BACKEND}" "--release=${TSB_PYTORCH_VERSION}" "--pins=${TSB_PINS_FILE}")
  z_tsb_settings(${out})
endmacro()

# z_tsb_settings(<out-var>): of tsb_settings(), which has the records.
function(z_tsb_settings out)
  set(faults "")
  set(builds_checkout FALSE) # where it is, for its developers
  if("pytorch-develop" IN_LIST TSB_PACKAGES)
    set(builds_checkout TRUE)
  endif()
  if(TSB_BACKEND AND NOT TSB_PYTORCH_VERSION)
    set(TSB_PYTORCH_VERSION "${release_folder}")
    set(TSB_PYTORCH_VERSION "${release_folder}" PARENT_SCOPE)
  endif()
  tsb_find_data(folder "releases/${TSB_PYTORCH_VERSION}/release.json")
  if(TSB_PATCHES)
    file(GLOB folders "${TSB_PATCHES}/*/")
    file(GLOB files "${TSB_PATCHES}/*/*.patch")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${TSB_PATCHES}" ${folders} ${files})
  endif()
  # An artifact names these folders by their content.
  get_filename_component(own "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../superbuild" ABSOLUTE)
  foreach(place IN LISTS TSB_ADDITIONS TSB_SUPERBUILD_DIR)
    if(NOT place STREQUAL own)
      file(
        GLOB_RECURSE files
        LIST_DIRECTORIES TRUE
        RELATIVE "${place}"
        "${place}/*"
      )
      list(FILTER files EXCLUDE REGEX "(^|/)[.]git(/|$)|[.]md$")
      list(TRANSFORM files PREPEND "${place}/")
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${place}" ${files})
    endif()
  endforeach()
  if(TSB_PATCHES AND TSB_PINS_FILE AND NOT TSB_PINS_FILE MATCHES "/sources[.]json$")
    z_tsb_refuse_setting(TSB_PINS_FILE "is '${TSB_PINS_FILE}': for TSB_PATCHES the file must be called sources.json")
  endif()
  foreach(place IN LISTS model_pins)
    file(GLOB files "${place}/*.json" "${place}/patches/*")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${place}" ${files})
  endforeach()
  if(TSB_PYTORCH_VERSION AND NOT folder)
    list(SORT model_releases COMPARE NATURAL)
    set(nearest "")
    foreach(release IN LISTS model_releases)
      if(NOT nearest OR release VERSION_LESS TSB_PYTORCH_VERSION OR release MATCHES "^${TSB_PYTORCH_VERSION}[.]")
        set(nearest ${release})
      endif()
    endforeach()
    list(JOIN model_releases ", " releases)
    set(why "which has no folder in releases/ (docs/new-release.md adds one)")
    z_tsb_refuse_setting(
      TSB_PYTORCH_VERSION "is '${TSB_PYTORCH_VERSION}', ${why}: set it to one of ${releases} (${nearest} is nearest)"
    )
  elseif(TSB_BACKEND OR TSB_ARTIFACTS)
    z_tsb_check_backend()
  endif()
  z_tsb_check_blas()
  if(TSB_NIGHTLY AND TSB_CANDIDATE)
    z_tsb_refuse_setting(TSB_CANDIDATE "is '${TSB_CANDIDATE}', but TSB_NIGHTLY is set: unset TSB_NIGHTLY")
  endif()
  z_tsb_check_local_folders()
  get_property(refused GLOBAL PROPERTY TSB_REFUSED)
  if(builds_checkout AND NOT TSB_LOCAL_pytorch AND NOT "TSB_LOCAL_pytorch" IN_LIST refused)
    string(APPEND faults "  TSB_LOCAL_pytorch names no checkout, and ${TSB_PRESET} builds one where it is\n")
    string(APPEND faults "  name yours: TSB_LOCAL_pytorch=~/pytorch (docs/develop.md)\n")
  endif()
  if(NOT TSB_PINS_FILE)
    set(TSB_PINS_FILE "${CMAKE_BINARY_DIR}/pins/sources.json" PARENT_SCOPE) # merge_pins.py
  endif()
  tsb_source_version(source_version error)
  if(error)
    string(APPEND faults "${error}\n")
  endif()
  set(TSB_SOURCE_VERSION "${source_version}" PARENT_SCOPE)
  if(TSB_TORCHPKG)
    execute_process(COMMAND "${TSB_TORCHPKG}" --version OUTPUT_VARIABLE version ERROR_QUIET)
    if(NOT version MATCHES "^torchpkg ")
      z_tsb_refuse_setting(TSB_TORCHPKG "names ${TSB_TORCHPKG}, which is not torchpkg: correct it")
    endif()
  endif()
  foreach(name IN ITEMS BUILD_TYPE C_FLAGS CXX_FLAGS)
    if(NOT "$CACHE{CMAKE_${name}}" STREQUAL "" AND NOT TSB_TESTS_ONLY AND NOT builds_checkout)
      message(
        NOTICE "CMAKE_${name} has no effect: everything is compiled the way that the release says (docs/variants.md)"
      )
    endif()
  endforeach()
  tsb_ask_backend(of_backend backend settings)
  string(APPEND faults "${of_backend}")
  set(TSB_FROM_ENVIRONMENT "${TSB_FROM_ENVIRONMENT}" PARENT_SCOPE)
  set(${out} "${faults}" PARENT_SCOPE)
endfunction()

# z_tsb_check_local_folders(): of tsb_settings(). A mistyped TSB_LOCAL_<source> would be ignored in silence, and the
# pinned source be built.
macro(z_tsb_check_local_folders)
  get_cmake_property(found VARIABLES)
  list(FILTER found INCLUDE REGEX "^TSB_LOCAL_.")
  list(REMOVE_DUPLICATES found) # some are in the cache as well
  foreach(variable IN LISTS found)
    if(NOT ${variable})
      list(REMOVE_ITEM found ${variable})
    endif()
  endforeach()
  set(known ${model_sources})
  list(TRANSFORM known REPLACE "-" "_")
  foreach(variable IN LISTS found)
    string(REPLACE "TSB_LOCAL_" "" name ${variable})
    if(known AND NOT name IN_LIST known)
      z_tsb_nearest(nearest TSB_LOCAL_ ${name} ${known})
      if(NOT nearest)
        list(JOIN known ", " nearest)
        set(nearest " There are ${nearest}.")
      endif()
      z_tsb_refuse_setting(${variable} "names no source of this release.${nearest} Correct it")
    endif()
  endforeach()
endmacro()

# tsb_write_settings(): writes settings.json: what scripts need to run tools, which changes no result, and the settings
# of z_tsb_use_settings. A remote store that has failed is asked again.
function(tsb_write_settings)
  file(REMOVE "${TSB_STORE}/remote-read.failed" "${TSB_STORE}/remote-write.failed")
  # One for all presets of a checkout: another compiler makes another one, and so may additions.
  string(SHA256 key "${CMAKE_CXX_COMPILER} ${TSB_ADDITIONS}")
  string(SUBSTRING ${key} 0 8 key)
  set(settings_torchpkg "${CMAKE_SOURCE_DIR}/build/torchpkg/${key}/torchpkg")
  if(TSB_TORCHPKG)
    set(settings_torchpkg "${TSB_TORCHPKG}")
  endif()
  tsb_make_program()
  set(TSB_CODEGEN_PYTHON "${TSB_CODEGEN_PYTHON}" PARENT_SCOPE)
  set(settings_consumer "${TSB_CONSUMER_DIR}")
  set(settings_dist "${TSB_DIST}")
  set(settings_emulator "${TSB_EMULATOR}")
  set(settings_ninja "${Z_TSB_NINJA}")
  set(settings_python "${TSB_CODEGEN_PYTHON}")
  set(settings_compiler_cache "${TSB_COMPILER_CACHE}")
  math(EXPR settings_farm_processors "0${TSB_FARM_PROCESSORS}")
  z_tsb_host_namespace(settings_host_namespace "${TSB_COMPILER_CACHE}")
  z_tsb_clean_path(settings_path "${Z_TSB_NINJA}" "${TSB_COMPILER_CACHE}")
  set(names CMAKE_C_COMPILER CMAKE_CXX_COMPILER CMAKE_STRIP ${Z_TSB_SETTINGS_OF_STEPS})
  foreach(name IN LISTS names)
    set(settings_${name} "${${name}}")
  endforeach()
  foreach(name IN LISTS Z_TSB_SETTINGS_OF_RUNS)
    set(settings_${name} "$CACHE{${name}}") # -D alone
  endforeach()
  get_property(settings_left_out GLOBAL PROPERTY TSB_LEFT_OUT)
  tsb_json_object(
    settings settings_ LISTS left_out TEXTS torchpkg consumer dist emulator ninja python compiler_cache farm_processors
    host_namespace path ${names} ${Z_TSB_SETTINGS_OF_RUNS}
  )
  z_tsb_write_file("${CMAKE_BINARY_DIR}/settings.json" "${settings}\n" OWNER_READ OWNER_WRITE
  )# a channel may have a password
endfunction()
