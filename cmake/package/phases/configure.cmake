# SPDX-License-Identifier: BSD-3-Clause
# Phase configure: runs the package's own CMake, isolated. A package with a makefile gets its compilers, and an empty
# build folder: make does not notice that a variable is another one now.

include("${z_tsb_cmake}/isolation/z_tsb_check_found.cmake")
include("${z_tsb_cmake}/package/z_tsb_check_features.cmake")
include("${z_tsb_cmake}/package/z_tsb_compile_options.cmake")
include("${z_tsb_cmake}/package/z_tsb_cuda_options.cmake")
include("${z_tsb_cmake}/package/z_tsb_make_tools.cmake")
include("${z_tsb_cmake}/package/z_tsb_package_closure.cmake")
include("${z_tsb_cmake}/package/z_tsb_package_jobs.cmake")
include("${z_tsb_cmake}/package/z_tsb_edit_ninja_file.cmake")

function(z_tsb_write_isolation_file package closure)
  z_tsb_json_get(name "${package}" name)
  z_tsb_json_get_list(system "${package}" system)
  z_tsb_json_get_list(modules "${package}" modules)
  z_tsb_json_get_list(provided "${package}" all_provided)
  set(content "# Written for package ${name}; see tsb_isolate_package.cmake.\n")
  string(APPEND content "set(TSB_ISOLATION_PACKAGE \"${name}\")\n")
  string(APPEND content "set(TSB_ISOLATION_PROVIDED \"${provided}\")\n")
  string(APPEND content "set(TSB_ISOLATION_DEPENDS \"${closure}\")\n")
  string(APPEND content "set(TSB_ISOLATION_SYSTEM \"${system}\")\n")
  string(APPEND content "set(TSB_ISOLATION_MODULES \"${modules}\")\n")
  z_tsb_compile_options(options "${package}")
  string(APPEND content "set(TSB_ISOLATION_COMPILE_OPTIONS \"${options}\")\n")
  string(APPEND content "include(\"${z_tsb_cmake}/isolation/tsb_isolate_package.cmake\")\n")
  if("cuda-toolkit" IN_LIST closure)
    # nvcc hands them to the host's compiler. Not in the file above, which decides the fingerprints of all packages.
    list(TRANSFORM options PREPEND "-Xcompiler=")
    # Its intermediate files' names get into the objects: beside the object they follow from its name, in /tmp from the
    # process number.
    list(PREPEND options --objdir-as-tempdir)
    string(APPEND content "add_compile_options(\"$<$<COMPILE_LANGUAGE:CUDA>:${options}>\")\n")
  endif()
  z_tsb_write_file("${TSB_PACKAGE_DIR}/isolation.cmake" "${content}")
endfunction()

# Empties CMake's memory of the build folder: an option that was taken out of the declaration must not live on in the
# cache. `cmake --fresh` would take away the objects in CMakeFiles/ as well; they stay, unless another compiler made them.
function(z_tsb_forget_configuration package)
  set(build "${TSB_PACKAGE_DIR}/build")
  set(memory "${TSB_PACKAGE_DIR}/state/toolchain.json")
  z_tsb_json_get(toolchain "${package}" toolchain)
  if(EXISTS "${memory}")
    file(READ "${memory}" before)
    if(NOT before STREQUAL toolchain)
      file(REMOVE_RECURSE "${build}")
    endif()
  endif()
  file(GLOB compiler_checks "${build}/CMakeFiles/[0-9]*.[0-9]*")
  file(REMOVE_RECURSE "${build}/CMakeCache.txt" ${compiler_checks})
  file(MAKE_DIRECTORY "${build}")
  z_tsb_write_file("${memory}" "${toolchain}")
endfunction()

