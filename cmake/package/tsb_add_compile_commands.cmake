# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_add_compile_commands
------------------------

Adds the target ``compile_commands``, which is built last: ``compile_commands.json`` in the build folder has how the
sources of all packages are compiled. CMake writes none, since the superbuild compiles nothing itself. The packages'
own configure is not asked for it, so that nothing is compiled again.
#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../python/tsb_python_command.cmake)

function(tsb_add_compile_commands)
  get_property(packages GLOBAL PROPERTY TSB_ORDERED_PACKAGES)
  tsb_python_command(command "${TSB_CODEGEN_PYTHON}" compile_commands)
  add_custom_target(compile_commands ALL COMMAND ${command} "${CMAKE_BINARY_DIR}" ${packages} VERBATIM)
  add_dependencies(compile_commands ${packages})
endfunction()
