# SPDX-License-Identifier: BSD-3-Clause
# The whole workflow, in a folder with a blank in its name: every phase runs, and a checked zip is in dist/. No variable
# that the caller has set for Python takes part.
include(${CMAKE_CURRENT_LIST_DIR}/stand_in.cmake)
file(WRITE "${TSB_TEST_DIR}/shadows/json.py" "raise SystemExit('this is not the standard module')\n")
workflow("${first}" ENVIRONMENT "PYTHONPATH=${TSB_TEST_DIR}/shadows" PYTHONSAFEPATH=1 PYTHONOPTIMIZE=2)
good("the workflow")
foreach(package IN ITEMS sleef protobuf pytorch)
  tsb_expect(
    "the phases" CONTAINS "${output}" "-- ${package} patch\n" "-- ${package} configure\n" "-- ${package} build\n"
    "-- ${package} stage\n"
  )
endforeach()
tsb_expect("features" LACKS "${output}" "is off: no provider has")
tsb_expect("the checks" CONTAINS "${output}" "${zip_name} works" "ok second place, run: " "done: ${first_zip}, ")
tsb_expect(
  "gdb" CONTAINS "${output}"
  "gdb, beside: Line 23 of \"/usr/src/torch-superbuild/pytorch/source/aten/src/ATen/Context.cpp\""
  "gdb, by build ID: Line 23 of \"/usr/src/torch-superbuild/pytorch/source/aten/src/ATen/Context.cpp\""
)
tsb_expect("the user's pins alone" ABSENT "${first}/build/${preset}/pins")
# What was planned, and how it went.
tsb_expect(
  "the plan" CONTAINS "${output}" "-- plan: libtorch-shared-with-deps, into ${first}/dist" "pytorch compiled;"
  "-- report: ${preset} has ended well" "(planned: " "-- report: more: ${first}/build/${preset}/runs/"
)
file(GLOB reports "${first}/build/${preset}/runs/*/report.json")
file(READ "${reports}" report)
string(JSON checks LENGTH "${report}" artifacts 0 checks)
string(JSON compiles LENGTH "${report}" compiles)
string(JSON links LENGTH "${report}" links)
if(checks LESS 30 OR compiles LESS 5 OR links LESS 3)
  message(FATAL_ERROR "the report has ${checks} checks, ${compiles} compiles, ${links} links")
endif()
only_the_zip("${first}/dist")
file(SHA256 "${first_zip}" hash)
file(WRITE "${WORK}/zip.sha256" "${hash}")
