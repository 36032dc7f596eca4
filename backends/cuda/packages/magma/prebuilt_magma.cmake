# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../../../cmake/package/z_tsb_prebuilt_files.cmake)

# prebuilt_magma(<out-var>): the licence text of the installed MAGMA that TSB_LOCAL_magma names, as a path below that
# folder; empty when the variable is not set or names a source tree. Errors: an installed MAGMA without headers or
# licence.
function(prebuilt_magma out)
  set(${out} "" PARENT_SCOPE)
  set(folder "$ENV{TSB_LOCAL_magma}")
  if(folder STREQUAL "")
    return()
  endif()
  file(READ "${TSB_PINS_FILE}" pins)
  z_tsb_json_get(pin "${pins}" sources magma)
  z_tsb_prebuilt_files(files "${pin}" "${folder}")
  if(NOT files)
    return()
  endif()
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
