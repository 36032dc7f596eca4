# SPDX-License-Identifier: BSD-3-Clause
# One preset makes everything, of the libtorch that another preset has compiled: only the Python layer is compiled, each
# artifact passes its checks, and the zip that the other preset makes, too, is the same. e2e.file-lists has which files
# each has, e2e.wheel and e2e.conda look at what is in the others.
include(${CMAKE_CURRENT_LIST_DIR}/stand_in.cmake)
set(preset cpu-all)
set(tree "${WORK}/all")
copy_tree("${tree}")
find_usable_python()
set(store "${WORK}/store of all")
file(REMOVE_RECURSE "${store}")
foreach(package IN ITEMS mkl protobuf pytorch sleef)
  file(COPY "${WORK}/store of a folder/${package}" DESTINATION "${store}")
endforeach()
workflow(
  "${tree}" ENVIRONMENT TSB_PYTHONS=${pythons} "TSB_PYTHON_${tag}=${python}" PIP_NO_INDEX=1 TSB_CONDA_CHANNEL=/nowhere
)
good("the workflow")
foreach(phase IN ITEMS configure build stage)
  tsb_expect("what ran" LACKS "${output}" "-- pytorch ${phase}\n")
endforeach()
same_zip("the zip of both presets" "${tree}/dist")
if(NOT tag STREQUAL "")
  tsb_expect(
    "the wheel's consumer" CONTAINS "${output}" "No broken requirements" "skip venv, beside" "4 checks, 0 failed"
    "torchfrtrace torchrun show their help"
  )
  tsb_expect(
    "the conda package's consumer" CONTAINS "${output}"
    "without what it depends on: the channel /nowhere cannot be read" "ok prefix, python" "ok prefix, run: "
  )
  file(GLOB others "${tree}/dist/*.whl" "${tree}/dist/linux-64/*.conda")
  list(LENGTH others count)
  tsb_expect("a wheel and two conda packages" EQUAL ${count} 3)
  foreach(file IN LISTS others)
    tsb_expect("the checks" CONTAINS "${output}" "done: ${file}, ")
  endforeach()
endif()
foreach(variant IN ITEMS shared-with-deps shared-without-deps static-with-deps static-without-deps)
  set(name "libtorch-cxx11-abi-${variant}-${pytorch}+cpu.zip")
  tsb_expect("the checks" CONTAINS "${output}" "done: ${tree}/dist/${name}, ")
  file(ARCHIVE_EXTRACT INPUT "${tree}/dist/${name}" DESTINATION "${TSB_TEST_DIR}/${variant}")
  set(root "${TSB_TEST_DIR}/${variant}/libtorch")
  file(READ "${root}/manifest.json" manifest)
  string(JSON wanted_of_host GET "${manifest}" host_libraries)
  if(variant MATCHES "with-deps")
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
endforeach()
