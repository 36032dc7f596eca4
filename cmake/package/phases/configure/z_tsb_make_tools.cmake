# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
z_tsb_make_tools
----------------

The compilers of a package with ``BUILD_SYSTEM make``, as programs of one word, since makefiles also hand them on
(``nvcc -ccbin $(CXX)``).

.. code-block:: cmake

  z_tsb_make_tools(<out-var for make> <out-var> <package json>)

Writes ``tools/cc``, ``tools/c++`` and, when the package depends on ``cuda-toolkit``, ``tools/nvcc``: scripts that call
the compiler through the compiler cache, and with the framework's compile options behind the makefile's own, so that
``-g1`` prevails over its ``-g``. ``cc`` and ``c++``, which nvcc hands the host's code to, ignore ``-Werror``: no
package fails for a warning. With ``cuda-toolkit``, ``c++`` is the compiler that the doctor found for nvcc
(``TSB_CUDA_HOST_COMPILER``), where that is another one: both halves of a library come from the same.

The results are make itself, and a list of ``CC=...``, ``CXX=...``, ``NVCC=...`` for its command line.

Errors: there is no make; a blank in a folder's name, which no makefile can bear.
#]]
include_guard(GLOBAL)
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

function(z_tsb_make_tools out_make out package)
  z_tsb_json_take(package name build_folder)
  file(READ "${build_folder}/settings.json" settings)
  if(TSB_PACKAGE_DIR MATCHES "[ \t]")
    tsb_fail(
      "package ${name} is built with make, which cannot work in a folder with a blank in its name: ${TSB_PACKAGE_DIR}"
      "choose another build folder: cmake --preset <preset> -B <folder>"
    )
  endif()
  z_tsb_json_take(settings path)
  string(REPLACE ":" ";" path "${path}")
  find_program(
    make
    NAMES make gmake
    PATHS ${path}
    NO_DEFAULT_PATH NO_CACHE
  )
  if(NOT make)
    string(REPLACE ";" ", " path "${path}")
    tsb_fail(
      "package ${name} is built with make, which is not installed (looked for in ${path})"
      "install make: apt-get install make"
    )
  endif()

  z_tsb_json_get(launcher "${settings}" compiler_cache)
  z_tsb_json_get(cc "${settings}" CMAKE_C_COMPILER)
  z_tsb_json_get(cxx "${settings}" CMAKE_CXX_COMPILER)
  set(tools "CC=${TSB_PACKAGE_DIR}/tools/cc" "CXX=${TSB_PACKAGE_DIR}/tools/c++")
  z_tsb_json_get_list(depends "${package}" depends)
  z_tsb_package_closure(closure "${TSB_PACKAGE_DIR}/.." ${depends})
  if("cuda-toolkit" IN_LIST closure)
    z_tsb_json_get(host_compiler "${settings}" TSB_CUDA_HOST_COMPILER)
    if(host_compiler)
      set(cxx "${host_compiler}")
    endif()
    z_tsb_expand(nvcc "@PREFIX_cuda-toolkit@/bin/nvcc")
    # Where nvcc keeps its intermediate files: see the phase configure.
    z_tsb_write_tool(nvcc "" ${launcher} "${nvcc}" "\"$@\"" --objdir-as-tempdir)
    list(APPEND tools "NVCC=${TSB_PACKAGE_DIR}/tools/nvcc")
  endif()
  z_tsb_compile_options(options "${package}")
  z_tsb_json_take(package debug_info)
  if(debug_info STREQUAL "none")
    list(APPEND options -g0) # a makefile may ask for some by itself
  endif()
  z_tsb_write_tool(cc "${Z_TSB_DROP_WERROR}" ${launcher} "${cc}" "\"$@\"" ${options})
  z_tsb_write_tool(c++ "${Z_TSB_DROP_WERROR}" ${launcher} "${cxx}" "\"$@\"" ${options})
  set(${out_make} "${make}" PARENT_SCOPE)
  set(${out} "${tools}" PARENT_SCOPE)
endfunction()
