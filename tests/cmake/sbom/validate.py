# SPDX-License-Identifier: BSD-3-Clause
"""Asks the public validators about the two documents in a folder; ends with the number of bad ones."""

import os
import sys

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from spdx_tools.spdx.parser.error import SPDXParsingError
from spdx_tools.spdx.parser.parse_anything import parse_file
from spdx_tools.spdx.validation.document_validator import validate_full_spdx_document

bad = 0
path = os.path.join(sys.argv[1], "sbom.spdx.json")
try:
    faults = [fault.validation_message for fault in validate_full_spdx_document(parse_file(path))]
except SPDXParsingError as error:
    faults = error.get_messages()
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
