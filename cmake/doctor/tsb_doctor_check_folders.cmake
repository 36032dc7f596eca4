# SPDX-License-Identifier: BSD-3-Clause
# Names of the source and build folders (doctor_SOURCE_DIR, doctor_BUILD_DIR) that CMake or the linker cannot work in,
# and folders that have to be written to (doctor_WRITABLE).
function(tsb_doctor_check_folders)
  set(pattern_semicolon ";")
  set(pattern_colon ":")
  set(pattern_quote "\"")
  set(pattern_backslash "\\\\")
  set(pattern_hash "#")
  set(pattern_bracket "[][]")
  set(pattern_comma ",") # in -Wl,...
  foreach(kind IN ITEMS SOURCE BUILD)
    set(found "")
    foreach(character IN ITEMS semicolon colon quote backslash hash bracket comma)
      if("${doctor_${kind}_DIR}" MATCHES "${pattern_${character}}")
        list(APPEND found ${character})
      endif()
    endforeach()
    if(found)
      string(TOLOWER ${kind} name)
      list(JOIN found ", " found)
      z_tsb_doctor_problem(
        "${name} folder: CMake or the linker takes its path apart (${found}): ${doctor_${kind}_DIR}"
        "move it to a path without such characters (blanks are fine)"
      )
    endif()
  endforeach()

  foreach(folder IN LISTS doctor_WRITABLE)
    if(folder MATCHES "${pattern_bracket}")
      z_tsb_doctor_problem(
        "folder ${folder}: CMake takes its path for a pattern (bracket)"
        "choose a path without brackets (blanks are fine)"
      )
      continue()
    endif()
    z_tsb_doctor_existing(existing "${folder}")
    if(NOT IS_DIRECTORY "${existing}")
      z_tsb_doctor_problem(
        "folder ${folder}: cannot be written to: ${existing}: it is not a folder" "remove it, or choose another one"
      )
      continue()
    endif()
    z_tsb_doctor_make_folder(probe "${existing}/.tsb-doctor")
    if(NOT probe STREQUAL "")
      file(REMOVE_RECURSE "${probe}")
      z_tsb_doctor_good("writable: ${folder}")
    else()
      z_tsb_doctor_problem(
        "folder ${folder}: cannot be written to: ${existing}: ${probe_ERROR}" "make it writable, or choose another one"
      )
    endif()
  endforeach()
endfunction()