function(z_tsb_phase_configure package)
  z_tsb_json_get(build_system "${package}" build_system)
  if(build_system STREQUAL "none")
    return()
  elseif(build_system STREQUAL "make")
    z_tsb_make_tools(make tools "${package}")
    file(REMOVE_RECURSE "${TSB_PACKAGE_DIR}/build")
    file(MAKE_DIRECTORY "${TSB_PACKAGE_DIR}/build")
    return()
  endif()
  z_tsb_json_get(name "${package}" name)
  z_tsb_json_get(build_folder "${package}" build_folder)
  file(READ "${build_folder}/settings.json" settings)
  file(READ "${TSB_PACKAGE_DIR}/sources.json" sources)

  z_tsb_json_get_list(depends "${package}" depends)
  z_tsb_package_closure(closure "${TSB_PACKAGE_DIR}/.." ${depends})
  z_tsb_write_isolation_file("${package}" "${closure}")
  set(prefixes "")
  foreach(dependency IN LISTS closure)
    get_filename_component(prefix "${TSB_PACKAGE_DIR}/../${dependency}/install" ABSOLUTE)
    list(APPEND prefixes "${prefix}")
  endforeach()

  set(arguments "")
  foreach(variable IN ITEMS CMAKE_C_COMPILER CMAKE_CXX_COMPILER)
    z_tsb_json_get(value "${settings}" ${variable})
    list(APPEND arguments "-D${variable}=${value}")
  endforeach()
  z_tsb_json_get(launcher "${settings}" compiler_cache)
  if(launcher)
    list(APPEND arguments "-DCMAKE_C_COMPILER_LAUNCHER=${launcher}" "-DCMAKE_CXX_COMPILER_LAUNCHER=${launcher}")
  endif()
  # PyTorch and XNNPACK look for a ccache of their own, and XNNPACK sets what it finds for everybody.
  if(NOT launcher)
    set(launcher OFF)
  endif()
  list(APPEND arguments "-DCCACHE_PROGRAM=${launcher}" "-DCCACHE_BINARY=${launcher}")
  z_tsb_cuda_options(options "${settings}" "${closure}")
  list(APPEND arguments ${options})
  z_tsb_package_jobs(jobs link_jobs "${package}" heavy_jobs)
  list(APPEND arguments "-DCMAKE_JOB_POOLS=link=${link_jobs}\\;heavy=${heavy_jobs}" "-DCMAKE_JOB_POOL_LINK=link")
  z_tsb_json_get_list(includes "${package}" include)
  list(PREPEND includes "${TSB_PACKAGE_DIR}/isolation.cmake")
  z_tsb_json_get_list(pairs "${package}" options)
  foreach(pair IN LISTS TSB_FRAMEWORK_OPTIONS pairs)
    z_tsb_expand(pair "${pair}")
    string(REPLACE ";" "\;" pair "${pair}")
    list(APPEND arguments "-D${pair}")
  endforeach()
  z_tsb_package_features(features "${package}" "${sources}")
  z_tsb_json_members(names "${features}")
  foreach(feature IN LISTS names)
    z_tsb_json_get(option "${features}" ${feature} option)
    z_tsb_json_get(enabled "${features}" ${feature} enabled)
    z_tsb_json_get(reason "${features}" ${feature} reason)
    list(APPEND arguments "-D${option}=${enabled}")
    if(NOT enabled)
      message(NOTICE "${name}: feature ${feature} is off: ${reason}")
    endif()
  endforeach()

  z_tsb_forget_configuration("${package}")
  z_tsb_run(
    "${package}"
    configure
    COMMAND
      "${CMAKE_COMMAND}"
      -S
      "${TSB_PACKAGE_DIR}/source"
      -B
      "${TSB_PACKAGE_DIR}/build"
      -G
      Ninja
      "-DCMAKE_PREFIX_PATH=${prefixes}"
      "-DCMAKE_PROJECT_TOP_LEVEL_INCLUDES=${includes}"
      -Wno-dev
      ${arguments}
  )
  z_tsb_check_features("${package}" "${features}" "${TSB_PACKAGE_DIR}")
  z_tsb_check_found("${package}" "${TSB_PACKAGE_DIR}" ${prefixes})
  z_tsb_edit_ninja_file("${package}")
endfunction()
