# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../model/tsb_json_object.cmake)

# z_tsb_toolchain(<out-var>): what of the toolchain decides what is compiled, as a JSON object. What the
# store keeps may be taken by another system: with the same compiler and an older C library, another processor, or
# another compiler of the same version. So the programs count by their content: the compiler that is called, which may
# be somebody's wrapper, the parts of gcc, assembler, linker and archiver that it names, and the libraries that these
# are: a distribution's clang is a small program and libclang-cpp and libLLVM, and its lld may be one with liblldELF. A
# wrapper may call another one, so what is started in the end counts as well, with all options.
#
# The toolchain is the machine's, or one for another processor, by the record `target` (tsb_load_model): its C library
# counts by its content. The compilers are gcc's for the target, by their names.
function(z_tsb_toolchain out)
  foreach(language IN ITEMS C CXX)
    if(target_cross)
      string(TOLOWER "target_${language}_compiler" compiler)
      set(CMAKE_${language}_COMPILER "${${compiler}}")
      set(CMAKE_${language}_COMPILER_ID GNU)
      z_tsb_first_words(CMAKE_${language}_COMPILER_VERSION ${CMAKE_${language}_COMPILER} -dumpfullversion)
    endif()
    set(of_${language}_COMPILER_ID "${CMAKE_${language}_COMPILER_ID}")
    set(of_${language}_COMPILER_VERSION "${CMAKE_${language}_COMPILER_VERSION}")
    z_tsb_hash_programs(of_${language}_PROGRAMS "${CMAKE_${language}_COMPILER}" ${language})
  endforeach()
  z_tsb_first_words(of_C_LIBRARY getconf GNU_LIBC_VERSION)
  if(target_cross)
    z_tsb_first_words(library ${CMAKE_C_COMPILER} -print-file-name=libc.so.6)
    file(SHA256 "${library}" of_C_LIBRARY)
  endif()
  set(of_PROCESSOR "${target_processor}")
  z_tsb_first_words(of_MACHINE "${CMAKE_CXX_COMPILER}" -dumpmachine)
  tsb_json_object(
    toolchain of_ TEXTS C_COMPILER_ID C_COMPILER_VERSION C_PROGRAMS CXX_COMPILER_ID CXX_COMPILER_VERSION CXX_PROGRAMS
    C_LIBRARY PROCESSOR MACHINE
  )
  set(${out} "${toolchain}" PARENT_SCOPE)
endfunction()

# z_tsb_first_words(<out-var> <command>...): what it prints; empty when it fails.
function(z_tsb_first_words out)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE text OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

# z_tsb_compiler_commands(<out-var> <compiler> <language>): the lines that it prints of what it starts to compile and
# to link a file. Names of temporary files are others each time; clang tells the working directory.
function(z_tsb_compiler_commands out compiler language)
  set(C c)
  set(CXX c++)
  set(Fortran f95)
  execute_process(
    COMMAND env -i "PATH=$ENV{PATH}" LC_ALL=C "${compiler}" "-###" -x ${${language}} /dev/null -o /dev/null
    WORKING_DIRECTORY /
    OUTPUT_QUIET
    ERROR_VARIABLE text
  )
  string(REGEX MATCHALL "\n +[^\n]+" commands "\n${text}")
  string(REGEX REPLACE "/(cc|null-)[A-Za-z0-9]+[.]" "/temporary." commands "${commands}")
  set(${out} "${commands}" PARENT_SCOPE)
endfunction()

# z_tsb_hash_programs(<out-var> <compiler> <language: C, CXX or Fortran>): once for each, as all packages have the same.
function(z_tsb_hash_programs out compiler language)
  get_property(hash GLOBAL PROPERTY "TSB_PROGRAMS_${compiler}")
  if(NOT hash)
    set(programs "${compiler}")
    set(names cc1 cc1plus collect2 as ld ar ranlib)
    if(language STREQUAL "Fortran")
      set(names f951)
    endif()
    foreach(name IN LISTS names)
      z_tsb_first_words(part "${compiler}" -print-prog-name=${name})
      list(APPEND programs "${part}")
    endforeach()
    set(files "")
    foreach(name IN LISTS programs)
      find_program(program NAMES "${name}" NO_CACHE)
      if(program)
        file(REAL_PATH "${program}" program)
        z_tsb_first_words(libraries ldd "${program}")
        # "	libLLVM-14.so.1 => /a folder/libLLVM-14.so.1 (0x00007f...)", or the path alone.
        string(REGEX MATCHALL "[\t ]/[^\n]*/lib(clang|LLVM|lld|bfd)[^/\n]* \\(0x" libraries "${libraries}")
        list(TRANSFORM libraries REPLACE "^[\t ]| \\(0x$" "")
        list(APPEND files "${program}" ${libraries})
      endif()
      unset(program)
    endforeach()
    list(REMOVE_DUPLICATES files)
    z_tsb_compiler_commands(hashes "${compiler}" ${language})
    foreach(file IN LISTS files)
      file(SHA256 "${file}" hash)
      string(APPEND hashes "${hash}\n")
    endforeach()
    string(SHA256 hash "${hashes}")
    set_property(GLOBAL PROPERTY "TSB_PROGRAMS_${compiler}" "${hash}")
  endif()
  set(${out} "${hash}" PARENT_SCOPE)
endfunction()
