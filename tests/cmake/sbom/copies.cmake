# SPDX-License-Identifier: BSD-3-Clause
# A file that a tool has made of another one has the other's component and licence: refused without a declaration of the
# original, and with it in the bill.
include("${CMAKE_CURRENT_LIST_DIR}/fixture.cmake")
set(COPIES ON)
set(build "${TSB_TEST_DIR}/a build")
make_build("${build}")
set(record "${build}/packages/pytorch/install/share/torch-superbuild/linked.json")
file(READ "${record}" json)
string(JSON copies GET "${json}" copies)
string(JSON count LENGTH "${copies}")
tsb_expect("copies of which nothing went in are not in the record" EQUAL "${count}" 2)

declare()
make_bill("${build}")
tsb_expect("without their declarations" EQUAL "${code}" 1)
foreach(
  text IN
  ITEMS "cuda/inner is in the libraries or headers of package pytorch, and no component declares it: hip/inner/held.h"
        "hip/kept.h mentions the licence ISC, but its component pytorch is declared as BSD-3-Clause"
)
  tsb_expect("without their declarations" CONTAINS "${output}" "${text}")
endforeach()

declare(
  EXTRA
  "\"kept\": {\"in\": \"pytorch\", \"files\": [\"cuda/kept.h\"], \"license\": \"ISC\"},
    \"inner\": {\"in\": \"pytorch\", \"files\": [\"cuda/inner/\"], \"license\": \"MIT\", \"license_files\": [\"cuda/inner/LICENSE\"]}"
)
make_bill("${build}")
tsb_expect("with them: ${output}" EQUAL "${code}" 0)
file(READ "${build}/package/sbom.spdx.json" bill)
file(READ "${build}/package/share/licenses/inner/LICENSE" text)
tsb_expect("the text beside the original" EQUAL "${text}" "the licence of inner\n")
file(READ "${build}/package/share/licenses/kept/NOTICE" text)
tsb_expect("the words of the copy" CONTAINS "${text}" "Copyright Keeper")
tsb_expect("the bill" CONTAINS "${bill}" "\"kept\"")
