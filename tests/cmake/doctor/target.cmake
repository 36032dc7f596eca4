# SPDX-License-Identifier: BSD-3-Clause
# A processor that nothing is known of, and one that an addition describes.
include(${CMAKE_CURRENT_LIST_DIR}/machine.cmake)
doctor(ARGUMENTS CHECKS target)
passes("-- processor: x86-64")

tool(uname "echo madeup64")
doctor(ARGUMENTS CHECKS target)
fails(
  1
  "processor: this machine's is 'madeup64', and only these are known: x86_64 -> build on one of those, or describe this one in targets/madeup64.json"
)
# Everything else needs what it finds.
doctor(TSB_DOCTOR_SKIP=target ARGUMENTS CHECKS target)
fails(1 "target: TSB_DOCTOR_SKIP names it, but")

doctor(TSB_ADDITIONS=${TSB_SOURCE_DIR}/tests/fixtures/additions-target ARGUMENTS CHECKS target)
passes("-- processor: a made-up processor")
