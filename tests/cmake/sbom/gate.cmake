# SPDX-License-Identifier: BSD-3-Clause
# Whatever no component covers, or has no known licence, is refused with a line that names it and the evidence.
include("${CMAKE_CURRENT_LIST_DIR}/fixture.cmake")
set(build "${TSB_TEST_DIR}/a build")
make_build("${build}")

# refused("<what>" <text>...): the last run of the gate failed with these texts, and left no documents.
function(refused what)
  tsb_expect("${what}: the end (${output})" EQUAL "${code}" 1)
  tsb_expect("${what}" LACKS "${output}" "Traceback")
  foreach(text IN LISTS ARGN)
    tsb_expect("${what}" CONTAINS "${output}" "${text}")
  endforeach()
  tsb_expect("${what}" ABSENT "${build}/package/sbom.spdx.json")
endfunction()

declare(WITHOUT nested)
make_bill("${build}")
refused(
  "a folder that went into an object"
  "third_party/nested is in the libraries or headers of package pytorch, and no component declares it: third_party/nested/inner.h goes into CMakeFiles/nested.dir/third_party/nested/nested.c.o"
  "declare it under 'components' in ${declarations}/components.json"
)
declare(WITHOUT whole)
make_bill("${build}")
refused("a folder in a whole archive" "third_party/whole is in the libraries or headers of package pytorch")
tsb_expect("unused" LACKS "${output}" "unused")

declare(WITHOUT jit)
make_bill("${build}")
refused(
  "a folder in a placed source" "third_party/placed/external/jit is in the libraries or headers of package pytorch"
)

declare(WITHOUT copied)
make_bill("${build}")
refused(
  "a header that mentions another licence"
  "copied.h mentions the licence BSL-1.0, but its component pytorch is declared as BSD-3-Clause: copied.h goes into CMakeFiles/torch.dir/own.c.o"
)
declare(WITHOUT shipped)
make_bill("${build}")
refused("a header that is only shipped" "include/shipped.h mentions the licence ISC" "is shipped as include/shipped.h")

declare(EXTRA "\"bare\": {\"in\": \"pytorch\", \"files\": [\"own.h\"], \"license\": \"\", \"texts\": [\"BSL-1.0\"]}")
make_bill("${build}")
refused("a component without a licence" "the licence of bare is not known")

declare(EXTRA "\"bare\": {\"in\": \"pytorch\", \"files\": [\"own.h\"], \"license\": \"MIT\"}")
make_bill("${build}")
refused(
  "a component without a text"
  "there is no licence text for bare: it names none, and none of its files says its licence (own.h)"
)

declare(
  EXTRA
  "\"bare\": {\"in\": \"pytorch\", \"files\": [\"own.h\"], \"license\": \"MIT\", \"license_files\": [\"COPYING\"]}"
)
make_bill("${build}")
refused(
  "a licence file that is not there" "component bare: its licence file COPYING is not in the tree of package pytorch"
)

declare(
  EXTRA "\"bare\": {\"in\": \"pytorch\", \"files\": [\"own.h\"], \"license\": \"MIT\", \"texts\": [\"Unheard-of\"]}"
)
make_bill("${build}")
refused("a text that is not there" "component bare: there is no text Unheard-of.txt in")

# What is wrong with different parts is told at once, each with its remedy.
declare(
  WITHOUT nested EXTRA
  "\"bare\": {\"in\": \"pytorch\", \"files\": [\"own.h\"], \"license\": \"\", \"texts\": [\"Unheard-of\"]}"
)
set(licenses "${build}/packages/pytorch/source/third_party/held/LICENSES")
file(RENAME "${licenses}/Zlib.txt" "${TSB_TEST_DIR}/Zlib.txt")
set(ENV{SOURCE_DATE_EPOCH} yesterday)
make_bill("${build}")
refused(
  "several faults"
  "third_party/nested is in the libraries or headers of package pytorch"
  "declare it under 'components' in"
  "the licence of bare is not known"
  "read it from its files and write the SPDX expression"
  "component bare: there is no text Unheard-of.txt in"
  "put the licence's text there as Unheard-of.txt"
  "package pytorch: third_party/held (source held) has no licence file"
  "add a 'license_file' to the source's pin"
  "SOURCE_DATE_EPOCH is not a number"
)
unset(ENV{SOURCE_DATE_EPOCH})
file(RENAME "${TSB_TEST_DIR}/Zlib.txt" "${licenses}/Zlib.txt")

# A name that is mistyped is an error, not a component that is never found.
declare(EXTRA "\"bare\": {\"in\": \"pytroch\", \"files\": [\"own.h\"], \"license\": \"MIT\"}")
make_bill("${build}")
refused("a source that is not in the pins" "component bare: the pins have no source pytroch" "correct it in")

declare()
set(STRICT ON)
make_bill("${build}")
refused(
  "a header of the machine"
  "package pytorch includes ${TSB_TEST_DIR}/machine/outer.h, which belongs neither to a package nor to the platform"
)
unset(STRICT)

set(third_party "${TSB_TEST_DIR}/third_party")
file(COPY "${TSB_SOURCE_DIR}/third_party/licenses" DESTINATION "${third_party}")
file(WRITE "${third_party}/bundled.json" "{\"libraries\": {}}")
make_bill("${build}")
refused("a bundled library" "the licence of libgomp.so.1.0.0, bundled as lib/libgomp.so.1, is not declared")
unset(third_party)

set(ENV{SOURCE_DATE_EPOCH} yesterday)
make_bill("${build}")
refused("a time that is none" "SOURCE_DATE_EPOCH is not a number: yesterday")
unset(ENV{SOURCE_DATE_EPOCH})

set(record "${build}/packages/pytorch/install/share/torch-superbuild/linked.json")
file(WRITE "${record}" "{\"schema\": 99}")
make_bill("${build}")
refused("a record of another version" "${record} is of another version" "build package pytorch again")
file(WRITE "${record}" "{")
make_bill("${build}")
refused("a broken record" "cannot read ${record}")
file(REMOVE "${record}")
make_bill("${build}")
refused(
  "no record" "package pytorch has no record of what is in its libraries"
  "STAGE_SCRIPTS packaging/sbom/record_linked.cmake"
)
