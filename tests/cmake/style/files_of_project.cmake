# SPDX-License-Identifier: BSD-3-Clause
# files_of_project(<result> <expression>): the project's own files whose path from the root matches; no build results,
# and none that git ignores, but also right where there is no git.
cmake_minimum_required(VERSION 3.25)
function(files_of_project result expression)
  find_program(git git NO_CACHE)
  set(files "")
  if(git AND EXISTS ${TSB_SOURCE_DIR}/.git)
    # The folder may belong to somebody else, as in a container.
    execute_process(
      COMMAND ${git} -c safe.directory=* ls-files --cached --others --exclude-standard
      WORKING_DIRECTORY ${TSB_SOURCE_DIR}
      OUTPUT_VARIABLE files
      ERROR_QUIET
    )
    string(REGEX REPLACE "\n" ";" files "${files}")
  endif()
  if(files STREQUAL "")
    file(GLOB_RECURSE files RELATIVE ${TSB_SOURCE_DIR} ${TSB_SOURCE_DIR}/* ${TSB_SOURCE_DIR}/.ci/*)
    list(FILTER files EXCLUDE REGEX "^(build|dist|\\.git)/")
  endif()
  list(FILTER files INCLUDE REGEX "${expression}")
  set(found "")
  foreach(file IN LISTS files)
    if(EXISTS "${TSB_SOURCE_DIR}/${file}" AND NOT IS_DIRECTORY "${TSB_SOURCE_DIR}/${file}")
      list(APPEND found "${file}")
    endif()
  endforeach()
  if(found STREQUAL "")
    message(FATAL_ERROR "no file of the project matches ${expression}: nothing would be checked")
  endif()
  set(${result} "${found}" PARENT_SCOPE)
endfunction()
