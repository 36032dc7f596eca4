# SPDX-License-Identifier: BSD-3-Clause
# check_linkers(<place>): the consumer with a static libtorch inside, linked by each compiler and linker that is there
# and in each form that a program can have, and as two plug-ins of one. It runs each time: what a linker drops is
# missing then, not before.
#
# After check_at(<place>), whose variables it uses.

# find_compilers(<out-var>): "<name>=<path>" of g++ and clang++, where they are.
function(find_compilers out)
  set(found "")
  foreach(name IN ITEMS g++ clang++)
    # The one that the package was built with first, if it is of that kind.
    get_filename_component(chosen "${TSB_COMPILER}" NAME)
    if(name STREQUAL "g++" AND chosen MATCHES "^([a-z0-9_-]+-)?[gc]\\+\\+(-[0-9.]+)?$")
      set(path "${TSB_COMPILER}")
    elseif(name STREQUAL "clang++" AND chosen MATCHES "^clang\\+\\+(-[0-9.]+)?$")
      set(path "${TSB_COMPILER}")
    else()
      find_program(
        path
        NAMES ${name}
        PATHS ${folders}
        NO_DEFAULT_PATH NO_CACHE
      )
    endif()
    if(path)
      list(APPEND found "${name}=${path}")
    endif()
    unset(path)
  endforeach()
  set(${out} "${found}" PARENT_SCOPE)
endfunction()

# can_link(<out-var> <compiler> <linker>): whether that compiler can call that linker.
function(can_link out compiler linker)
  file(WRITE "${TSB_WORK}/tmp/empty.cpp" "int main() { return 0; }\n")
  execute_process(
    COMMAND env -i "PATH=${system_path}" "${compiler}" -fuse-ld=${linker} "${TSB_WORK}/tmp/empty.cpp" -o
            "${TSB_WORK}/tmp/empty" RESULT_VARIABLE result OUTPUT_QUIET ERROR_QUIET
  )
  set(${out} OFF PARENT_SCOPE)
  if(result EQUAL 0)
    set(${out} ON PARENT_SCOPE)
  endif()
endfunction()

# check_plugins(<place> <name> <library> <host>): two libraries with libtorch inside in one process.
macro(check_plugins place name library host)
  file(COPY_FILE "${library}" "${here}/run/second.so")
  run(
    "${place}" "plug-ins, ${name}" IN "${here}/run" COMMAND ${emulator} "${host}" "${library}" "${here}/run/second.so"
  )
  file(REMOVE "${here}/run/second.so")
  if(NOT status EQUAL 0)
    failed(
      "${place}" "plug-ins, ${name}" "two shared libraries with libtorch inside do not work in one process"
      "make the archives with `torchpkg archive`, which hides all that they define"
    )
  endif()
  row(ok "${place}" "plug-ins, ${name}" "two in one process: RTLD_LOCAL, RTLD_GLOBAL, RTLD_DEEPBIND, three times each")
endmacro()

# link_and_run(<place> <form> <linker flags> <program>): with `compiler`, `compiler_name` and `linker`.
macro(link_and_run place form flags program)
  set(name "${compiler_name}, ${linker}, ${form}")
  set(build "build with ${compiler_name}")
  configure_consumer(
    "${place}" "configure for ${name}" "${build}" "-DCMAKE_CXX_COMPILER=${compiler}"
    "-DCMAKE_EXE_LINKER_FLAGS=${flags}" "-DCMAKE_SHARED_LINKER_FLAGS=-fuse-ld=${linker}"
  )
  build_consumer("${place}" "link ${name}" "${build}" --target ${program})
  run_consumer("${place}" "run ${name}" "${here}/${build}/${program}" "" --allow-library libtorch_consumer)
  set(linked "${here}/${build}/${program}")
  if(EXISTS "${here}/${build}/libtorch_consumer_library.so")
    set(linked "${here}/${build}/libtorch_consumer_library.so")
    check_plugins("${place}" "${name}" "${linked}" "${here}/${build}/plugin_host")
  endif()
  file(SIZE "${linked}" size)
  math(EXPR size "${size} / 1000000")
  row(ok "${place}" "${name}" "${text}; ${size} MB")
  file(REMOVE "${linked}") # hundreds of megabytes each
endmacro()

macro(check_linkers place)
  set(here "${TSB_WORK}/${place}")
  find_compilers(compilers)
  foreach(entry IN LISTS compilers)
    string(REGEX MATCH "^([^=]*)=(.*)$" entry "${entry}")
    set(compiler_name "${CMAKE_MATCH_1}")
    set(compiler "${CMAKE_MATCH_2}")
    foreach(linker IN ITEMS bfd lld mold)
      can_link(usable "${compiler}" ${linker})
      if(NOT usable)
        row(skip "${place}" "${compiler_name}, ${linker}" "the compiler cannot call this linker here")
        continue()
      endif()
      set(by "-fuse-ld=${linker}")
      link_and_run("${place}" "fixed address" "${by} -no-pie" torch_consumer)
      link_and_run("${place}" "position-independent, gc-sections" "${by} -pie -Wl,--gc-sections" torch_consumer)
      link_and_run("${place}" "shared library" "${by}" torch_consumer_by_library)
    endforeach()
  endforeach()
endmacro()
