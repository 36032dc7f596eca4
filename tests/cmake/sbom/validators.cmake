# SPDX-License-Identifier: BSD-3-Clause
# The public validators accept both documents: spdx-tools and cyclonedx-python-lib[json-validation].
# TSB_VALIDATOR_PYTHON names an interpreter that has them, such as a virtual environment's; TSB_VALIDATE a staged tree
# to look at instead of the fixture.
include("${CMAKE_CURRENT_LIST_DIR}/fixture.cmake")
set(validator "$ENV{TSB_VALIDATOR_PYTHON}")
if(NOT validator)
  set(validator "${python}")
endif()
execute_process(
  COMMAND "${validator}" -c "import spdx_tools.spdx, cyclonedx.validation.json, jsonschema" RESULT_VARIABLE result
  OUTPUT_QUIET ERROR_QUIET
)
if(NOT result EQUAL 0)
  message("SKIP: ${validator} lacks spdx-tools or cyclonedx-python-lib[json-validation]; see docs/licences.md")
  return()
endif()
set(root "$ENV{TSB_VALIDATE}")
if(NOT root)
  make_build("${TSB_TEST_DIR}/build")
  declare()
  make_bill("${TSB_TEST_DIR}/build")
  tsb_expect("the end (${output})" EQUAL "${code}" 0)
  add_files("${TSB_TEST_DIR}/build")
  tsb_expect("the end of the files (${output})" EQUAL "${code}" 0)
  set(root "${TSB_TEST_DIR}/build/package")
endif()
tsb_run(code text "${validator}" "${CMAKE_CURRENT_LIST_DIR}/validate.py" "${root}")
tsb_expect("the validators" EQUAL "${code}" 0)
# And they look: a document without its namespace is none.
file(MAKE_DIRECTORY "${TSB_TEST_DIR}/spoilt")
foreach(pair IN ITEMS "spdx;documentNamespace" "cdx;bomFormat")
  list(GET pair 0 name)
  list(GET pair 1 member)
  file(READ "${root}/sbom.${name}.json" text)
  string(REPLACE "\"${member}\"" "\"x${member}\"" text "${text}")
  file(WRITE "${TSB_TEST_DIR}/spoilt/sbom.${name}.json" "${text}")
endforeach()
tsb_run(code text "${validator}" "${CMAKE_CURRENT_LIST_DIR}/validate.py" "${TSB_TEST_DIR}/spoilt")
tsb_expect("the validators on spoilt documents (${text})" EQUAL "${code}" 2)
