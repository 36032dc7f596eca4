# SPDX-License-Identifier: BSD-3-Clause
# check_debugger(<place>): unpacks the debug package over the package, and asks gdb which source line a function of
# libtorch_cpu begins at; then by build ID alone, as for a library that lies elsewhere.
#
# After check_at(<place>), whose variables it uses.

# ask_gdb(<place> <step> <pattern> <remedy> <option of gdb>...): `found` is what matches in its answer.
macro(ask_gdb place name pattern remedy)
  step("${place}" "${name}" IN "${here}/run" COMMAND "${gdb}" -nx -batch ${ARGN})
  file(READ "${log}" text)
  string(REGEX MATCH "${pattern}" found "${text}")
  if(NOT found)
    failed("${place}" "${name}" "gdb knows no source line" "${remedy}")
  endif()
  row(ok "${place}" "${name}" "${found}")
endmacro()

macro(check_debugger place)
  set(here "${TSB_WORK}/${place}")
  set(name gdb)
  if(TSB_TRIPLET)
    set(name gdb-multiarch) # Debian's gdb reads files of its own processor only
  endif()
  find_program(
    gdb
    NAMES ${name}
    PATHS ${folders}
    NO_DEFAULT_PATH NO_CACHE
  )
  step("${place}" "unpack the debug package" IN "${here}" COMMAND "${CMAKE_COMMAND}" -E tar xf "${TSB_DEBUG_PACKAGE}")
  if(gdb)
    set(lines "Line [0-9]+ of \"[^\"\n]+\"")
    # By the address of the symbol: for a name gdb 13 reads every compile unit that has a namespace `at`, minutes of it.
    set(question "info line *(&'_ZN2at11show_configB5cxx11Ev')")
    # What it learns when it reads a library the first time, a minute for the real one, serves the other questions.
    set(index -iex "set index-cache directory ${TSB_CACHE}/gdb-index" -iex "set index-cache enabled on")
    ask_gdb(
      "${place}" "gdb, beside" "${lines}"
      "the debug package must have lib/.debug/<file> of each library's .gnu_debuglink" ${index} -ex "${question}"
      "${here}/libtorch/lib/libtorch_cpu.so"
    )
    file(REAL_PATH "${here}/libtorch/lib/libtorch_cpu.so" library)
    file(MAKE_DIRECTORY "${here}/alone")
    file(COPY "${library}" DESTINATION "${here}/alone")
    get_filename_component(library "${library}" NAME)
    ask_gdb(
      "${place}" "gdb, by build ID" "${lines}"
      "the debug package must have lib/.debug/.build-id/<xx>/<rest>.debug of each library" -iex
      "set debug-file-directory ${here}/libtorch/lib/.debug" ${index} -ex "${question}" "${here}/alone/${library}"
    )
  else()
    row(skip "${place}" gdb "${name} is not on this machine; whether it finds the debug information was not checked")
  endif()
endmacro()
