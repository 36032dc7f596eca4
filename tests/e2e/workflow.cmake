# SPDX-License-Identifier: BSD-3-Clause
# The whole workflow, in a folder with a blank in its name: every phase runs, and a checked zip is in dist/.
include(${CMAKE_CURRENT_LIST_DIR}/stand_in.cmake)
workflow("${first}")
good("the workflow")
foreach(package IN ITEMS sleef protobuf pytorch)
  foreach(phase IN ITEMS patch configure build stage)
    tsb_expect("the phases" CONTAINS "${output}" "-- ${package} ${phase}\n")
  endforeach()
endforeach()
tsb_expect("features" LACKS "${output}" "is off: no provider has")
tsb_expect("the checks" CONTAINS "${output}" "${zip_name} works in two folders")
tsb_expect("the checks" CONTAINS "${output}" "${first_zip} has passed all checks")
foreach(way IN ITEMS "beside" "by build ID")
  tsb_expect(
    "gdb" CONTAINS "${output}"
    "gdb, ${way}: Line 23 of \"/usr/src/torch-superbuild/pytorch/source/aten/src/ATen/Context.cpp\""
  )
endforeach()
only_the_zip("${first}/dist")
file(SHA256 "${first_zip}" hash)
file(WRITE "${WORK}/zip.sha256" "${hash}")
