# SPDX-License-Identifier: BSD-3-Clause
# What is recorded, the licences folder, both documents; and the same bytes from a build in another folder.
include("${CMAKE_CURRENT_LIST_DIR}/fixture.cmake")
make_build("${TSB_TEST_DIR}/a build")
declare()

file(READ "${TSB_TEST_DIR}/a build/packages/pytorch/install/share/torch-superbuild/linked.json" record)
string(JSON count LENGTH "${record}" files)
math(EXPR last "${count} - 1")
set(files "")
foreach(index RANGE ${last})
  string(JSON file MEMBER "${record}" files ${index})
  list(APPEND files "${file}")
endforeach()
list(SORT files)
string(
  CONCAT
    expected
    "by_hand.c;copied.h;own.c;own.h;third_party/held/held.c;third_party/held/held.h;third_party/nested/inner.h;third_party/nested/nested.c;third_party/nested/nested.h;"
    "third_party/placed/external/jit/jit.c;third_party/placed/external/jit/jit.h;third_party/placed/placed.c;third_party/placed/placed.h;third_party/whole/whole.c;third_party/whole/whole.h"
)
tsb_expect("the linked files" EQUAL "${files}" "${expected}")
tsb_expect("paths in the record" LACKS "${record}" "${TSB_TEST_DIR}/a build")

make_bill("${TSB_TEST_DIR}/a build")
tsb_expect("the end (${output})" EQUAL "${code}" 0)
set(root "${TSB_TEST_DIR}/a build/package")
file(GLOB_RECURSE found RELATIVE "${root}/share/licenses" "${root}/share/licenses/*")
list(SORT found)
string(
  CONCAT
    expected
    "copied/BSL-1.0.txt;copied/NOTICE;held/Zlib.txt;jit/LICENSE.txt;nested/LICENSE.txt;placed/LICENSE.txt;pytorch/LICENSE;shipped/NOTICE;"
    "whole/LICENSE.txt"
)
tsb_expect("the licences" EQUAL "${found}" "${expected}")
file(READ "${root}/share/licenses/copied/NOTICE" text)
tsb_expect("the notice" CONTAINS "${text}" "copied.h: /* Copyright Somebody")
tsb_expect("the notice" LACKS "${text}" "unrelated")
# Twice, as for a conda package: what was written first is replaced.
file(WRITE "${root}/lib/edited.so" "another at first\n")
add_files("${TSB_TEST_DIR}/a build")
tsb_expect("the end of the files (${output})" EQUAL "${code}" 0)
file(REMOVE "${root}/lib/edited.so")
add_files("${TSB_TEST_DIR}/a build")
tsb_run(code text "${python}" "${CMAKE_CURRENT_LIST_DIR}/check_documents.py" "${root}")
tsb_expect("the documents (${text})" EQUAL "${code}" 0)

make_build("${TSB_TEST_DIR}/another")
make_bill("${TSB_TEST_DIR}/another")
tsb_expect("the end in another folder (${output})" EQUAL "${code}" 0)
file(WRITE "${TSB_TEST_DIR}/another/package/lib/edited.so" "another at first\n")
add_files("${TSB_TEST_DIR}/another")
file(REMOVE "${TSB_TEST_DIR}/another/package/lib/edited.so")
add_files("${TSB_TEST_DIR}/another")
execute_process(COMMAND diff -r "${root}" "${TSB_TEST_DIR}/another/package" RESULT_VARIABLE code OUTPUT_VARIABLE text)
tsb_expect("the difference to a build in another folder (${text})" EQUAL "${code}" 0)
execute_process(
  COMMAND diff "${TSB_TEST_DIR}/a build/packages/pytorch/install/share/torch-superbuild/linked.json"
          "${TSB_TEST_DIR}/another/packages/pytorch/install/share/torch-superbuild/linked.json" RESULT_VARIABLE code
  OUTPUT_VARIABLE text
)
tsb_expect("the difference of the records (${text})" EQUAL "${code}" 0)

# Another time: another document, of another name.
file(SHA256 "${root}/sbom.spdx.json" before)
set(ENV{SOURCE_DATE_EPOCH} 1700000000)
make_bill("${TSB_TEST_DIR}/a build")
file(SHA256 "${root}/sbom.spdx.json" after)
if(before STREQUAL after)
  message(FATAL_ERROR "SOURCE_DATE_EPOCH makes no difference")
endif()
file(READ "${root}/sbom.spdx.json" text)
tsb_expect("the time" CONTAINS "${text}" "\"created\": \"2023-11-14T22:13:20Z\"")

# A release without a list of its known vulnerabilities, and one whose list is of another release.
make_bill("${TSB_TEST_DIR}/a build" --advisories=)
tsb_expect("the end without a list (${output})" EQUAL "${code}" 0)
file(READ "${root}/sbom.cdx.json" text)
tsb_expect("a bill without a list" LACKS "${text}" "\"vulnerabilities\"")
file(READ "${root}/sbom.spdx.json" text)
tsb_expect("a bill without a list" LACKS "${text}" "\"SECURITY\"")
file(READ "${declarations}/advisories.json" list)
string(JSON list SET "${list}" release "\"9.0\"")
file(WRITE "${TSB_TEST_DIR}/list.json" "${list}")
make_bill("${TSB_TEST_DIR}/a build" --advisories "${TSB_TEST_DIR}/list.json")
tsb_expect("the end with another release's list" EQUAL "${code}" 1)
tsb_expect("what is said" CONTAINS "${output}" "${TSB_TEST_DIR}/list.json: it is of the release '9.0', not of '9.1'")
tsb_expect("what to do" CONTAINS "${output}" "tools/import_release/import_advisories.py")

# A conda package has the name of the source that it is made of; whatever is in a document has an identifier of its own.
file(READ "${TSB_TEST_DIR}/a build/artifacts/a.json" artifact)
string(JSON artifact SET "${artifact}" product "\"conda\"")
file(WRITE "${TSB_TEST_DIR}/a build/artifacts/a.json" "${artifact}")
make_bill("${TSB_TEST_DIR}/a build" --file pytorch-9.1-cpu_h0_0.conda)
tsb_expect("the end of a conda package (${output})" EQUAL "${code}" 0)
foreach(pair IN ITEMS "spdx;SPDXID" "cdx;bom-ref")
  list(GET pair 0 kind)
  list(GET pair 1 member)
  file(STRINGS "${root}/sbom.${kind}.json" identifiers REGEX "\"${member}\": ")
  list(TRANSFORM identifiers STRIP)
  set(different ${identifiers})
  list(REMOVE_DUPLICATES different)
  tsb_expect("the identifiers of ${kind}" EQUAL "${identifiers}" "${different}")
endforeach()
file(READ "${root}/sbom.spdx.json" text)
tsb_expect("what is described" CONTAINS "${text}" "\"relatedSpdxElement\": \"SPDXRef-Package-package-pytorch\"")
tsb_expect(
  "the channel's folder" CONTAINS "${text}" "pkg:conda/pytorch@9.1?build=cpu_h0_0&subdir=linux-here&type=conda"
)

# A name that JSON cannot hold.
execute_process(
  COMMAND sh -c "echo x > \"$(printf 'caf\\351')\"" WORKING_DIRECTORY "${root}/lib" COMMAND_ERROR_IS_FATAL ANY
)
add_files("${TSB_TEST_DIR}/a build")
tsb_expect("the end with such a name" EQUAL "${code}" 1)
tsb_expect("what is said" CONTAINS "${output}" "a file's name, or a link's target, is not UTF-8: b'")
tsb_expect("what to do" CONTAINS "${output}" "give it another name")
