# SPDX-License-Identifier: BSD-3-Clause
# One preset makes all variants of libtorch, from what another preset has compiled: nothing is compiled again, each zip
# passes its checks, and the one that both presets make is the same.
include(${CMAKE_CURRENT_LIST_DIR}/stand_in.cmake)
set(preset cpu-all)
set(tree "${WORK}/all")
copy_tree("${tree}")
workflow("${tree}" ENVIRONMENT "TSB_STORE=${WORK}/store of a folder")
good("the workflow")
foreach(phase IN ITEMS configure build stage)
  tsb_expect("what ran" LACKS "${output}" "-- pytorch ${phase}\n")
endforeach()
same_zip("the zip of both presets" "${tree}")
foreach(variant IN ITEMS shared-with-deps shared-without-deps static-with-deps static-without-deps)
  set(name "libtorch-cxx11-abi-${variant}-2.6.0+cpu.zip")
  tsb_expect("the checks" CONTAINS "${output}" "${tree}/dist/${name} has passed all checks")
  file(ARCHIVE_EXTRACT INPUT "${tree}/dist/${name}" DESTINATION "${TSB_TEST_DIR}/${variant}")
  set(root "${TSB_TEST_DIR}/${variant}/libtorch")
  file(GLOB shared RELATIVE "${root}/lib" "${root}/lib/*.so*")
  file(GLOB static RELATIVE "${root}/lib" "${root}/lib/*.a")
  set(wanted_shared "")
  set(wanted_static "")
  if(variant MATCHES "^shared")
    foreach(library IN ITEMS libc10.so libtorch.so libtorch_cpu.so libtorch_global_deps.so)
      list(APPEND wanted_shared ${library} ${library}.2.6)
      file(READ_SYMLINK "${root}/lib/${library}" link)
      tsb_expect("${variant}: link for the linker" EQUAL "${link}" ${library}.2.6)
    endforeach()
  else()
    set(wanted_static libc10.a libtorch_cpu.a)
  endif()
  file(READ "${root}/manifest.json" manifest)
  string(JSON wanted_of_host GET "${manifest}" host_libraries)
  if(variant MATCHES "with-deps")
    list(APPEND wanted_shared libgomp.so.1)
    tsb_expect("${variant}: of the host" EQUAL "${wanted_of_host}" "[]")
  else()
    string(JSON name GET "${wanted_of_host}" 0 name)
    tsb_expect("${variant}: of the host" EQUAL "${name}" libgomp.so.1)
    string(JSON versions GET "${wanted_of_host}" 0 symbol_versions)
    tsb_expect("${variant}: of the host" CONTAINS "${versions}" "GOMP_")
    string(JSON package GET "${wanted_of_host}" 0 built_against package)
    tsb_expect("${variant}: built against" CONTAINS "${package}" libgomp)
    string(JSON version GET "${wanted_of_host}" 0 built_against version)
    if(NOT version MATCHES "^[0-9]")
      message(FATAL_ERROR "${variant}: built against libgomp of the version '${version}'")
    endif()
  endif()
  list(SORT wanted_shared)
  tsb_expect("${variant}: shared libraries" EQUAL "${shared}" "${wanted_shared}")
  tsb_expect("${variant}: static libraries" EQUAL "${static}" "${wanted_static}")
endforeach()

# On request the libraries have the names of the official ones.
set(preset cpu-libtorch-shared)
workflow("${tree}" ENVIRONMENT "TSB_STORE=${WORK}/store of a folder" TSB_SONAME_VERSION=OFF)
good("without versions")
tsb_expect("what ran" LACKS "${output}" "-- pytorch build\n")
file(ARCHIVE_EXTRACT INPUT "${tree}/dist/${zip_name}" DESTINATION "${TSB_TEST_DIR}/without versions")
file(
  GLOB shared
  RELATIVE "${TSB_TEST_DIR}/without versions/libtorch/lib"
  "${TSB_TEST_DIR}/without versions/libtorch/lib/*.so*"
)
list(SORT shared)
tsb_expect(
  "without versions"
  EQUAL
  "${shared}"
  "libc10.so;libgomp.so.1;libtorch.so;libtorch_cpu.so;libtorch_global_deps.so"
)
