# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# prebuilt_magma(<out-var>): the licence text of the installed MAGMA that TSB_LOCAL_magma names, as a path below that
# folder; empty when the variable is not set or names a source tree. Errors: an installed MAGMA without headers or
# licence.
function(prebuilt_magma out)
  set(${out} "" PARENT_SCOPE)
  set(folder "${TSB_LOCAL_magma}")
  if(folder STREQUAL "")
    return()
  endif()
  # As fetch decides (engine/sources/tree.py): the first pattern is there only when it is installed.
  set(patterns ${model_prebuilt_magma})
  list(TRANSFORM patterns PREPEND "${folder}/")
  list(SUBLIST patterns 0 1 first)
  file(GLOB installed ${first})
  if(NOT installed)
    return()
  endif()
  file(
    GLOB files
    LIST_DIRECTORIES false
    RELATIVE "${folder}"
    ${patterns}
  )
  if(NOT "include/magma_v2.h" IN_LIST files OR NOT "include/magma_types.h" IN_LIST files)
    message(
      FATAL_ERROR "  ${folder} (TSB_LOCAL_magma) has lib/libmagma, but no include/magma_v2.h and magma_types.h\n"
                  "  name a folder with include/ and lib/ of MAGMA 2, or unset it: MAGMA is built from source"
    )
  endif()
  list(FILTER files INCLUDE REGEX "(^|/)(COPYRIGHT|copyright)$")
  if(NOT files)
    message(
      FATAL_ERROR "  ${folder} (TSB_LOCAL_magma) has no text of MAGMA's licence, which goes into every artifact\n"
                  "  put the file COPYRIGHT of MAGMA's source there"
    )
  endif()
  list(GET files 0 license)
  set(${out} "${license}" PARENT_SCOPE)
endfunction()
