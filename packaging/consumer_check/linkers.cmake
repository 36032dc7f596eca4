# SPDX-License-Identifier: BSD-3-Clause
# The consumer with a static libtorch inside, linked by each compiler and linker that is there and in each form that a
# program can have, and as two plug-ins of one. It runs each time: what a linker drops is missing then, not before.
file(WRITE "${CMAKE_BINARY_DIR}/empty.cpp" "int main() { return 0; }\n")

# check_form(<form> <linker flags> <program>): with `compiler`, `compiler_name` and `linker`.
macro(check_form form flags program)
  set(name "${compiler_name}, ${linker}, ${form}")
  set(labels "${place};${compiler_name};${linker}")
  set(build "build with ${compiler_name}")
  check_configure(
    "configure for ${name}" "${build}" "-DCMAKE_CXX_COMPILER=${compiler}" "-DCMAKE_EXE_LINKER_FLAGS=${flags}"
    "-DCMAKE_SHARED_LINKER_FLAGS=-fuse-ld=${linker}"
  )
  check_build("link ${name}" "configure for ${name}" "${build}" --target ${program})
  check(
    "run ${name}" AFTER "link ${name}" REPORTS COMMAND ${emulator} "${here}/${build}/${program}" ${of_package}
    "${here}/libtorch" --allow-library libtorch_consumer
  )
endmacro()

set(kind g++)
if(TSB_COMPILER MATCHES "clang[^/]*$")
  set(kind clang++)
endif()
foreach(compiler_name IN ITEMS g++ clang++)
  set(compiler "${TSB_COMPILER}") # the one that the package was built with, if it is of that kind
  if(NOT compiler OR NOT kind STREQUAL compiler_name)
    unset(compiler)
    find_program(compiler ${compiler_name} NO_CACHE)
  endif()
  if(NOT compiler)
    continue()
  endif()
  foreach(linker IN ITEMS bfd lld mold)
    set(by "-fuse-ld=${linker}")
    execute_process(
      COMMAND "${compiler}" ${by} "${CMAKE_BINARY_DIR}/empty.cpp" -o "${CMAKE_BINARY_DIR}/empty" RESULT_VARIABLE refused
      OUTPUT_QUIET ERROR_QUIET
    )
    if(refused)
      check("${compiler_name}, ${linker}" COMMAND sh -c "echo the compiler cannot call this linker here && exit 77")
      continue()
    endif()
    check_form("fixed address" "${by} -no-pie" torch_consumer)
    check_form("position-independent, gc-sections" "${by} -pie -Wl,--gc-sections" torch_consumer)
    check_form("shared library" "${by}" torch_consumer_by_library)
    # Two libraries with libtorch inside in one process.
    set(host "test -e plugin_host || { echo the consumer has no plugin_host && exit 77\n}\n")
    string(APPEND host "cp libtorch_consumer_library.so second.so && exec \"$@\" ./plugin_host ./lib*.so ./second.so")
    check("plug-ins, ${name}" AFTER "link ${name}" IN "${here}/${build}" COMMAND sh -c "${host}" sh ${emulator})
  endforeach()
endforeach()
