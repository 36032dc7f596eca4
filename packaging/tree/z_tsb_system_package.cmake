# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/detail/z_tsb_json.cmake)

# z_tsb_system_package(<out-var> <file name>): the name of the distribution's package that owns a library of this
# machine, or for an artifact of another processor of /usr/<triplet>/lib, and as <out-var>_version and <out-var>_license
# its version and the file with its licence text. Empty when the library is not there or no package owns it;
# <out-var>_license is also empty when the package brings no licence along.
function(z_tsb_system_package out library)
  foreach(variable IN ITEMS ${out} ${out}_version ${out}_license)
    set(${variable} "" PARENT_SCOPE)
  endforeach()
  # The report names files without their folder, since it goes into the artifact.
  if(artifact_target_cross)
    find_file(
      Z_TSB_BUNDLED_${library} "${library}" PATHS "/usr/${artifact_target_triplet}/lib" NO_DEFAULT_PATH NO_CACHE
    )
  else()
    # /sbin is not on the path of Debian's users.
    find_program(ldconfig ldconfig PATHS /sbin /usr/sbin NO_CACHE)
    execute_process(COMMAND "${ldconfig}" -p OUTPUT_VARIABLE cache ERROR_QUIET)
    string(REGEX MATCHALL "=> [^\n]+" entries "${cache}")
    list(TRANSFORM entries REPLACE "^=> (.*)/[^/]*$" "\\1")
    list(REMOVE_DUPLICATES entries)
    find_file(Z_TSB_BUNDLED_${library} "${library}" PATHS ${entries} NO_CACHE)
  endif()
  if(NOT Z_TSB_BUNDLED_${library})
    return()
  endif()
  get_filename_component(library "${Z_TSB_BUNDLED_${library}}" REALPATH)
  # Debian's libraries moved from /lib to /usr/lib; its database may know either.
  string(REGEX REPLACE "^/usr/lib/" "/lib/" other "${library}")
  foreach(path IN ITEMS "${library}" "${other}")
    execute_process(
      COMMAND dpkg-query --search "${path}"
      OUTPUT_VARIABLE owner
      RESULT_VARIABLE result
      ERROR_QUIET
    )
    string(REGEX REPLACE ":.*" "" owner "${owner}")
    if(result EQUAL 0 AND EXISTS "/usr/share/doc/${owner}/copyright")
      execute_process(COMMAND dpkg-query --show --showformat=\${Version} "${owner}" OUTPUT_VARIABLE version ERROR_QUIET)
      set(${out} "${owner}" PARENT_SCOPE)
      set(${out}_license "/usr/share/doc/${owner}/copyright" PARENT_SCOPE)
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
    set(${out} "${CMAKE_MATCH_1}" PARENT_SCOPE)
    set(${out}_version "${CMAKE_MATCH_2}" PARENT_SCOPE)
    file(GLOB files "/usr/share/licenses/${CMAKE_MATCH_1}/*")
    if(files)
      list(GET files 0 file)
      set(${out}_license "${file}" PARENT_SCOPE)
    endif()
  endif()
endfunction()
