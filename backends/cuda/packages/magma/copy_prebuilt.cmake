# SPDX-License-Identifier: BSD-3-Clause
# Installs somebody's installed MAGMA (TSB_LOCAL_magma), the archive where there is one, and looks whether it fits:
# version, architectures, C library.
#
# Environment: MAGMA_ARCHS (those of the preset: "8.0 9.0+PTX"), CUDA_HOME (for cuobjdump).
cmake_minimum_required(VERSION 3.25)
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

# Says which of the preset's architectures the library has no code for.
function(look_at_architectures library)
  execute_process(
    COMMAND "$ENV{CUDA_HOME}/bin/cuobjdump" --list-elf --list-ptx "${library}"
    OUTPUT_VARIABLE listing
    ERROR_VARIABLE error
    ERROR_STRIP_TRAILING_WHITESPACE
    RESULT_VARIABLE code
  )
  # cuobjdump fails when there is no PTX, or nothing at all; what it has listed holds.
  string(REGEX MATCHALL "\\.sm_[0-9]+[af]?\\.cubin" machine_codes "${listing}")
  string(REGEX MATCHALL "\\.sm_[0-9]+[af]?\\.ptx" intermediate_codes "${listing}")
  foreach(kind IN ITEMS machine intermediate)
    set(${kind} ${${kind}_codes})
    list(REMOVE_DUPLICATES ${kind})
    list(TRANSFORM ${kind} REPLACE "^\\.sm_([0-9]+)([0-9][af]?)\\..*$" "\\1.\\2")
    list(SORT ${kind} COMPARE NATURAL)
    list(JOIN ${kind} " " ${kind}_text)
  endforeach()
  if(NOT machine AND NOT intermediate)
    tsb_fail(
      "${library} has no code for any GPU: ${error}"
      "name a MAGMA made for CUDA with TSB_LOCAL_magma, or unset it: MAGMA is built from source"
    )
  endif()
  set(translated "")
  set(absent "")
  separate_arguments(wanted UNIX_COMMAND "$ENV{MAGMA_ARCHS}")
  foreach(arch IN LISTS wanted)
    string(REPLACE "+PTX" "" arch "${arch}")
    if(arch IN_LIST machine)
      continue()
    endif()
    set(older "")
    foreach(candidate IN LISTS intermediate)
      if(candidate VERSION_LESS_EQUAL arch)
        set(older "${candidate}")
      endif()
    endforeach()
    if(older)
      list(APPEND translated "${arch}")
    else()
      list(APPEND absent "${arch}")
    endif()
  endforeach()
  set(has "this MAGMA has code for ${machine_text}")
  if(intermediate)
    string(APPEND has ", intermediate for ${intermediate_text}")
  endif()
  list(JOIN translated " " translated)
  list(JOIN absent " " absent)
  if(translated)
    message("notice: ${has}; the driver translates that for ${translated} when it is first used")
  endif()
  if(absent)
    message("notice: ${has}; it does not run on ${absent}, which the preset asks for")
  endif()
  message(STATUS "${has}")
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
look_at_architectures("${library}")
