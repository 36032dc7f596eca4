# SPDX-License-Identifier: BSD-3-Clause
# The compiler that nvcc hands C++ to: TSB_CUDA_HOST_COMPILER, CXX, or c++. Which ones are too new is read in the
# toolkit's own crt/host_config.h, whose #error would end each compile otherwise. Exports TSB_CUDA_HOST_COMPILER (a
# path) and TSB_CUDA_HOST_COMPILER_VERSION ("gcc 12.2.0").
include(${CMAKE_CURRENT_LIST_DIR}/../detail/z_tsb_json.cmake)

# z_tsb_host_compiler_limits(<gcc> <clang> <toolkit>): the greatest major versions that nvcc takes, or nothing.
function(z_tsb_host_compiler_limits gcc clang toolkit)
  z_tsb_json_get_list(includes "${toolkit}" include)
  find_file(header crt/host_config.h PATHS ${includes} NO_DEFAULT_PATH NO_CACHE)
  set(greatest_gcc "")
  set(greatest_clang "")
  if(header)
    file(STRINGS "${header}" lines REGEX "^ *#if .*(__GNUC__ +>|__clang_major__ +>=)")
    if(lines MATCHES "__GNUC__ +> +([0-9]+)")
      set(greatest_gcc ${CMAKE_MATCH_1})
    endif()
    if(lines MATCHES "__clang_major__ +>= +([0-9]+)")
      math(EXPR greatest_clang "${CMAKE_MATCH_1} - 1")
    endif()
  endif()
  set(${gcc} "${greatest_gcc}" PARENT_SCOPE)
  set(${clang} "${greatest_clang}" PARENT_SCOPE)
endfunction()

# z_tsb_look_at_host_compiler(<program>): sets kind and version; empty when it is neither gcc nor clang.
function(z_tsb_look_at_host_compiler program)
  execute_process(
    COMMAND "${program}" -dM -E -x c++ /dev/null
    OUTPUT_VARIABLE macros
    ERROR_QUIET
  )
  set(kind "")
  set(version "")
  if(macros MATCHES "#define __clang_major__ ([0-9]+)")
    set(kind clang)
    set(version ${CMAKE_MATCH_1})
  elseif(macros MATCHES "#define __GNUC__ ([0-9]+)")
    set(kind gcc)
    set(version ${CMAKE_MATCH_1})
    foreach(part IN ITEMS __GNUC_MINOR__ __GNUC_PATCHLEVEL__)
      if(macros MATCHES "#define ${part} ([0-9]+)")
        string(APPEND version ".${CMAKE_MATCH_1}")
      endif()
    endforeach()
  endif()
  set(kind "${kind}" PARENT_SCOPE)
  set(version "${version}" PARENT_SCOPE)
endfunction()

function(tsb_doctor_check_cuda_host_compiler)
  z_tsb_doctor_exported(toolkit TSB_CUDA_TOOLKIT)
  if(toolkit STREQUAL "")
    return() # said by the check of the toolkit
  endif()
  set(variable "")
  set(names c++ g++ clang++)
  foreach(candidate IN ITEMS CXX TSB_CUDA_HOST_COMPILER)
    if(NOT "$ENV{${candidate}}" STREQUAL "")
      set(variable ${candidate})
      set(names "$ENV{${candidate}}")
    endif()
  endforeach()
  find_program(program NAMES ${names} NO_CACHE)
  if(NOT program)
    z_tsb_doctor_problem(
      "CUDA host compiler: there is no ${names}"
      "set TSB_CUDA_HOST_COMPILER to a C++ compiler that nvcc takes, or unset it"
    )
    return()
  endif()
  z_tsb_look_at_host_compiler("${program}")
  z_tsb_host_compiler_limits(greatest_gcc greatest_clang "${toolkit}")
  string(JSON cuda GET "${toolkit}" version)
  if(kind STREQUAL "")
    z_tsb_doctor_problem(
      "CUDA host compiler: ${program} is neither gcc nor clang, or does not work"
      "set TSB_CUDA_HOST_COMPILER to one that is"
    )
    return()
  endif()
  set(greatest "${greatest_${kind}}")
  string(REGEX MATCH "^[0-9]+" major "${version}")
  if(greatest STREQUAL "" OR major LESS_EQUAL greatest)
    z_tsb_doctor_good("CUDA host compiler: ${kind} ${version} (${program})")
    z_tsb_doctor_export(TSB_CUDA_HOST_COMPILER "${program}")
    z_tsb_doctor_export(TSB_CUDA_HOST_COMPILER_VERSION "${kind} ${version}")
    return()
  endif()

  # The newest on this machine that fits.
  set(offer "")
  foreach(pair IN ITEMS "g++;${greatest_gcc}" "clang++;${greatest_clang}")
    list(GET pair 0 name)
    list(GET pair 1 number)
    while(number GREATER 8 AND offer STREQUAL "")
      find_program(fitting ${name}-${number} NO_CACHE)
      if(fitting)
        set(offer "${fitting}")
      endif()
      unset(fitting)
      math(EXPR number "${number} - 1")
    endwhile()
  endforeach()
  if(offer STREQUAL "")
    # The newest that the distribution has; the greatest one where apt does not know (no lists in a container).
    set(number ${greatest_gcc})
    find_program(apt_cache apt-cache NO_CACHE)
    while(apt_cache AND number GREATER 8)
      execute_process(COMMAND "${apt_cache}" policy g++-${number} OUTPUT_VARIABLE output ERROR_QUIET)
      if(output MATCHES "Candidate: [0-9]")
        break()
      endif()
      math(EXPR number "${number} - 1")
    endwhile()
    if(number EQUAL 8)
      set(number ${greatest_gcc})
    endif()
    z_tsb_doctor_install(install g++-${number} gcc-toolset-${greatest_gcc}-gcc-c++)
    set(remedy "${install}, and set TSB_CUDA_HOST_COMPILER=g++-${number}")
    if(install MATCHES "gcc-toolset")
      set(remedy "${install}, and set TSB_CUDA_HOST_COMPILER=/opt/rh/gcc-toolset-${greatest_gcc}/root/usr/bin/g++")
    endif()
  else()
    set(remedy "set TSB_CUDA_HOST_COMPILER=${offer}, which is here and fits")
  endif()
  z_tsb_doctor_problem(
    "CUDA host compiler: ${program} is ${kind} ${version}, and nvcc ${cuda} takes ${kind} up to ${greatest} only"
    "${remedy}"
  )
endfunction()
