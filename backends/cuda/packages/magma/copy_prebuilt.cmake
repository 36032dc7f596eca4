# SPDX-License-Identifier: BSD-3-Clause
# Installs somebody's installed MAGMA (TSB_LOCAL_magma), the archive where there is one, and looks whether it fits:
# version, architectures, C library.
#
# Environment: MAGMA_ARCHS (those of the preset: "8.0 9.0+PTX"), CUDA_HOME.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/../../../../cmake/detail/tsb_fail.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../../../../cmake/python/tsb_call_python.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/check_version.cmake)

# What a newer C library calls strtol() when compiled against its own headers (2.38 and newer), this one does not
# have. They differ in what C23 added ("0b11" is binary) only, so the archive is changed to call the older one.
# https://sourceware.org/glibc/wiki/Release/2.38
function(use_older_strtol archive)
  execute_process(COMMAND getconf GNU_LIBC_VERSION OUTPUT_VARIABLE libc OUTPUT_STRIP_TRAILING_WHITESPACE)
  string(REGEX MATCH "[0-9.]+$" libc "${libc}")
  if(libc VERSION_GREATER_EQUAL 2.38)
    return()
  endif()
  execute_process(COMMAND nm -u "${archive}" OUTPUT_VARIABLE symbols ERROR_QUIET)
  string(REGEX MATCHALL "__isoc23_[a-z]+" names "${symbols}")
  if(names)
    list(REMOVE_DUPLICATES names)
    list(SORT names)
    set(changes "")
    foreach(name IN LISTS names)
      string(REPLACE "__isoc23_" "" older "${name}")
      list(APPEND changes --redefine-sym "${name}=${older}")
    endforeach()
    execute_process(COMMAND objcopy ${changes} "${archive}" COMMAND_ERROR_IS_FATAL ANY)
    list(JOIN names ", " names)
    message("notice: this MAGMA was made for a newer C library than ${libc}; it calls the older forms of ${names} now")
  endif()
endfunction()

file(GLOB archive "${TSB_SOURCE_DIR}/lib*/libmagma.a")
file(GLOB libraries "${TSB_SOURCE_DIR}/lib*/libmagma.so*")
file(GLOB headers "${TSB_SOURCE_DIR}/include/*.h")
file(COPY ${headers} DESTINATION "${TSB_INSTALL_DIR}/include")
if(archive)
  list(GET archive 0 archive)
  file(COPY "${archive}" DESTINATION "${TSB_INSTALL_DIR}/lib")
  set(library "${TSB_INSTALL_DIR}/lib/libmagma.a")
  use_older_strtol("${library}")
else()
  file(COPY ${libraries} DESTINATION "${TSB_INSTALL_DIR}/lib")
  set(library "${TSB_INSTALL_DIR}/lib/libmagma.so")
endif()
set(remedy "name another MAGMA with TSB_LOCAL_magma, or unset it: MAGMA is built from source")
check_version(version "${library}" "${remedy}")
get_filename_component(build_folder "${TSB_INSTALL_DIR}/../../.." ABSOLUTE)
separate_arguments(archs UNIX_COMMAND "$ENV{MAGMA_ARCHS}")
tsb_call_python(
  "${build_folder}" ../backends/cuda/packages/magma/look_at_archs.py "${build_folder}" "${library}" ${archs}
)
