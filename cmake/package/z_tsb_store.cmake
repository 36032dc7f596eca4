# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
The store
---------

Keeps built packages under the hash of all their inputs: ``<store>/<package>/<fingerprint>/`` holds the install
tree, the licences and the manifest. An entry is written beside and renamed, so one that is there is whole.
#]]
include_guard(GLOBAL)

function(z_tsb_store_entry out package)
  z_tsb_json_get(store "${package}" store)
  z_tsb_json_get(name "${package}" name)
  z_tsb_package_fingerprint(fingerprint "${TSB_PACKAGE_DIR}")
  set(${out} "${store}/${name}/${fingerprint}" PARENT_SCOPE)
endfunction()

function(z_tsb_copy_tree from to)
  file(MAKE_DIRECTORY "${to}")
  execute_process(
    COMMAND cp -a --reflink=auto "${from}/." "${to}"
    RESULT_VARIABLE result
    ERROR_VARIABLE error
  )
  if(NOT result EQUAL 0)
    file(REMOVE_RECURSE "${to}")
    tsb_fail("cannot copy ${from} to ${to}: ${error}" "free some disk space, or set TSB_STORE to a folder that has it")
  endif()
endfunction()

# z_tsb_store_restore(<out-var> <package json>): takes a built package out of the store when it is there, and
# marks all phases done.
function(z_tsb_store_restore out package)
  set(${out} FALSE PARENT_SCOPE)
  z_tsb_store_entry(entry "${package}")
  if(NOT EXISTS "${entry}/manifest.json")
    return()
  endif()
  z_tsb_json_get(name "${package}" name)
  foreach(part IN ITEMS install licenses)
    file(REMOVE_RECURSE "${TSB_PACKAGE_DIR}/${part}")
    if(IS_DIRECTORY "${entry}/${part}")
      z_tsb_copy_tree("${entry}/${part}" "${TSB_PACKAGE_DIR}/${part}")
    endif()
  endforeach()
  file(COPY_FILE "${entry}/manifest.json" "${TSB_PACKAGE_DIR}/manifest.json")
  foreach(phase IN ITEMS patch configure build stage)
    z_tsb_phase_inputs(inputs "${TSB_PACKAGE_DIR}" ${phase})
    z_tsb_write_file("${TSB_PACKAGE_DIR}/state/${phase}.json" "${inputs}")
  endforeach()
  message(STATUS "${name}: taken from the store (${entry})")
  set(${out} TRUE PARENT_SCOPE)
endfunction()

# z_tsb_store_save(<package json>)
function(z_tsb_store_save package)
  z_tsb_store_entry(entry "${package}")
  if(EXISTS "${entry}/manifest.json")
    return()
  endif()
  string(RANDOM LENGTH 8 suffix)
  set(beside "${entry}.partial-${suffix}")
  foreach(part IN ITEMS install licenses)
    if(IS_DIRECTORY "${TSB_PACKAGE_DIR}/${part}")
      z_tsb_copy_tree("${TSB_PACKAGE_DIR}/${part}" "${beside}/${part}")
    endif()
  endforeach()
  file(COPY_FILE "${TSB_PACKAGE_DIR}/manifest.json" "${beside}/manifest.json")
  file(RENAME "${beside}" "${entry}" RESULT result)
  if(NOT result EQUAL 0)
    # Another build has just stored the same package.
    file(REMOVE_RECURSE "${beside}")
  endif()
endfunction()
