# SPDX-License-Identifier: BSD-3-Clause
# Files from the future, as after the clock was set back: Ninja would run CMake again and again, without a word on why.
function(tsb_doctor_check_clock)
  set(epoch "$ENV{SOURCE_DATE_EPOCH}")
  unset(ENV{SOURCE_DATE_EPOCH}) # CMake would take it for the time
  string(TIMESTAMP now "%s" UTC)
  if(epoch)
    set(ENV{SOURCE_DATE_EPOCH} "${epoch}")
  endif()
  math(EXPR latest "${now} + 60")
  file(GLOB files LIST_DIRECTORIES OFF "${doctor_BUILD_DIR}/*" "${doctor_SOURCE_DIR}/*")
  file(GLOB_RECURSE scripts "${doctor_SOURCE_DIR}/cmake/*" "${doctor_SOURCE_DIR}/superbuild/*")
  set(future "")
  foreach(file IN LISTS files scripts)
    file(TIMESTAMP "${file}" time "%s" UTC)
    if(time GREATER latest)
      list(APPEND future "${file}")
    endif()
  endforeach()
  if(future)
    list(LENGTH future count)
    list(GET future 0 file)
    file(TIMESTAMP "${file}" time "%Y-%m-%d %H:%M:%S")
    z_tsb_doctor_problem(
      "clock: files from the future: ${count}, such as ${file} (${time}); CMake would run forever"
      "set the clock, or: find '${doctor_BUILD_DIR}' '${doctor_SOURCE_DIR}' -newermt now -exec touch {} +"
    )
  endif()
endfunction()
