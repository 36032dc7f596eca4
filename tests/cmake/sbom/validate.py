# SPDX-License-Identifier: BSD-3-Clause
"""Asks the public validators about the two documents in a folder, and NTIA's minimum elements of the first; ends with the
number of bad ones."""

import os
import sys

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from ntia_conformance_checker.ntia_checker import NTIAChecker
from spdx_tools.spdx.parser.error import SPDXParsingError
from spdx_tools.spdx.parser.parse_anything import parse_file
from spdx_tools.spdx.validation.document_validator import validate_full_spdx_document

bad = 0
path = os.path.join(sys.argv[1], "sbom.spdx.json")
try:
    faults = [fault.validation_message for fault in validate_full_spdx_document(parse_file(path))]
except SPDXParsingError as error:
    faults = error.get_messages()
if not faults:
    checker = NTIAChecker(path)
    for kind in ("names", "versions", "identifiers", "suppliers"):
        faults += ["%s without %s" % (item, kind) for item in getattr(checker, "components_without_" + kind)]
    faults += ["%s hangs on nothing" % item for item in checker.floating_component_ids]
    faults += [] if checker.compliant else ["NTIA's minimum elements are not all there"]
for fault in faults:
    print("%s: %s" % (path, fault))
bad += bool(faults)

path = os.path.join(sys.argv[1], "sbom.cdx.json")
with open(path, encoding="utf-8") as stream:
    fault = JsonStrictValidator(SchemaVersion.V1_6).validate_str(stream.read())
if fault:
    print("%s: %s" % (path, str(fault)[:500]))
bad += bool(fault)
sys.exit(bad)
