# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/z_tsb_system_package.cmake)

# z_tsb_libtorch_licenses(<root of the staged tree> <bundle report> <owners>)
#
# share/licenses/<library>/ for every library that was copied from the machine: the text that the distribution ships for
# the package that owns the library. The file <owners> receives that package: {"<library>": {"package", "version"}}.
# The licences of what was built are the business of z_tsb_libtorch_sbom.
function(z_tsb_libtorch_licenses root report owners)
  set(table "{}")
  file(READ "${report}" bundle)
  z_tsb_json_get_each(names "${bundle}" bundled name)
  z_tsb_json_get_each(files "${bundle}" bundled from)
  foreach(name from IN ZIP_LISTS names files)
    z_tsb_system_package(owner "${from}")
    if(NOT owner_license)
      tsb_fail(
        "the licence of ${name}, bundled from ${from}, is not known"
        "install the package that holds its licence, or build an artifact without-deps"
      )
    endif()
    string(REGEX REPLACE "\\.so.*" "" folder "${name}")
    file(MAKE_DIRECTORY "${root}/share/licenses/${folder}")
    get_filename_component(text "${owner_license}" REALPATH)
    file(COPY_FILE "${text}" "${root}/share/licenses/${folder}/copyright")
    set(entry "{}")
    z_tsb_json_set_string(entry package "${owner}")
    z_tsb_json_set_string(entry version "${owner_version}")
    string(JSON table SET "${table}" "${from}" "${entry}")
  endforeach()
  z_tsb_write_file("${owners}" "${table}\n")
endfunction()
