# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_make_program
----------------

Makes all that is built in this folder a part of a run (``engine/one_run/run.py``). ::

  tsb_make_program()

Sets ``TSB_CODEGEN_PYTHON`` for the caller where it is not yet. Writes two scripts into the build folder:
``run``, with which the commands of our targets begin, and ``ninja``, which becomes ``CMAKE_MAKE_PROGRAM``, so that
``cmake --build`` and IDEs start it. The Ninja that it runs is ``Z_TSB_NINJA`` in the cache: the former
``CMAKE_MAKE_PROGRAM``, else the one on ``PATH``.
#]]
include_guard(GLOBAL)

function(tsb_make_program)
  set(folder "${CMAKE_BINARY_DIR}")
  if(NOT TSB_CODEGEN_PYTHON) # the doctor's check was skipped
    set(TSB_CODEGEN_PYTHON "${TSB_PYTHON}")
    if(NOT TSB_CODEGEN_PYTHON)
      unset(TSB_CODEGEN_PYTHON) # find_program() takes an empty text for an answer
      find_program(TSB_CODEGEN_PYTHON python3 NO_CACHE)
    endif()
    set(TSB_CODEGEN_PYTHON "${TSB_CODEGEN_PYTHON}" PARENT_SCOPE)
  endif()
  if(CMAKE_MAKE_PROGRAM AND NOT CMAKE_MAKE_PROGRAM STREQUAL "${folder}/ninja")
    set(Z_TSB_NINJA "${CMAKE_MAKE_PROGRAM}" CACHE INTERNAL "")
  endif()
  find_program(Z_TSB_NINJA NAMES ninja-build ninja samu REQUIRED)
  set(mode FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  foreach(name IN ITEMS run ninja)
    configure_file("${CMAKE_CURRENT_FUNCTION_LIST_DIR}/run.sh.in" "${folder}/${name}" @ONLY ${mode})
  endforeach()
  set(CMAKE_MAKE_PROGRAM "${folder}/ninja" CACHE FILEPATH "Runs ${Z_TSB_NINJA}" FORCE)
endfunction()
