# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# z_tsb_header_version(<result> <header> <macro>...): "9.1.0", the numbers of these macros up to the first one that is
# missing; empty without any, or without the file.
function(z_tsb_header_version result header)
  set(parts "")
  foreach(macro IN LISTS ARGN)
    set(line "")
    if(EXISTS "${header}")
      file(STRINGS "${header}" line REGEX "^ *# *define +${macro} +[0-9]+" LIMIT_COUNT 1)
    endif()
    if(NOT line MATCHES "${macro} +([0-9]+)")
      break()
    endif()
    list(APPEND parts ${CMAKE_MATCH_1})
  endforeach()
  list(JOIN parts "." version)
  set(${result} "${version}" PARENT_SCOPE)
endfunction()
