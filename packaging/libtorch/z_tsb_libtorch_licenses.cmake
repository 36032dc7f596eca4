# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/package/z_tsb_package_closure.cmake)

# z_tsb_libtorch_licenses(<artifact json> <root of the staged tree> <bundle report>)
#
# share/licenses/<package>/ for every package and every source in its tree, and for every library that was bundled: the
# text that the distribution ships for the package that owns the library.
function(z_tsb_libtorch_licenses artifact root report)
  z_tsb_json_get(build_folder "${artifact}" build_folder)
  z_tsb_package_closure(packages "${build_folder}/packages" pytorch)
  foreach(package IN LISTS packages)
    file(GLOB folders "${build_folder}/packages/${package}/licenses/*")
    file(COPY ${folders} DESTINATION "${root}/share/licenses")
  endforeach()

  file(READ "${report}" bundle)
  string(JSON length LENGTH "${bundle}" bundled)
  if(length EQUAL 0)
    return()
  endif()
  math(EXPR last "${length} - 1")
  foreach(index RANGE ${last})
    string(JSON name GET "${bundle}" bundled ${index} name)
    string(JSON from GET "${bundle}" bundled ${index} from)
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
  endforeach()
endfunction()

# z_tsb_find_system_license(<out-var> <file name>): the licence text of the distribution's package that owns a library.
function(z_tsb_find_system_license out library)
  set(${out} "" PARENT_SCOPE)
  # The report names files without their folder, since it goes into the artifact.
  execute_process(COMMAND ldconfig -p OUTPUT_VARIABLE cache ERROR_QUIET)
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
      set(${out} "/usr/share/doc/${owner}/copyright" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  execute_process(
    COMMAND rpm -qf --queryformat "%{NAME}" "${library}"
    OUTPUT_VARIABLE owner
    RESULT_VARIABLE result
    ERROR_QUIET
  )
  if(result EQUAL 0)
    file(GLOB files "/usr/share/licenses/${owner}/*")
    if(files)
      list(GET files 0 file)
      set(${out} "${file}" PARENT_SCOPE)
    endif()
  endif()
endfunction()
