# SPDX-License-Identifier: BSD-3-Clause
# A source that came from a folder of the builder's, and what came inside it, claim nothing of what is pinned: no hash,
# address or version, even where the folder is a checkout of the pinned commit.
include("${CMAKE_CURRENT_LIST_DIR}/fixture.cmake")
set(build "${TSB_TEST_DIR}/a build")
make_build("${build}")
declare()
string(REPEAT "cd" 32 tree)
file(READ "${build}/packages/pytorch/sources.json" sources)
string(JSON sources SET "${sources}" pytorch sha256 "\"\"")
foreach(name IN ITEMS pytorch placed)
  string(JSON sources SET "${sources}" ${name} provider "\"local\"")
  string(JSON sources SET "${sources}" ${name} tree_sha256 "\"${tree}\"")
endforeach()
file(WRITE "${build}/packages/pytorch/sources.json" "${sources}")
make_bill("${build}")
tsb_expect("the end (${output})" EQUAL "${code}" 0)

set(from "from a folder of the builder's in the place of 9.1, its tree has the SHA-256 ${tree}")
foreach(file IN ITEMS sbom.spdx.json sbom.cdx.json)
  file(READ "${build}/package/${file}" text)
  foreach(part IN ITEMS "; ${from}\"" "in the place of 20200101" "; inside a folder of the builder's\"")
    tsb_expect("${file}" CONTAINS "${text}" "${part}")
  endforeach()
  foreach(
    url
    IN
    ITEMS github/pytorch/pytorch generic/placed github/h/held github/a/nested generic/nested
  )
    tsb_expect("a version in ${file}" LACKS "${text}" "pkg:${url}@")
  endforeach()
  foreach(
    claim
    IN
    ITEMS "${sha256}" "git+" "@c0ffee" "@beef" "placed.git" "held.git" "\"3.1\"" "\"20200101\""
  )
    tsb_expect("${file}" LACKS "${text}" "${claim}")
  endforeach()
  # Which project it is, they still say.
  tsb_expect("${file}" CONTAINS "${text}" "\"pkg:github/pytorch/pytorch\"")
  tsb_expect("${file}" CONTAINS "${text}" "https://pytorch.org")
endforeach()

# Only what is from the folder: its neighbour is as pinned.
string(JSON sources REMOVE "${sources}" placed tree_sha256)
file(WRITE "${build}/packages/pytorch/sources.json" "${sources}")
make_bill("${build}")
tsb_expect("the end with a pinned neighbour (${output})" EQUAL "${code}" 0)
file(READ "${build}/package/sbom.spdx.json" text)
tsb_expect("the neighbour" CONTAINS "${text}" "\"git+https://example.org/placed.git@c0ffee\"")
tsb_expect("the neighbour" LACKS "${text}" "in the place of 20200101")
