# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
The store
---------

Keeps built packages under the hash of all their inputs: ``<store>/<package>/<fingerprint>/`` holds the install
tree, the licences and the manifest, and a list of the hashes of its files. ``engine/store`` makes entries, verifies
each one that is taken, and shows, verifies and removes them for people. What the store does not have is taken from that
of ``TSB_STORE_REMOTE``, which gets what was built.
#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../python/tsb_call_python.cmake)

function(z_tsb_store_entry out)
  z_tsb_package_fingerprint(fingerprint "${TSB_PACKAGE_DIR}")
  set(${out} "${package_store}/${package_name}/${fingerprint}" PARENT_SCOPE)
endfunction()

# z_tsb_touch_tree(<folder>): gives every file the time of now. Ninja compares times, and what depends on a package has
# to be compiled again also when the package's new files are older than the objects.
function(z_tsb_touch_tree folder)
  if(IS_DIRECTORY "${folder}")
    execute_process(COMMAND find "${folder}" -type f -exec touch {} +)
  endif()
endfunction()

# z_tsb_store_restore(<out-var>): takes a built package out of the store when it is there and whole. What is in source/
# and build/ stays, and so do the stamps of the phases that made it.
function(z_tsb_store_restore out)
  set(${out} FALSE PARENT_SCOPE)
  z_tsb_store_entry(entry)
  get_filename_component(entries "${entry}" DIRECTORY) # of an entry that this user may not see it is all that shows
  if(package_machine OR NOT (TSB_STORE_REMOTE OR EXISTS "${entries}")) # what one machine has is of no use on another
    return()
  endif()
  z_tsb_step_begin("${package_name}" stage)
  tsb_progress("${package_name}: taking it from the store")
  tsb_call_python("${package_build_folder}" store restore --entry "${entry}" --package "${TSB_PACKAGE_DIR}" STATUS code)
  if(NOT code MATCHES "^(0|10)$")
    tsb_python_failed("store restore" "${code}")
  elseif(code EQUAL 0)
    z_tsb_touch_tree("${TSB_PACKAGE_DIR}/install")
    message(STATUS "${package_name}: taken from the store (${entry})")
    set(${out} TRUE PARENT_SCOPE)
  endif()
endfunction()

# z_tsb_store_save()
function(z_tsb_store_save)
  z_tsb_store_entry(entry)
  tsb_progress("${package_name}: putting it into the store")
  tsb_call_python("${package_build_folder}" store save --entry "${entry}" --package "${TSB_PACKAGE_DIR}")
endfunction()
