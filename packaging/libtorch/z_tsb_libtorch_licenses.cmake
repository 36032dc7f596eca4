# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

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
    z_tsb_find_system_license(file "${from}")
    if(NOT file)
      tsb_fail(
        "the licence of ${name}, bundled from ${from}, is not known"
        "install the package that holds its licence, or build an artifact without-deps"
      )
    endif()
    string(REGEX REPLACE "\\.so.*" "" folder "${name}")
    file(MAKE_DIRECTORY "${root}/share/licenses/${folder}")
    get_filename_component(file "${file}" REALPATH)
    file(COPY_FILE "${file}" "${root}/share/licenses/${folder}/copyright")
    set(entry "{}")
    z_tsb_json_set_string(entry package "${file_owner}")
    z_tsb_json_set_string(entry version "${file_version}")
    string(JSON table SET "${table}" "${from}" "${entry}")
  endforeach()
  z_tsb_write_file("${owners}" "${table}\n")
endfunction()

# z_tsb_find_system_license(<out-var> <file name>): the licence text of the distribution's package that owns a library;
# <out-var>_owner and <out-var>_version become that package's name and version.
function(z_tsb_find_system_license out library)
  set(${out} "" PARENT_SCOPE)
  # The report names files without their folder, since it goes into the artifact.
  # /sbin is not on the path of Debian's users.
  find_program(ldconfig ldconfig PATHS /sbin /usr/sbin NO_CACHE)
  execute_process(COMMAND "${ldconfig}" -p OUTPUT_VARIABLE cache ERROR_QUIET)
  string(REGEX MATCHALL "=> [^\n]+" entries "${cache}")
  list(TRANSFORM entries REPLACE "^=> (.*)/[^/]*$" "\\1")
  list(REMOVE_DUPLICATES entries)
  find_file(Z_TSB_BUNDLED_${library} "${library}" PATHS ${entries} NO_CACHE)
  if(NOT Z_TSB_BUNDLED_${library})
    return()
  endif()
  get_filename_component(library "${Z_TSB_BUNDLED_${library}}" REALPATH)
  # Debian's libraries moved from /lib to /usr/lib; its database may know either.
  string(REGEX REPLACE "^/usr/lib/" "/lib/" other "${library}")
  foreach(path IN ITEMS "${library}" "${other}")
    execute_process(COMMAND dpkg-query --search "${path}" OUTPUT_VARIABLE owner RESULT_VARIABLE result ERROR_QUIET)
    string(REGEX REPLACE ":.*" "" owner "${owner}")
    if(result EQUAL 0 AND EXISTS "/usr/share/doc/${owner}/copyright")
      execute_process(COMMAND dpkg-query --show --showformat=\${Version} "${owner}" OUTPUT_VARIABLE version ERROR_QUIET)
      set(${out} "/usr/share/doc/${owner}/copyright" PARENT_SCOPE)
      set(${out}_owner "${owner}" PARENT_SCOPE)
      set(${out}_version "${version}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  execute_process(
    COMMAND rpm -qf --queryformat "%{NAME} %{VERSION}-%{RELEASE}" "${library}"
    OUTPUT_VARIABLE owner
    RESULT_VARIABLE result
    ERROR_QUIET
  )
  if(result EQUAL 0 AND owner MATCHES "^([^ ]+) ([^ ]+)$")
    set(${out}_owner "${CMAKE_MATCH_1}" PARENT_SCOPE)
    set(${out}_version "${CMAKE_MATCH_2}" PARENT_SCOPE)
    file(GLOB files "/usr/share/licenses/${CMAKE_MATCH_1}/*")
    if(files)
      list(GET files 0 file)
      set(${out} "${file}" PARENT_SCOPE)
    endif()
  endif()
endfunction()
