# SPDX-License-Identifier: BSD-3-Clause
# A wheel for this machine's Python, from the libtorch that another preset has compiled: only the Python layer is built, its
# libraries are those of the zip, and pip installs what comes out.
include(${CMAKE_CURRENT_LIST_DIR}/stand_in.cmake)
find_usable_python(python tag)
if(tag STREQUAL "")
  message("SKIP: ${python} has no headers, no venv, or is of a version that PyTorch does not support")
  return()
endif()
set(preset cpu-wheel-py${tag})
set(tree "${WORK}/wheel")
copy_tree("${tree}")
set(store "${WORK}/store of a wheel")
file(REMOVE_RECURSE "${store}")
foreach(package IN ITEMS mkl protobuf pytorch sleef)
  file(COPY "${WORK}/store of a folder/${package}" DESTINATION "${store}")
endforeach()
set(environment "TSB_STORE=${store}" PIP_NO_INDEX=1 "TSB_PYTHON_${tag}=${python}")
workflow("${tree}" ENVIRONMENT ${environment})
good("the workflow")
foreach(phase IN ITEMS configure build stage)
  tsb_expect("what ran" LACKS "${output}" "-- pytorch ${phase}\n")
  tsb_expect("what ran" CONTAINS "${output}" "-- pytorch-py${tag} ${phase}\n")
endforeach()
foreach(
  text
  IN
  ITEMS
    "no broken requirements"
    "skip venv, numpy"
    "4 checks, 0 failed"
    "torchrun: shows its help"
    "torchfrtrace: shows its help"
)
  tsb_expect("the consumer" CONTAINS "${output}" "${text}")
endforeach()
file(GLOB wheel "${tree}/dist/torch-2.6.0+cpu-cp${tag}-cp${tag}-*.whl")
tsb_expect("the checks" CONTAINS "${output}" "${wheel} has passed all checks")
file(ARCHIVE_EXTRACT INPUT "${wheel}" DESTINATION "${TSB_TEST_DIR}/wheel")
file(STRINGS "${TSB_TEST_DIR}/wheel/torch/version.py" commit REGEX "git_version")
tsb_expect("the commit" CONTAINS "${commit}" "0123456789abcdef0123456789abcdef01234567")
tsb_expect("what ATen's vector headers include" EXISTS "${TSB_TEST_DIR}/wheel/torch/include/sleef.h")
file(READ "${TSB_TEST_DIR}/wheel/torch-2.6.0+cpu.dist-info/sboms/torch.cdx.json" bill)
tsb_expect("the bill" CONTAINS "${bill}" "\"numpy\"")
tsb_expect("the bill" LACKS "${bill}" "\"setuptools\"")

# Staged only: that a zip of it works is other tests' business.
set(preset cpu-libtorch-shared)
run_in("${tree}" ENVIRONMENT ${environment} COMMAND "${CMAKE_COMMAND}" --preset ${preset})
good("configuring the zip's preset")
run_in("${tree}" ENVIRONMENT ${environment} COMMAND "${CMAKE_COMMAND}" --build --preset ${preset})
good("staging the zip's tree")
set(staged "${tree}/build/${preset}/stage/libtorch-shared-with-deps/libtorch")
foreach(
  library
  IN
  ITEMS libc10.so libtorch.so libtorch_cpu.so libtorch_global_deps.so libgomp.so.1
)
  file(SHA256 "${staged}/lib/${library}" in_zip)
  file(SHA256 "${TSB_TEST_DIR}/wheel/torch/lib/${library}" in_wheel)
  tsb_expect("${library} of zip and wheel" EQUAL "${in_zip}" "${in_wheel}")
endforeach()
