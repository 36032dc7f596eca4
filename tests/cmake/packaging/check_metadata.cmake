# SPDX-License-Identifier: BSD-3-Clause
# A METADATA that a package index or pip would refuse stops the build. The rules are those of setuptools' module
# packaging; the stand-in for it has a few of them.
#
# In: FAULT: the METADATA has a requirement that is not valid.
include("${CMAKE_CURRENT_LIST_DIR}/package.cmake")
foreach(file IN ITEMS cmake/detail/tsb_fail packaging/wheel/metadata)
  include("${TSB_SOURCE_DIR}/${file}.cmake")
endforeach()
find_program(python python3 REQUIRED)
set(build "${TSB_TEST_DIR}/a folder")
set(modules "${build}/packages/build-requirements/install/site-packages")
set(info "${TSB_TEST_DIR}/torch-2.6.0+cpu.dist-info")
set(artifact "{\"build_folder\": \"${build}\", \"package\": \"pytorch-py311\"}")
file(WRITE "${build}/packages/pytorch-py311/package.json" "{\"python_executable\": \"${python}\"}")
file(COPY "${TSB_SOURCE_DIR}/tests/fixtures/setuptools-stand-in/setuptools" DESTINATION "${modules}")
file(WRITE "${info}/licenses/deep/COPYING" "text\n")
set(good "Metadata-Version: 2.4\nName: torch\nVersion: 2.6.0+cpu\nLicense-File: deep/COPYING\n\nText\n")
set(wrong "Requires-Dist: sympy newest\n")
if(FAULT)
  file(WRITE "${info}/METADATA" "${wrong}${good}")
  z_tsb_check_metadata("${artifact}" "${info}")
  return()
endif()
file(WRITE "${info}/METADATA" "${good}")
z_tsb_check_metadata("${artifact}" "${info}")

# expect_problem(<METADATA> <the message>)
function(expect_problem metadata problem)
  file(WRITE "${info}/METADATA" "${metadata}")
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -E env "PYTHONPATH=${modules}" PYTHONDONTWRITEBYTECODE=1 "${python}"
            "${TSB_SOURCE_DIR}/packaging/wheel/check_metadata.py" "${info}" ERROR_VARIABLE error RESULT_VARIABLE result
  )
  tsb_expect("status" EQUAL "${result}" 1)
  tsb_expect("problem" EQUAL "${error}" "${info}/METADATA: ${problem}\n")
endfunction()

expect_problem("${wrong}${good}" "requires-dist: 'sympy newest' is invalid for 'requires-dist'")
expect_problem("License-File: NONE\n${good}" "license-file: ${info}/licenses/NONE is missing")
expect_problem("Summary: a\nnot a field\n${good}" "a line of the header has no field")
expect_problem("Metadata-Version: 2.4\nName: torch\n" "version: 'version' is a required field")
