# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# z_tsb_write_file(<file> <content> [<permission>...]): writes beside and renames, so that a killed run leaves the old
# file or the new one; an equal file keeps its time, so that nothing downstream runs again. After a power cut it may be
# empty: configure writes what it has written again, and a damaged stamp of a step counts as none.
function(z_tsb_write_file file content)
  if(EXISTS "${file}")
    file(READ "${file}" old)
    if(old STREQUAL content)
      return()
    endif()
  endif()
  string(RANDOM LENGTH 8 suffix)
  if(ARGN)
    file(TOUCH "${file}.${suffix}")
    file(CHMOD "${file}.${suffix}" PERMISSIONS ${ARGN})
  endif()
  file(WRITE "${file}.${suffix}" "${content}")
  file(RENAME "${file}.${suffix}" "${file}")
endfunction()
