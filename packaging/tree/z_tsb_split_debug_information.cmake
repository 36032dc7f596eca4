# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# z_tsb_run_tool(<what> <command>...): runs a program that says what is wrong.
function(z_tsb_run_tool what)
  execute_process(
    COMMAND ${ARGN}
    RESULT_VARIABLE result
    OUTPUT_VARIABLE output
    ERROR_VARIABLE error
  )
  if(NOT result EQUAL 0)
    tsb_fail("cannot ${what}: ${error}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

# z_tsb_split_debug_information(<library> <folder>)
#
# Strips a library. Unless <folder> is empty, its debug information goes into <folder>/<name>.debug first: a debugger
# finds it there through the link that the library gets when <folder> is .debug beside the library, and otherwise by the
# library's build ID, through the links in <folder>/.build-id, when it knows <folder> (gdb: set
# debug-file-directory). https://sourceware.org/gdb/current/onlinedocs/gdb.html/Separate-Debug-Files.html
#
# Errors: objcopy fails; the library has no build ID.
function(z_tsb_split_debug_information library folder)
  get_filename_component(name "${library}" NAME)
  # Symbols for linking and back traces stay (.dynsym); the full table, a fifth of the size, goes.
  set(options --strip-unneeded)
  if(NOT folder STREQUAL "")
    set(file "${folder}/${name}.debug")
    file(MAKE_DIRECTORY "${folder}")
    z_tsb_run_tool(
      "take the debug information out of ${name}" "${artifact_objcopy}" --only-keep-debug "${library}" "${file}"
    )
    file(CHMOD "${file}" PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
    list(APPEND options "--add-gnu-debuglink=${file}")

    tsb_read_record("${artifact_build_folder}/settings.json" settings)
    z_tsb_run_tool("scan ${name}" "${settings_torchpkg}" scan "${file}")
    tsb_set_record(scanned output)
    if(NOT "${scanned_files_0_build_id}" MATCHES "^(..)(.+)$")
      tsb_fail("${name} has no build ID" "use a linker that makes them: they are asked for with --build-id")
    endif()
    set(link "${folder}/.build-id/${CMAKE_MATCH_1}/${CMAKE_MATCH_2}.debug")
    get_filename_component(link_folder "${link}" DIRECTORY)
    file(MAKE_DIRECTORY "${link_folder}")
    file(CREATE_LINK "../../${name}.debug" "${link}" SYMBOLIC)
  endif()
  z_tsb_run_tool("strip ${name}" "${artifact_objcopy}" ${options} "${library}")
endfunction()
