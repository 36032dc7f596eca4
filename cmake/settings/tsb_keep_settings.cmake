# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_keep_settings
-----------------

At the end of a configure, keeps for the next what the environment gave: in environment.json of the build folder, which
only its owner can read, since an address may have a password. ::

  tsb_keep_settings()

``cmake --build`` configures again by itself when a CMake file has changed: with these settings, the ``PATH`` and the
like of the configure before it, whichever shell it is started in (:command:`tsb_read_settings` asks for them).
``TSB_JOBS`` and ``TSB_OFFLINE`` count for the command that they are given to: the first is not kept, the second is kept
to name it.
#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../detail/z_tsb_write_file.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../model/tsb_json_object.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../model/tsb_read_record.cmake)

# What a configure goes by, beside the settings. A backend's settings.cmake adds what its doctor reads.
set_property(
  GLOBAL APPEND PROPERTY TSB_KEPT_VARIABLES HOME PATH XDG_CACHE_HOME CONDA_PREFIX PYENV_ROOT PYTHONPATH VIRTUAL_ENV
)

function(tsb_keep_settings)
  list(REMOVE_ITEM TSB_FROM_ENVIRONMENT TSB_JOBS)
  get_property(names GLOBAL PROPERTY TSB_KEPT_VARIABLES)
  list(APPEND names ${TSB_FROM_ENVIRONMENT})
  list(REMOVE_DUPLICATES names)
  foreach(name IN LISTS names)
    set(kept_${name} "$ENV{${name}}")
  endforeach()
  string(REGEX REPLACE "TSB_(JOBS|OFFLINE)" "" kept_BOOTSTRAP_SETTINGS "$ENV{BOOTSTRAP_SETTINGS}")
  list(APPEND names BOOTSTRAP_SETTINGS)
  tsb_json_object(kept kept_ TEXTS ${names})
  set(file "${CMAKE_BINARY_DIR}/environment.json")
  z_tsb_write_file("${file}" "${kept}\n" OWNER_READ OWNER_WRITE)
endfunction()

# z_tsb_use_kept_settings(): of tsb_read_settings(). Sets `kept`, the names of tsb_keep_settings(). In a configure that
# a build has started (cmake/one_run/run.sh.in) they are the environment, but for what is read when something runs.
macro(z_tsb_use_kept_settings)
  set(kept "")
  if(EXISTS "${CMAKE_BINARY_DIR}/environment.json")
    tsb_read_record("${CMAKE_BINARY_DIR}/environment.json" kept)
    set(kept "${kept_members}")
  endif()
  string(FIND "$ENV{TORCH_SUPERBUILD_RUN}" "${CMAKE_BINARY_DIR}:" started_by_a_build)
  if(kept AND started_by_a_build EQUAL 0)
    z_tsb_names_of_environment(given)
    list(REMOVE_ITEM given TSB_JOBS TSB_OFFLINE)
    foreach(name IN LISTS given)
      z_tsb_setting(of "${name}")
      if(NOT of_FROM STREQUAL "ENVIRONMENT")
        unset(ENV{${name}})
      endif()
    endforeach()
    foreach(name IN LISTS kept)
      if(kept_${name} STREQUAL "")
        unset(ENV{${name}})
      elseif(NOT name STREQUAL "TSB_OFFLINE")
        set(ENV{${name}} "${kept_${name}}")
      endif()
    endforeach()
  endif()
  list(FILTER kept INCLUDE REGEX "^(TSB|CMAKE)_")
  list(REMOVE_ITEM kept TSB_DOCTOR_SKIP) # changes no result
endmacro()

# z_tsb_name_unset_settings(): of tsb_read_settings(), at its end. What was given then, and is not now.
macro(z_tsb_name_unset_settings)
  get_property(refused GLOBAL PROPERTY TSB_REFUSED)
  list(REMOVE_ITEM kept ${TSB_FROM_ENVIRONMENT} ${refused} "")
  foreach(name IN LISTS kept)
    set(used "its default")
    if(NOT "$CACHE{${name}}" STREQUAL "")
      set(used "")
      if(" ${kept_BOOTSTRAP_SETTINGS} " MATCHES " ${name} ") # which counted before it
        set(used "what an earlier -D, or your preset, says")
      endif()
    endif()
    if(used)
      message(NOTICE "${name} was set when this folder was configured before, and is not set now: ${used} is used")
    endif()
  endforeach()
endmacro()
