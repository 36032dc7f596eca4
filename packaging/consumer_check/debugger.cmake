# SPDX-License-Identifier: BSD-3-Clause
# The debug package is unpacked over the package, and gdb is asked which source line a function of libtorch_cpu begins
# at; then by build ID alone, as for a library that lies elsewhere.
set(labels "${place};debugger")
check("unpack the debug package" AFTER unpack IN "${here}" COMMAND "${CMAKE_COMMAND}" -E tar xf "${TSB_DEBUG_PACKAGE}")
set(name gdb)
if(TSB_TRIPLET)
  set(name gdb-multiarch) # Debian's gdb reads files of its own processor only
endif()
find_program(gdb ${name})
if(gdb)
  # By the address of the symbol: for a name gdb 13 reads every compile unit that has a namespace `at`, minutes of it.
  # What it learns when it reads a library the first time, a minute for the real one, serves the other questions.
  set(
    ask "${gdb}" -nx -batch -iex "set index-cache directory ${TSB_CACHE}/gdb-index" -iex "set index-cache enabled on"
        -ex "info line *(&'_ZN2at11show_configB5cxx11Ev')"
  )
  set(library "${here}/libtorch/lib/libtorch_cpu.so")
  set(line PROPERTIES PASS_REGULAR_EXPRESSION "Line [0-9]+ of \"")
  check("gdb, beside" AFTER "unpack the debug package" COMMAND ${ask} "${library}" ${line})
  check(
    "gdb, by build ID" AFTER "unpack the debug package" COMMAND sh -c
    "rm -rf alone && mkdir alone && cp \"$(readlink -f \"$0\")\" alone && exec \"$@\" alone/*" "${library}" ${ask} -iex
    "set debug-file-directory ${here}/libtorch/lib/.debug" ${line}
  )
else()
  check(gdb COMMAND sh -c "echo \"$0 is not on this machine\" && exit 77" ${name})
endif()
