# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/z_tsb_link_tree.cmake)

# z_tsb_correct_cuda_headers(<include folder of a layout> <host compiler>): where crt/math_functions.h declares a
# function without an exception specification and the C library's <math.h> with one, the folder gets copies of it and
# its .hpp, instead of links, that have one as well. Otherwise no compiler takes both: this concerns CUDA up to 12.8
# with sinpi, cospi, sinpif and cospif of glibc 2.41, up to 13.0 with rsqrt and rsqrtf of glibc 2.42. No names or
# versions are known here: both headers are read.
#
# To make the folder a system folder (-isystem) does for g++, not for clang, which lets only its own declarations
# differ. Where it is one, g++ takes a header of /usr/include by that shorter path (-fcanonical-system-headers), and
# with it all that the header includes: the machine's crt/math_functions.h and not the copy. It is the toolkit's as
# well, which the licence gate knows by links into the machine, so machine/ keeps one.
function(z_tsb_correct_cuda_headers include host_compiler)
  set(header "${include}/crt/math_functions.h")
  if(NOT EXISTS "${header}")
    return()
  endif()
  file(WRITE "${include}/math.cpp" "#include <math.h>\n")
  execute_process(COMMAND "${host_compiler}" -D_GNU_SOURCE -E "${include}/math.cpp" OUTPUT_VARIABLE math ERROR_QUIET)
  file(REMOVE "${include}/math.cpp")
  file(STRINGS "${header}" lines REGEX "^extern __DEVICE_FUNCTIONS_DECL__ __device_builtin__ +(double|float) .*\\);")
  set(names "")
  foreach(line IN LISTS lines)
    string(REGEX MATCH " ([a-z0-9]+)\\(" ignored "${line}")
    set(name "${CMAKE_MATCH_1}")
    if(math MATCHES "extern (double|float) ${name} *\\([^;()]*\\) *(noexcept|throw)")
      list(APPEND names ${name})
    endif()
  endforeach()
  if(names STREQUAL "")
    return()
  endif()

  if(IS_SYMLINK "${include}/crt")
    file(READ_SYMLINK "${include}/crt" from)
    file(REMOVE "${include}/crt")
    z_tsb_link_tree("${from}" "${include}/crt")
  endif()
  list(JOIN names "|" names)
  foreach(file IN ITEMS "${header}" "${header}pp")
    if(EXISTS "${file}")
      file(READ "${file}" text)
      string(REGEX REPLACE "(__device_builtin__ [^\n]* (${names})\\([^()\n]*\\));" "\\1 noexcept(true);" text "${text}")
      string(REGEX REPLACE "(__func__\\([a-z]+ (${names})\\([^()\n]*\\))\\)" "\\1 noexcept(true))" text "${text}")
      file(REAL_PATH "${file}" real)
      get_filename_component(name "${file}" NAME)
      file(MAKE_DIRECTORY "${include}/crt/machine")
      file(CREATE_LINK "${real}" "${include}/crt/machine/${name}" SYMBOLIC)
      file(REMOVE "${file}") # not through the link
      file(WRITE "${file}" "${text}")
    endif()
  endforeach()
endfunction()
