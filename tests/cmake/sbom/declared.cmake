# SPDX-License-Identifier: BSD-3-Clause
# The components of every release are declared soundly, for versions that the pins have, and their texts are there.
# So are its known vulnerabilities.
include("${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake")
set(ENV{PYTHONDONTWRITEBYTECODE} 1)
find_program(python NAMES python3 REQUIRED)
file(
  WRITE "${TSB_TEST_DIR}/faults.py"
  [[
import json, os, sys
sys.path.insert(0, sys.argv[1] + "/packaging/sbom")
import advisories, declarations
pins_file = sys.argv[2]
with open(pins_file) as stream:
    entries, path, faults = declarations.read_declarations(pins_file, json.load(stream)["sources"])
for name in sorted({text for listed in entries.values() for entry in listed for text in entry.get("texts", [])}):
    if not os.path.isfile("%s/third_party/licenses/%s.txt" % (sys.argv[1], name)):
        faults.append(("there is no third_party/licenses/%s.txt" % name, ""))
folder = os.path.dirname(pins_file)
known, found = advisories.read_advisories(folder + "/advisories.json", os.path.basename(folder))
faults += found
print("found %d components, faults: %s" % (len(entries), [what for what, _ in faults]))
]]
)
file(GLOB releases "${TSB_SOURCE_DIR}/releases/*/sources.json")
tsb_expect("a release" CONTAINS "${releases}" "/releases/")
foreach(pins IN LISTS releases)
  execute_process(
    COMMAND "${python}" "${TSB_TEST_DIR}/faults.py" "${TSB_SOURCE_DIR}" "${pins}"
    OUTPUT_VARIABLE output
    ERROR_VARIABLE output
    OUTPUT_STRIP_TRAILING_WHITESPACE
  )
  tsb_expect("${pins}" CONTAINS "${output}" " components, faults: []")
  tsb_expect("${pins}" LACKS "${output}" "found 0 components")
endforeach()
