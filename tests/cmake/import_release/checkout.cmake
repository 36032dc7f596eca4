# SPDX-License-Identifier: BSD-3-Clause
# A checkout: its submodules' commits become pins, and what came, went or changed is named.
include(${CMAKE_CURRENT_LIST_DIR}/fixture.cmake)
file(WRITE "${TSB_TEST_DIR}/old/RECORD" "torch/a.py,,\ntorch/gone.py,,\ntorch-9.8.0.dist-info/RECORD,,\n")
file(WRITE "${TSB_TEST_DIR}/new/RECORD" "torch/a.py,,\ntorch-9.9.0.dist-info/RECORD,,\n")
foreach(number RANGE 1 9)
  file(APPEND "${TSB_TEST_DIR}/new/RECORD" "torch/include/many_${number}.h,,\n")
endforeach()
import(0 --source "${tree}" --files "${TSB_TEST_DIR}/new/RECORD" --last-files "${TSB_TEST_DIR}/old/RECORD")
tsb_expect(
  "what is said" CONTAINS "${output}"
  "the licences of the others): 1\n  third_party/fresh: ${commit_of_fresh} of ${TSB_TEST_DIR}/upstream/fresh\n"
  "Submodules that went, and their pins: 1\n  third_party/gone\n"
  "  third_party/moved: ${commit_of_moved}, was ${ones}\n"
  "  third_party/moved/inner/Nested: ${commit_of_moved/inner/Nested}, was ${ones}\n"
  "Options that came: 1\n  USE_NEW (ON if USE_SAME, else OFF)\n"
  "Options that went: 1\n  USE_OLD, which options.json sets\n"
  "Options with another default: 1\n  USE_OTHER_DEFAULT: ON, was OFF\n"
  "Files of the wheel that came: 1\n  torch/include/: 9 files, such as many_1.h\n"
  "Files of the wheel that went: 1\n  torch/gone.py\n"
)

set(folder "${releases}/9.9.0")
file(READ "${folder}/sources.json" pins)
string(JSON value GET "${pins}" release)
tsb_expect("the release" EQUAL "${value}" 9.9.0)
string(JSON value GET "${pins}" sources pytorch candidates 0 commit)
tsb_expect("PyTorch's commit" EQUAL "${value}" "${commit_of_tree}")
string(JSON value LENGTH "${pins}" sources same candidates)
tsb_expect("an unchanged pin" EQUAL "${value}" 2)
string(JSON value GET "${pins}" sources moved candidates)
tsb_expect("a changed pin" CONTAINS "${value}" "\"commit\" : \"${commit_of_moved}\"")
tsb_expect("what was known of it" CONTAINS "${value}" "\"subdir\" : \"include\"")
tsb_expect("the archive of the old commit" LACKS "${value}" "moved.tar")
string(JSON value GET "${pins}" sources fresh)
tsb_expect("a new pin" CONTAINS "${value}" "NOASSERTION")
tsb_expect("a new pin" LACKS "${value}" "sha256")
tsb_expect("what went" LACKS "${pins}" "third_party/gone")
tsb_expect("what was left out on purpose" LACKS "${pins}" "third_party/unused")

file(READ "${folder}/release.json" release)
string(JSON value GET "${release}" version)
tsb_expect("the release" EQUAL "${value}" 9.9.0)
tsb_expect("facts of another release" LACKS "${release}" triton 12.4)
file(READ "${folder}/components.json" components)
string(JSON value GET "${components}" release)
tsb_expect("the components" EQUAL "${value}" 9.9.0)
foreach(file IN ITEMS options.json symbols.json patches/p.patch)
  file(READ "${releases}/9.8.0/${file}" before)
  tsb_expect_file("${file} as a start" EQUAL "${folder}/${file}" "${before}")
endforeach()
tsb_expect_file("for the next import" CONTAINS "${folder}/upstream.json" "third_party/unused")
