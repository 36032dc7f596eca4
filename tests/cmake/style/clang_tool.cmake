# SPDX-License-Identifier: BSD-3-Clause
# clang_tool(<variable> <name>): clang-format or clang-tidy of the one version that is asked, since others have other
# opinions. Without it the test ends here, skipped.
macro(clang_tool variable name)
  find_program(${variable} NAMES ${name}-14 ${name} NO_CACHE)
  if(NOT ${variable})
    message("SKIP: there is no ${name}")
    return()
  endif()
  execute_process(COMMAND ${${variable}} --version OUTPUT_VARIABLE output)
  if(NOT output MATCHES "version 14[.]")
    string(STRIP "${output}" output)
    message("SKIP: the sources are looked at with ${name} 14, this is ${output}")
    return()
  endif()
endmacro()
