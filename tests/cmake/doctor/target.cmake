# SPDX-License-Identifier: BSD-3-Clause
# A processor that nothing is known of, and one that an addition describes.
include(${CMAKE_CURRENT_LIST_DIR}/machine.cmake)
doctor(ARGUMENTS CHECKS target)
tsb_expect("status" EQUAL "${status}" 0)
tsb_expect("a known one" CONTAINS "${output}" "-- processor: x86-64")

tool(uname "echo madeup64")
doctor(ARGUMENTS CHECKS target)
tsb_expect("status" EQUAL "${status}" 1)
tsb_expect(
  "an unknown one" CONTAINS "${output}"
  "processor: this machine's is 'madeup64', and only these are known: x86_64 -> build on one of those, or describe this one in targets/madeup64.json"
)
# Everything else needs what it finds.
doctor(TSB_DOCTOR_SKIP=target ARGUMENTS CHECKS target)
tsb_expect("status" EQUAL "${status}" 1)
tsb_expect("left out" CONTAINS "${output}" "target: TSB_DOCTOR_SKIP names it, but")

doctor(TSB_ADDITIONS=${TSB_SOURCE_DIR}/tests/fixtures/additions-target ARGUMENTS CHECKS target)
tsb_expect("status" EQUAL "${status}" 0)
tsb_expect("an added one" CONTAINS "${output}" "-- processor: a made-up processor")
