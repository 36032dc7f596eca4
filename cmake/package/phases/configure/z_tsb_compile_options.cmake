# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../z_tsb_framework.cmake)

# z_tsb_compile_options(<out-var>): the framework's options for compilers of C, C++ and assembler with C's preprocessor,
# with the debug information that TSB_DEBUG_INFO asks for.
function(z_tsb_compile_options out)
  z_tsb_expand(options "${TSB_FRAMEWORK_COMPILE_OPTIONS}")
  if(package_debug_info STREQUAL "lines")
    list(APPEND options -g1)
  elseif(package_debug_info STREQUAL "full")
    list(APPEND options -g)
  endif()
  set(${out} "${options}" PARENT_SCOPE)
endfunction()
