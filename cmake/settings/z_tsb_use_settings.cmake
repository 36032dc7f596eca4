# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../detail/tsb_fail.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../model/tsb_read_record.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/settings.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/z_tsb_is_word.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/z_tsb_setting_value.cmake)

# What scripts of a build read, as it was when the build folder was configured.
set(Z_TSB_SETTINGS_OF_STEPS TSB_ADDITIONS TSB_CONDA_CHANNEL TSB_PYTHON TSB_STORE_REMOTE TSB_SUPERBUILD_DIR)
# What changes no result: without a -D, and for a word behind bootstrap.sh, from the environment of the script.
set(Z_TSB_SETTINGS_OF_RUNS CMAKE_TLS_CAINFO TSB_JOBS TSB_OFFLINE)

# z_tsb_use_settings(<build folder>): sets these, for the script and, as its environment, for the programs that it
# starts. A TSB_OFFLINE that is neither ON nor OFF is an error: whoever meant ON does not want a network.
macro(z_tsb_use_settings folder)
  tsb_read_record("${folder}/settings.json" settings)
  foreach(z_tsb_name IN LISTS Z_TSB_SETTINGS_OF_STEPS)
    set(${z_tsb_name} "${settings_${z_tsb_name}}")
    set(ENV{${z_tsb_name}} "${${z_tsb_name}}")
  endforeach()
  foreach(z_tsb_name IN LISTS Z_TSB_SETTINGS_OF_RUNS)
    set(${z_tsb_name} "${settings_${z_tsb_name}}")
    z_tsb_is_word(z_tsb_is_word ${z_tsb_name})
    if(${z_tsb_name} STREQUAL "" OR z_tsb_is_word)
      set(${z_tsb_name} "$ENV{${z_tsb_name}}")
    endif()
    z_tsb_use_setting(${z_tsb_name})
  endforeach()
endmacro()

# z_tsb_use_setting(<name>): for the script and its programs, in the form of its type.
macro(z_tsb_use_setting name)
  z_tsb_setting_value(z_tsb_value ${name} "${${name}}")
  if(z_tsb_value_FAULT)
    tsb_fail("${name} ${z_tsb_value_FAULT}, or unset it")
  endif()
  set(${name} "${z_tsb_value}")
  set(ENV{${name}} "${z_tsb_value}")
endmacro()
