# SPDX-License-Identifier: BSD-3-Clause
# The licence gate over unpacked sources, before anything is compiled: all that it finds at once, what holds for one
# version of a source only, and folders of the builder's. The texts are collected for the artifact.
cmake_minimum_required(VERSION 3.25)
include("${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake")
find_program(python NAMES python3 REQUIRED)
set(package "${TSB_TEST_DIR}/packages/pytorch")
set(tree "${package}/source")
set(pins "${TSB_TEST_DIR}/pins")
file(WRITE "${tree}/LICENSE" "the licence of the whole\n")
# ITT's way: no licence file, but a folder with a text for each licence of the choice.
file(WRITE "${tree}/third_party/itt/LICENSES/BSD-3-Clause.txt" "its BSD licence\n")
file(WRITE "${tree}/third_party/itt/LICENSES/GPL-2.0-only.txt" "its GPL\n")
# FBGEMM's: another project in a folder, with a licence file of its own.
file(WRITE "${tree}/third_party/gemm/LICENSE" "the licence of gemm\n")
file(WRITE "${tree}/third_party/gemm/third_party/asmjit/LICENSE.md" "the licence of asmjit\n")
file(WRITE "${tree}/third_party/gemm/third_party/asmjit/src/asmjit.h" "// SPDX-License-Identifier: Zlib\n")
# nlohmann's: the same header is of another licence in another version.
file(WRITE "${tree}/third_party/json/LICENSE.MIT" "the licence of json\n")
file(WRITE "${tree}/third_party/json/thirdparty/hedley.h" "/* Creative Commons; SPDX-License-Identifier: CC0-1.0 */\n")
file(
  WRITE "${package}/package.json"
  "{\"name\": \"pytorch\", \"source\": \"pytorch\", \"build_system\": \"cmake\", \"pins\": \"${pins}/sources.json\",
    \"license_files\": [\"LICENSE\"],
    \"place\": [\"itt=third_party/itt\", \"gemm=third_party/gemm\", \"json=third_party/json\", \"gone=third_party/gone\", \"part=third_party/part/include\"]}"
)
file(
  WRITE "${pins}/sources.json"
  "{\"sources\": {
    \"pytorch\": {\"license\": \"BSD-3-Clause\", \"candidates\": [{\"version\": \"9.1\", \"sha256\": \"00\"}]},
    \"itt\": {\"license\": \"BSD-3-Clause OR GPL-2.0-only\", \"candidates\": [{\"version\": \"5b8a7d7\", \"commit\": \"5b8a7d7\"}]},
    \"gemm\": {\"license\": \"BSD-3-Clause\", \"candidates\": [{\"version\": \"dbc3157\", \"commit\": \"dbc3157\"}]},
    \"json\": {\"license\": \"MIT\", \"candidates\": [{\"version\": \"3.10.1-87cda1d\", \"commit\": \"87cda1d\"},
      {\"version\": \"3.11.3\", \"sha256\": \"11\"}]},
    \"part\": {\"license\": \"MIT\", \"candidates\": [{\"version\": \"1\", \"commit\": \"c\", \"subdir\": \"include\", \"license_file\": \"LICENSE\"}]},
    \"gone\": {\"license\": \"MIT\", \"candidates\": [{\"version\": \"1\", \"sha256\": \"22\"}]}}}"
)
set(
  asmjit
  [=["asmjit": {"in": "gemm", "files": ["third_party/asmjit/"], "license": "Zlib", "license_files": ["third_party/asmjit/LICENSE.md"]}]=]
)
set(
  hedley
  [=["hedley": [
    {"in": "json", "versions": ["3.10.1-87cda1d"], "files": ["thirdparty/hedley.h"], "license": "CC0-1.0", "texts": ["CC0-1.0"]},
    {"in": "json", "versions": ["3.11.3"], "files": ["thirdparty/hedley.h"], "license": "MIT", "texts": ["MIT"]}]]=]
)

# fetched(<how pytorch came> <how json came>): JSON members of their entries of fetch's result.
function(fetched pytorch json)
  set(ok "\"status\": \"ok\", \"sha256\": \"\", \"commit\": \"\"")
  file(
    WRITE "${package}/sources.json"
    "{\"pytorch\": {${ok}, \"version\": \"9.1\", \"license\": \"BSD-3-Clause\"${pytorch}},
      \"itt\": {${ok}, \"version\": \"5b8a7d7\", \"license\": \"BSD-3-Clause OR GPL-2.0-only\"},
      \"gemm\": {${ok}, \"version\": \"dbc3157\", \"license\": \"BSD-3-Clause\"},
      \"json\": {${json}}, \"gone\": {\"status\": \"missing\"}}"
  )
endfunction()

# gate(<expected code> [<text>...]): runs it with the components in `components` and the option in `option`; it says
# these texts, and only then any.
function(gate expected)
  list(JOIN components "," members)
  file(WRITE "${pins}/components.json" "{\"schema\": 1, \"components\": {${members}}}")
  tsb_run(
    code output "${CMAKE_COMMAND}" -E env PYTHONDONTWRITEBYTECODE=1 "${python}"
    "${TSB_SOURCE_DIR}/packaging/sbom/check_sources.py" --package "${package}" --third-party
    "${TSB_SOURCE_DIR}/third_party" --collect "${package}/licenses" ${option}
  )
  tsb_expect("the end (${output})" EQUAL "${code}" "${expected}")
  foreach(text IN LISTS ARGN)
    tsb_expect("what it says" CONTAINS "${output}" "${text}")
  endforeach()
  list(LENGTH ARGN expected_texts)
  if(expected_texts EQUAL 0)
    tsb_expect("what it says" EQUAL "${output}" "")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

set(of_3_10 [=["status": "ok", "version": "3.10.1-87cda1d", "commit": "87cda1d", "sha256": "", "license": "MIT"]=])
set(of_3_11 [=["status": "ok", "version": "3.11.3", "commit": "", "sha256": "11", "license": "MIT"]=])
set(components "${asmjit}" "${hedley}")
fetched("" "${of_3_10}")
gate(0)
file(GLOB_RECURSE found RELATIVE "${package}/licenses" "${package}/licenses/*")
list(SORT found)
tsb_expect("the texts" EQUAL "${found}" "gemm/LICENSE;itt/BSD-3-Clause.txt;json/LICENSE.MIT;pytorch/LICENSE")

# Once the package is staged, the headers of the machine that the compiler read.
set(option --staged)
set(record "${package}/install/share/torch-superbuild/linked.json")
file(WRITE "${record}" [=[{"schema": 2, "system": ["/usr/include/stdio.h", "/usr/lib/linux/uapi/x86/asm/types.h"]}]=])
gate(0)
file(WRITE "${record}" [=[{"schema": 2, "system": ["/usr/include/stdio.h", "/usr/include/zlib.h"]}]=])
gate(
  1 "package pytorch includes /usr/include/zlib.h, which belongs neither to a package nor to the platform"
  "make a package of it, or keep it out of the build"
)
unset(option)
gate(0)

# The other version's facts: the file says something else.
fetched("" "${of_3_11}")
gate(
  1 "third_party/json/thirdparty/hedley.h mentions the licence CC0-1.0, but its component hedley is declared as MIT"
  "correct the component, or declare another one, in ${pins}/components.json"
)

# The licence file of a repository around its place may lie above; a place may be empty when nothing needs it.
file(RENAME "${tree}/third_party/json/LICENSE.MIT" "${TSB_TEST_DIR}/LICENSE.MIT")
fetched("" [=["status": "included", "in": "pytorch"}, "part": {"status": "included", "in": "pytorch"]=])
gate(1 "third_party/json (source json) has no licence file")
file(RENAME "${TSB_TEST_DIR}/LICENSE.MIT" "${tree}/third_party/json/LICENSE.MIT")
file(WRITE "${tree}/third_party/part/include/part.h" "int part;\n")
gate(1 "third_party/part/include (source part) has no licence file")
file(WRITE "${tree}/third_party/part/LICENSE" "the licence of part\n")
gate(0)
tsb_expect("the text above" EXISTS "${package}/licenses/part/LICENSE")
file(REMOVE_RECURSE "${tree}/third_party/part/include/part.h" "${tree}/third_party/part/LICENSE")
gate(0)

# A folder of the builder's, and what came inside the main source, count as the first candidate.
fetched("" [=["status": "ok", "version": "4.0", "commit": "", "sha256": "", "tree_sha256": "cd", "license": "MIT"]=])
gate(0)
fetched("" [=["status": "included", "in": "pytorch"]=])
gate(0)
fetched(", \"tree_sha256\": \"cd\"" [=["status": "included", "in": "pytorch"]=])
gate(0)

# A file that was declared for a version is in it; in a folder of the builder's it may be gone.
file(RENAME "${tree}/third_party/json/thirdparty/hedley.h" "${TSB_TEST_DIR}/hedley.h")
gate(0)
fetched("" "${of_3_10}")
gate(
  1 "component hedley: third_party/json has no thirdparty/hedley.h, which is declared for json 3.10.1-87cda1d"
  "correct it in ${pins}/components.json"
)
file(RENAME "${TSB_TEST_DIR}/hedley.h" "${tree}/third_party/json/thirdparty/hedley.h")

# Everything at once: a source without a text, one with half of what was chosen, a nested licence file that is not
# there, a text that nobody has, a component that names no licence at all, and one that says none.
file(RENAME "${tree}/third_party/gemm/LICENSE" "${TSB_TEST_DIR}/LICENSE")
file(RENAME "${tree}/third_party/itt/LICENSES/BSD-3-Clause.txt" "${TSB_TEST_DIR}/BSD-3-Clause.txt")
file(RENAME "${tree}/third_party/gemm/third_party/asmjit/LICENSE.md" "${TSB_TEST_DIR}/LICENSE.md")
file(RENAME "${tree}/LICENSE" "${TSB_TEST_DIR}/LICENSE.whole")
file(WRITE "${tree}/grisu.h" "// the code of somebody\n")
list(
  APPEND components [=["grisu": {"in": "pytorch", "files": ["grisu.h"], "license": "MIT"}]=]
  [=["unheard": {"in": "pytorch", "files": ["grisu.h"], "license": "", "texts": ["Unheard-of"]}]=]
)
gate(
  1
  "package pytorch: third_party/gemm (source gemm) has no licence file"
  "add a 'license_file' to the source's pin, or another candidate that carries its licence"
  "package pytorch: third_party/itt (source itt) has no licence file"
  "component asmjit: its licence file third_party/gemm/third_party/asmjit/LICENSE.md is not in the tree of package pytorch"
  "package pytorch: its licence file LICENSE is not in ${tree}"
  "correct LICENSE_FILES in superbuild/pytorch.cmake"
  "there is no licence text for grisu: it names none, and none of its files says its licence (grisu.h)"
  "name its text under 'license_files' or 'texts' in ${pins}/components.json"
  "the licence of unheard is not known"
  "component unheard: there is no text Unheard-of.txt in ${TSB_SOURCE_DIR}/third_party/licenses"
  "put the licence's text there as Unheard-of.txt"
)
# In a folder of the builder's the pins are not what to correct.
string(REPLACE "\"version\": \"3.10.1-87cda1d\"" "\"tree_sha256\": \"cd\", \"version\": \"1\"" of_folder "${of_3_10}")
file(REMOVE "${tree}/third_party/json/LICENSE.MIT")
fetched("" "${of_folder}")
gate(1 "(source json) has no licence file\nput its licence into the folder as LICENSE, or build the pinned source")

# Typing errors, all of them, and nothing is taken for granted that they hide.
set(
  components
  [=["typed": {"in": "json", "files": ["thirdparty/"], "license": "MIT", "version": "1", "licence_files": ["x"]}]=]
  [=["other": {"in": "jsno", "files": ["thirdparty/"], "license": "MIT"}]=]
  [=["later": {"in": "json", "files": ["thirdparty/"], "license": "MIT", "versions": ["3.10.1", "3.11.3"]}]=]
  [=["twice": [{"in": "json", "files": ["a.h"], "license": "MIT"}, {"in": "json", "files": ["a.h"], "license": "ISC", "versions": ["3.11.3"]}]]=]
  [=["short": {"in": "json", "license": "MIT"}]=]
  [=["plain": {"in": "json", "files": "a.h", "license": "MIT"}]=]
  [=["itt": {"in": "json", "files": ["a.h"], "license": "MIT"}]=]
)
gate(
  1
  "component typed: 'licence_files' is none of the members that there are: files, homepage, in, license, license_files"
  "component other: the pins have no source jsno"
  "component later: no candidate of json has the version 3.10.1; there are: 3.10.1-87cda1d, 3.11.3"
  "component twice: two of its entries hold for json 3.11.3"
  "component short: it has no 'files'"
  "component plain: 'files' is not a list of texts"
  "component itt: it is a source of the pins, and needs no entry here"
)
