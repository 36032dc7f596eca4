# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
The store
---------

Keeps built packages under the hash of all their inputs: ``<store>/<package>/<fingerprint>/`` holds the install
tree, the licences and the manifest. An entry is written beside and renamed, so one that is there is whole.
#]]
include_guard(GLOBAL)

function(z_tsb_store_entry out package)
  z_tsb_json_take(package store name)
  z_tsb_package_fingerprint(fingerprint "${TSB_PACKAGE_DIR}")
  set(${out} "${store}/${name}/${fingerprint}" PARENT_SCOPE)
endfunction()

# z_tsb_copy(<from> <to> <incomplete> <remedy>): copies a folder's content or a file; the folder <incomplete> is removed
# when that fails.
function(z_tsb_copy from to incomplete remedy)
  set(folder "${to}")
  set(what "${from}/.")
  if(NOT IS_DIRECTORY "${from}")
    get_filename_component(folder "${to}" DIRECTORY)
    set(what "${from}")
  endif()
  execute_process(
    COMMAND mkdir -p "${folder}"
    RESULT_VARIABLE result
    ERROR_VARIABLE error
    ERROR_STRIP_TRAILING_WHITESPACE
  )
  if(result EQUAL 0)
    execute_process(
      COMMAND cp -a --reflink=auto "${what}" "${to}"
      RESULT_VARIABLE result
      ERROR_VARIABLE error
      ERROR_STRIP_TRAILING_WHITESPACE
    )
  endif()
  if(NOT result EQUAL 0)
    string(REGEX MATCH "^[^\n]*" error "${error}")
    execute_process(COMMAND rm -rf "${incomplete}" ERROR_QUIET)
    tsb_fail("cannot copy ${from} to ${to}: ${error}" "${remedy}")
  endif()
endfunction()

# z_tsb_touch_tree(<folder>): gives every file the time of now. Ninja compares times, and what depends on a package has to
# be compiled again also when the package's new files are older than the objects.
function(z_tsb_touch_tree folder)
  if(IS_DIRECTORY "${folder}")
    execute_process(COMMAND find "${folder}" -type f -exec touch {} +)
  endif()
endfunction()

# z_tsb_store_restore(<out-var> <package json>): takes a built package out of the store when it is there. What is in source/
# and build/ stays, and so do the stamps of the phases that made it.
function(z_tsb_store_restore out package)
  set(${out} FALSE PARENT_SCOPE)
  z_tsb_store_entry(entry "${package}")
  z_tsb_json_take(package machine) # what one machine has is of no use on another
  if(machine OR NOT EXISTS "${entry}/manifest.json")
    return()
  endif()
  z_tsb_json_take(package name)
  z_tsb_step_begin("${name}" stage)
  foreach(part IN ITEMS install licenses)
    file(REMOVE_RECURSE "${TSB_PACKAGE_DIR}/${part}")
    if(IS_DIRECTORY "${entry}/${part}")
      z_tsb_copy(
        "${entry}/${part}" "${TSB_PACKAGE_DIR}/${part}" "${TSB_PACKAGE_DIR}/${part}"
        "free some disk space, and run the same command again"
      )
    endif()
  endforeach()
  z_tsb_touch_tree("${TSB_PACKAGE_DIR}/install")
  file(COPY_FILE "${entry}/manifest.json" "${TSB_PACKAGE_DIR}/manifest.json")
  message(STATUS "${name}: taken from the store (${entry})")
  set(${out} TRUE PARENT_SCOPE)
endfunction()

# z_tsb_store_save(<package json>)
function(z_tsb_store_save package)
  z_tsb_store_entry(entry "${package}")
  if(EXISTS "${entry}/manifest.json")
    return()
  endif()
  set(remedy "free some disk space, or set TSB_STORE to a folder that has it and can be written")
  # What killed copies left; one of another run that is still at it is younger.
  get_filename_component(folder "${entry}" DIRECTORY)
  execute_process(COMMAND find "${folder}" -maxdepth 1 -name "*.partial-*" -mmin +1440 -exec rm -rf {} + ERROR_QUIET)
  string(RANDOM LENGTH 8 suffix)
  set(beside "${entry}.partial-${suffix}")
  foreach(part IN ITEMS install licenses)
    if(IS_DIRECTORY "${TSB_PACKAGE_DIR}/${part}")
      z_tsb_copy("${TSB_PACKAGE_DIR}/${part}" "${beside}/${part}" "${beside}" "${remedy}")
    endif()
  endforeach()
  z_tsb_copy("${TSB_PACKAGE_DIR}/manifest.json" "${beside}/manifest.json" "${beside}" "${remedy}")
  file(RENAME "${beside}" "${entry}" RESULT result)
  if(NOT result EQUAL 0)
    file(REMOVE_RECURSE "${beside}")
    # Otherwise another build has just stored the same package.
    if(NOT EXISTS "${entry}/manifest.json")
      tsb_fail("cannot rename ${beside} to ${entry}: ${result}" "remove ${entry}, and run the same command again")
    endif()
  endif()
endfunction()
