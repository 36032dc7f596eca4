# SPDX-License-Identifier: BSD-3-Clause
# The compilers that project() will take: what the build folder was configured with (or -D names), else CC and CXX, else
# cc and c++ and their like; old ones cannot build PyTorch.
function(tsb_doctor_check_compiler)
  z_tsb_doctor_check_one_compiler("${CMAKE_C_COMPILER}" CC C "C compiler" cc gcc clang)
  z_tsb_doctor_check_one_compiler("${CMAKE_CXX_COMPILER}" CXX C++ "C++ compiler" c++ g++ clang++)
endfunction()

function(z_tsb_doctor_check_one_compiler configured variable language title)
  z_tsb_doctor_install(remedy g++ gcc-c++)
  set(wanted "$ENV{${variable}}")
  set(note "")
  if(NOT configured STREQUAL "")
    find_program(program "${configured}" NO_CACHE)
    if(NOT program)
      z_tsb_doctor_problem(
        "${title}: this build folder was configured with ${configured}, which does not exist"
        "install it again, or remove the build folder"
      )
      return()
    endif()
    set(remedy "remove the build folder, and set ${variable} to a newer one or unset it")
    find_program(named "${wanted}" NO_CACHE)
    file(REAL_PATH "${program}" program_file)
    if(named)
      file(REAL_PATH "${named}" named_file)
      if(NOT named_file STREQUAL program_file)
        set(
          note
          ", which this build folder was configured with: ${variable}=${wanted} has no effect unless you remove the folder"
        )
      endif()
    endif()
  elseif(wanted STREQUAL "")
    find_program(program NAMES ${ARGN} NO_CACHE)
    if(NOT program)
      z_tsb_doctor_problem("${title}: none found, gcc 10 or clang 12 or newer is needed" "${remedy}")
      return()
    endif()
  else()
    # CMake takes what follows the program for flags, and gives them to the project at hand only.
    separate_arguments(words UNIX_COMMAND "${wanted}")
    list(LENGTH words count)
    if(count GREATER 1)
      z_tsb_doctor_problem(
        "${title}: ${variable} is \"${wanted}\", but the packages would be built without what follows the program"
        "name the compiler alone (a compiler cache is found by itself), or a script that adds the options"
      )
      return()
    endif()
    list(GET words 0 first)
    find_program(program "${first}" NO_CACHE)
    if(NOT program)
      z_tsb_doctor_problem(
        "${title}: ${variable} is \"${wanted}\", but there is no such program" "correct ${variable} or unset it"
      )
      return()
    endif()
    set(remedy "set ${variable} to a newer one, or unset it")
  endif()

  string(TOLOWER "${language}" x)
  execute_process(
    COMMAND ${program} -dM -E -x ${x} /dev/null
    OUTPUT_VARIABLE macros
    ERROR_VARIABLE error
    RESULT_VARIABLE status
  )
  foreach(name IN ITEMS __clang_major__ __clang_minor__ __GNUC__ __GNUC_MINOR__ __GNUC_PATCHLEVEL__)
    set(${name} "")
    if(macros MATCHES "#define ${name} ([0-9]+)")
      set(${name} ${CMAKE_MATCH_1})
    endif()
  endforeach()
  if(NOT status EQUAL 0 OR __GNUC__ STREQUAL "")
    string(REGEX REPLACE "\n.*" "" error "${error}")
    z_tsb_doctor_problem("${title}: ${program} is neither gcc nor clang, or does not work: ${error}" "${remedy}")
    return()
  endif()
  if(NOT __clang_major__ STREQUAL "")
    set(kind clang)
    set(least 12)
    set(version ${__clang_major__}.${__clang_minor__})
  else()
    set(kind gcc)
    # PyTorch would do with 9.3, but torchpkg needs <span>.
    set(least 10)
    set(version ${__GNUC__}.${__GNUC_MINOR__}.${__GNUC_PATCHLEVEL__})
  endif()
  if(version VERSION_LESS least)
    z_tsb_doctor_problem("${title}: ${program} is ${kind} ${version}, ${least} or newer is needed" "${remedy}")
  else()
    set_property(GLOBAL PROPERTY TSB_DOCTOR_COMPILER_${language} "${program}")
    z_tsb_doctor_good("${title} ${kind} ${version} (${program}${note})")
  endif()
endfunction()
