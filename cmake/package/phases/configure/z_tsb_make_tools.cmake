# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
z_tsb_make_tools
----------------

The compilers of a package with ``BUILD_SYSTEM make``, as programs of one word, since makefiles also hand them on
(``nvcc -ccbin $(CXX)``).

.. code-block:: cmake

  z_tsb_make_tools(<out-var for make> <out-var>)

Writes ``tools/cc`` and ``tools/c++``: scripts that call the compiler through the compiler cache, and with the
framework's compile options behind the makefile's own, so that ``-g1`` prevails over its ``-g``. They ignore
``-Werror``: no package fails for a warning. When the package depends on the backend's toolkit, the hook ``make_tools``
adds its compilers, such as ``tools/nvcc``, and may name another ``c++``.

The results are make itself, and a list of ``CC=...``, ``CXX=...``, ``NVCC=...`` for its command line.

Errors: there is no make; a blank in a folder's name, which no makefile can bear.
#]]
include_guard(GLOBAL)
include(${z_tsb_cmake}/backend/tsb_ask_backend.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/z_tsb_compile_options.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../../z_tsb_package_closure.cmake)

set(
  Z_TSB_DROP_WERROR
  [[
for option; do
  shift
  case $option in
    -Werror | -Werror=*) ;;
    -pedantic-errors) set -- "$@" -pedantic ;;
    *) set -- "$@" "$option" ;;
  esac
done
]]
)

function(z_tsb_write_tool name before)
  set(command "")
  foreach(word IN LISTS ARGN)
    if(NOT word STREQUAL "\"$@\"")
      string(REPLACE "'" "'\\''" word "${word}")
      set(word "'${word}'")
    endif()
    string(APPEND command " ${word}")
  endforeach()
  set(file "${TSB_PACKAGE_DIR}/tools/${name}")
  z_tsb_write_file("${file}" "#!/bin/sh\n${before}exec${command}\n")
  file(CHMOD "${file}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endfunction()

function(z_tsb_make_tools out_make out)
  tsb_read_record("${package_build_folder}/settings.json" settings)
  tsb_read_record("${package_build_folder}/plan/backend.json" backend)
  if(TSB_PACKAGE_DIR MATCHES "[ \t]")
    tsb_fail(
      "package ${package_name} is built with make, which cannot work in a folder with a blank in its name: ${TSB_PACKAGE_DIR}"
      "choose another build folder: cmake --preset <preset> -B <folder>"
    )
  endif()
  string(REPLACE ":" ";" path "${settings_path}")
  find_program(
    make
    NAMES make gmake
    PATHS ${path}
    NO_DEFAULT_PATH NO_CACHE
  )
  if(NOT make)
    string(REPLACE ";" ", " path "${path}")
    tsb_fail(
      "package ${package_name} is built with make, which is not installed (looked for in ${path})"
      "install make: apt-get install make"
    )
  endif()

  set(cxx "${settings_CMAKE_CXX_COMPILER}")
  set(tools "CC=${TSB_PACKAGE_DIR}/tools/cc" "CXX=${TSB_PACKAGE_DIR}/tools/c++")
  z_tsb_package_closure(closure "${TSB_PACKAGE_DIR}/.." ${package_depends})
  if("${backend_toolkit}" IN_LIST closure)
    tsb_ask_backend(of_backend backend make_tools)
    foreach(pair IN LISTS of_backend)
      if(pair MATCHES "^CXX=(.*)$")
        set(cxx "${CMAKE_MATCH_1}")
      else()
        list(APPEND tools "${pair}")
      endif()
    endforeach()
  endif()
  z_tsb_compile_options(options ${closure})
  if(package_debug_info STREQUAL "none")
    list(APPEND options -g0) # a makefile may ask for some by itself
  endif()
  z_tsb_write_tool(
    cc "${Z_TSB_DROP_WERROR}" ${settings_compiler_cache} "${settings_CMAKE_C_COMPILER}" "\"$@\"" ${options}
  )
  z_tsb_write_tool(c++ "${Z_TSB_DROP_WERROR}" ${settings_compiler_cache} "${cxx}" "\"$@\"" ${options})
  set(${out_make} "${make}" PARENT_SCOPE)
  set(${out} "${tools}" PARENT_SCOPE)
endfunction()
