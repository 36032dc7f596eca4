# SPDX-License-Identifier: BSD-3-Clause
# style_tool(<variable> <name>): a program of the pinned style tools, which bootstrap.sh installs into
# build/style-tools. Other versions have other opinions, so no other is asked. Without it the test ends here, skipped.
# In: TOOLS, that folder.
include(${CMAKE_CURRENT_LIST_DIR}/files_of_project.cmake)
macro(style_tool variable name)
  if(NOT EXISTS ${TOOLS}/pinned)
    message("SKIP: ${name} is not installed; ./bootstrap.sh --test installs it")
    return()
  endif()
  set(ENV{PYTHONPATH} ${TOOLS})
  set(${variable} ${TOOLS}/bin/${name})
endmacro()
