# SPDX-License-Identifier: BSD-3-Clause
# A libtorch: the programs of TSB_CONSUMER are built and run in two folders, one of them with a space in its name. The
# first one is removed before the zip is unpacked in the second one, so that nothing in it can point back. With TSB_GPUS
# there is the first one only, since it was moved where it was made.
#
# TSB_CONSUMER is a CMake project that finds Torch and has the programs torch_consumer (it knows the options of
# packaging/consumer/run_checks.cpp), right_abi and, not part of `all`, wrong_abi, which must not link, and
# torch_consumer_by_library, the first one with all its code in a shared library, with plugin_host.
set(TSB_DEBUG_PACKAGE "" CACHE FILEPATH "Its debug zip: gdb must find the libraries' source lines")
set(TSB_CACHE "${CMAKE_BINARY_DIR}/cache" CACHE PATH "Cache of the compiler and of gdb, for several checks")
set(TSB_HOST_LIBRARIES "" CACHE STRING "Folders, with : between, with what a package without deps needs of the host")
set(TSB_TRIPLET "" CACHE STRING "For another processor: its folder in /usr, named after it")
set(TSB_EMULATOR "" CACHE STRING "The qemu that runs its programs, compiled by TSB_COMPILER")
set(TSB_JOBS "" CACHE STRING "The most compilers that run at once")
include("${cmake}/jobs/tsb_job_pools.cmake")

tsb_job_pools(MEMORY_PER_JOB_MB 1800 RESULT_JOBS jobs)
include(expectations.cmake)
if(TSB_GPUS)
  list(APPEND expectations --expect-gpus ${TSB_GPUS})
endif()
if(TSB_HOST_LIBRARIES)
  # The linker looks in the second one for what is named on its line; for what these need in the third one, before all
  # folders that the package names, which may have others, such as an older NCCL.
  list(
    APPEND environment "LD_LIBRARY_PATH=${TSB_HOST_LIBRARIES}" "LIBRARY_PATH=${TSB_HOST_LIBRARIES}"
    "LDFLAGS=\"-Wl,-rpath-link,${TSB_HOST_LIBRARIES}\""
  )
endif()
# Paths are the same relative to each build, so the second build is made of hits in the cache.
list(APPEND environment "TMPDIR=${CMAKE_BINARY_DIR}/run" "CCACHE_DIR=${TSB_CACHE}/ccache")
list(APPEND environment "CCACHE_BASEDIR=${CMAKE_BINARY_DIR}" CCACHE_NOHASHDIR=1)

# Only the package itself may answer find_package: what else is installed would hide what is missing.
set(options -G "${CMAKE_GENERATOR}" "-DCMAKE_MAKE_PROGRAM=${CMAKE_MAKE_PROGRAM}" --no-warn-unused-cli)
list(APPEND options -DCONSUMER_ABI=${abi} -DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF)
list(APPEND options -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF -DCMAKE_FIND_USE_SYSTEM_PACKAGE_REGISTRY=OFF)
find_program(ccache ccache)
if(ccache)
  list(APPEND options "-DCMAKE_CXX_COMPILER_LAUNCHER=${ccache}")
endif()
set(compiler_option "")
set(emulator "")
if(TSB_TRIPLET)
  string(REGEX MATCH "^[^-]+" processor "${TSB_TRIPLET}")
  set(emulator "${TSB_EMULATOR}" -cpu max -L "/usr/${TSB_TRIPLET}")
  file(
    WRITE "${CMAKE_BINARY_DIR}/toolchain.cmake"
    "set(CMAKE_SYSTEM_NAME Linux)\nset(CMAKE_SYSTEM_PROCESSOR ${processor})\n"
    "set(CMAKE_CXX_COMPILER \"${TSB_COMPILER}\")\nset(CMAKE_CROSSCOMPILING_EMULATOR \"${emulator}\")\n"
  )
  set(compiler_option "-DCMAKE_TOOLCHAIN_FILE=${CMAKE_BINARY_DIR}/toolchain.cmake")
elseif(TSB_COMPILER)
  set(compiler_option "-DCMAKE_CXX_COMPILER=${TSB_COMPILER}")
endif()

# check_configure(<name> <build folder> <option>...), check_build(<name> <name of configure> <build folder> ...)
macro(check_configure name build)
  check(
    "${name}" AFTER unpack COMMAND "${CMAKE_COMMAND}" -S "${TSB_CONSUMER}" -B "${here}/${build}"
    "-DCMAKE_PREFIX_PATH=${here}/libtorch" ${options} ${ARGN} PROPERTIES FAIL_REGULAR_EXPRESSION
    "CMake (Deprecation )?Warning"
  )
endmacro()
macro(check_build name after build)
  check("${name}" AFTER "${after}" COMMAND "${CMAKE_COMMAND}" --build "${here}/${build}" --parallel ${jobs} ${ARGN})
endmacro()
set(of_package ${expectations} --expect-prefix)

# check_at(<place>)
macro(check_at folder)
  set(place "${folder}")
  set(labels "${place}")
  set(here "${CMAKE_BINARY_DIR}/${place}")
  check(
    unpack COMMAND sh -c "rm -rf first 'second place' && mkdir \"$0\" && cd \"$0\" && exec \"$@\"" "${place}"
    "${CMAKE_COMMAND}" -E tar xf "${TSB_PACKAGE}" IN "${CMAKE_BINARY_DIR}"
  )
  check_configure(configure build ${compiler_option})
  check_build(build configure build)
  check("run right_abi" AFTER build COMMAND ${emulator} "${here}/build/right_abi")
  check(
    "link wrong_abi" AFTER build COMMAND "${CMAKE_COMMAND}" --build "${here}/build" --target wrong_abi PROPERTIES
    PASS_REGULAR_EXPRESSION "undefined (reference|symbol)"
  )
  set(extension "")
  if(version VERSION_GREATER_EQUAL 2.10 AND NOT linkage STREQUAL "static")
    set(extension --extension "${here}/build/libstable_extension.so" --allow-library libstable_extension)
  endif()
  foreach(setting IN ITEMS "" OMP_NUM_THREADS=1)
    string(STRIP "run ${setting}" name)
    check(
      "${name}" AFTER build REPORTS ENVIRONMENT ${setting} COMMAND ${emulator} "${here}/build/torch_consumer"
      ${of_package} "${here}/libtorch" ${extension}
    )
  endforeach()
endmacro()

check_at(first)
if(TSB_DEBUG_PACKAGE)
  include(debugger.cmake)
endif()
if(linkage STREQUAL "static")
  include(linkers.cmake)
endif()
if(NOT TSB_GPUS)
  check_at("second place")
endif()
