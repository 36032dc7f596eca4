# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_ask_backend
---------------

Asks a backend for what it adds at one place of a build. ::

  tsb_ask_backend(<result> <backend> <hook> [<argument>...])

``<backend>``
  An object of :command:`tsb_find_backend`, or nothing.
``<hook>``
  ``backends/<kind>/hooks/<hook>.cmake`` (see :command:`tsb_find_data`) defines a function
  ``z_tsb_<kind>_<hook>(<result> <backend> <argument>...)``. A backend without it adds nothing: the result is empty.

The hooks, and who asks:

================== ==================================================================== ================================
hook               gives                                                                asked by
================== ==================================================================== ================================
``needs``          ``(release, debug info, artifacts)``: a list of MB: more disk for    z_tsb_build_needs
                   the build, disk of the store, memory
``configured``     ``()``: a JSON object, what the doctor has found and other hooks     CMakeLists.txt
                   need; it becomes the backend's member ``configured``
``toolchain``      ``()``: a JSON object of inputs of what the toolkit compiles         z_tsb_write_package_json
``cmake_options``  ``(settings)``: options for CMake of such a package                  phase configure
``compile_options``
                   ``(options)``: a line of CMake that hands the framework's compile    phase configure
                   options to the toolkit's compiler
``make_tools``     ``(settings)``: ``<NAME>=<program>`` for a makefile of such a        z_tsb_make_tools
                   package
``static_objects`` ``(libraries, build folder, ninja)``: pairs of objects, the one that make_static_libraries
                   a library was linked with and the one for the archive
``versions``       ``(artifact)``: a JSON object, versions of libraries                 z_tsb_libtorch_licenses, other
                                                                                        hooks
``license``        ``(artifact, package, library, SONAME)``: the file with the text     z_tsb_libtorch_licenses
                   for what was not built here
``headers``        ``(artifact)``: the library whose licence the toolkit's headers      z_tsb_libtorch_licenses
                   have, which are compiled in
``data``           ``(artifact)``: ``<file>=<folder in the tree>`` of what libraries read   z_tsb_stage_shared_libraries
                   at run time, for an artifact with deps
``manifest``       ``(artifact)``: a JSON object, the manifest's member ``<kind>``      z_tsb_libtorch_manifest
``cmake_package``  ``(artifact, export, root)``: a JSON object of texts for the         z_tsb_libtorch_cmake_package
                   templates
``wheel``          ``(artifact)``: what a wheel requires                                z_tsb_wheel_metadata
``wheel_folders``  ``(artifact)``: ``<pattern>=<folder>`` of libraries that come from   z_tsb_bundle
                   other wheels
``conda``          ``(artifact, packages)``: what a conda package depends on, with      z_tsb_conda_metadata
                   bounds
================== ==================================================================== ================================

Error: a hook file without its function.

``hooks/pins.py`` is for fetch (cmake/sources/request.py): its ``select_pins(pins, backend)`` takes what cannot be built
with the backend out of the pins.
#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../data/tsb_find_data.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../detail/z_tsb_json.cmake)

function(tsb_ask_backend result backend hook)
  set(answer "")
  z_tsb_json_get(kind "${backend}" kind)
  tsb_find_data(file "backends/${kind}/hooks/${hook}.cmake")
  if(file)
    include("${file}")
    if(NOT COMMAND z_tsb_${kind}_${hook})
      message(FATAL_ERROR "  ${file} does not define the function z_tsb_${kind}_${hook}\n  add it, or remove the file")
    endif()
    # Each as one argument, whatever it holds.
    set(arguments "")
    set(index 3)
    while(index LESS ARGC)
      string(APPEND arguments " \"\${ARGV${index}}\"")
      math(EXPR index "${index} + 1")
    endwhile()
    cmake_language(EVAL CODE "z_tsb_${kind}_${hook}(answer \"\${backend}\"${arguments})")
  endif()
  set(${result} "${answer}" PARENT_SCOPE)
endfunction()
