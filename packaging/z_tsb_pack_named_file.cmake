# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# z_tsb_pack_named_file(<out-var> <pattern> <command>...): runs a `torchpkg pack` that finds out itself what the file is called and
# says so last. <pattern>: what of that path is the name in dist.
function(z_tsb_pack_named_file out pattern)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ECHO_OUTPUT_VARIABLE)
  if(NOT result EQUAL 0 OR NOT output MATCHES "(${pattern})\n$")
    list(JOIN ARGN " " command)
    tsb_fail("${command} failed" "see the message above")
  endif()
  set(${out} "${CMAKE_MATCH_1}" PARENT_SCOPE)
endfunction()
