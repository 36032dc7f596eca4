# SPDX-License-Identifier: BSD-3-Clause
# z_tsb_unity_headers(<out-var> <source folder> <folder>... [-<path>...])
#
# The first 12 digits of a SHA-256 over the headers below the folders, their names and content, without those whose path
# begins with one after a `-`. Paths are relative to the source folder.
#
# As a script, for tools/unity/find_groups.py, it prints the digest:
#
#   cmake -D SOURCE=<source folder> "-D FOLDERS=<folder;...>" -P z_tsb_unity_headers.cmake
function(z_tsb_unity_headers out source)
  set(patterns "")
  set(left_out "")
  foreach(folder IN LISTS ARGN)
    if(folder MATCHES "^-(.*)$")
      list(APPEND left_out "${CMAKE_MATCH_1}")
    else()
      foreach(extension IN ITEMS h hpp hxx inc inl)
        list(APPEND patterns "${source}/${folder}/*.${extension}")
      endforeach()
    endif()
  endforeach()
  file(GLOB_RECURSE headers RELATIVE "${source}" ${patterns})
  foreach(path IN LISTS left_out)
    string(REPLACE "." "[.]" path "${path}")
    list(FILTER headers EXCLUDE REGEX "^${path}")
  endforeach()
  list(SORT headers)
  set(text "")
  foreach(header IN LISTS headers)
    file(SHA256 "${source}/${header}" digest)
    string(APPEND text "${digest} ${header}\n")
  endforeach()
  string(SHA256 digest "${text}")
  string(SUBSTRING "${digest}" 0 12 digest)
  set(${out} "${digest}" PARENT_SCOPE)
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  z_tsb_unity_headers(digest "${SOURCE}" ${FOLDERS})
  execute_process(COMMAND "${CMAKE_COMMAND}" -E echo "${digest}")
endif()
