# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# <stage>/packed.txt: the hash of what was packed, then a line for each file in dist/ that came of it: size, time, name. It
# tells these files from others that somebody may put in their place.

# z_tsb_files_stamp(<out-var> <dist> <file>...): the lines; empty when a file is not there.
function(z_tsb_files_stamp out dist)
  set(stamp "")
  foreach(file IN LISTS ARGN)
    if(NOT EXISTS "${dist}/${file}")
      set(${out} "" PARENT_SCOPE)
      return()
    endif()
    file(SIZE "${dist}/${file}" size)
    file(TIMESTAMP "${dist}/${file}" time "%s")
    string(APPEND stamp "${size} ${time} ${dist}/${file}\n")
  endforeach()
  set(${out} "${stamp}" PARENT_SCOPE)
endfunction()

# z_tsb_packed_files(<out-var of the files> <out-var intact> <stage> <dist> <hash>): what was packed from this stage into
# this folder, and whether it is all there as it was made and of what <hash> stands for.
function(z_tsb_packed_files out_files out_intact stage dist hash)
  set(files "")
  set(intact OFF)
  if(EXISTS "${stage}/packed.txt")
    file(STRINGS "${stage}/packed.txt" lines)
    foreach(line IN LISTS lines)
      string(FIND "${line}" " ${dist}/" at)
      if(at GREATER 0)
        string(LENGTH " ${dist}/" length)
        math(EXPR at "${at} + ${length}")
        string(SUBSTRING "${line}" ${at} -1 file)
        list(APPEND files "${file}")
      endif()
    endforeach()
    z_tsb_files_stamp(stamp "${dist}" ${files})
    file(READ "${stage}/packed.txt" recorded)
    if(files AND recorded STREQUAL "${hash}\n${stamp}")
      set(intact ON)
    endif()
  endif()
  set(${out_files} "${files}" PARENT_SCOPE)
  set(${out_intact} "${intact}" PARENT_SCOPE)
endfunction()

# z_tsb_record_packed_files(<stage> <dist> <hash> <file>...)
function(z_tsb_record_packed_files stage dist hash)
  z_tsb_files_stamp(stamp "${dist}" ${ARGN})
  z_tsb_write_file("${stage}/packed.txt" "${hash}\n${stamp}")
endfunction()
