# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# z_tsb_pack_named_file(<out-var of the file> <out-var of the error> <dist> <pattern> <earlier files> <debug file> <command>...): runs
# a `torchpkg pack` that finds out itself what the file is called and says so last. <pattern>: what of that path is the
# name in <dist>. Earlier files that are not made again are removed.
function(z_tsb_pack_named_file out_file out_error dist pattern earlier debug_file)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ECHO_OUTPUT_VARIABLE)
  set(file "")
  set(error "")
  if(result EQUAL 0 AND output MATCHES "(${pattern})\n$")
    set(file "${CMAKE_MATCH_1}")
    list(REMOVE_ITEM earlier ${file} ${debug_file})
    foreach(other IN LISTS earlier)
      file(REMOVE "${dist}/${other}")
    endforeach()
  else()
    list(JOIN ARGN " " command)
    set(error "  ${command} failed\n  see the message above")
  endif()
  set(${out_file} "${file}" PARENT_SCOPE)
  set(${out_error} "${error}" PARENT_SCOPE)
endfunction()
