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
only_the_zip("${first}/dist")
file(SHA256 "${first_zip}" hash)
file(WRITE "${WORK}/zip.sha256" "${hash}")
