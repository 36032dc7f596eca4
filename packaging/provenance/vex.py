# SPDX-License-Identifier: BSD-3-Clause
"""What an OpenVEX document (v0.2.0) says about a packed file; docs/provenance.md explains its members.

Its time is the date of the release's advisories, since that is when what it says was known, and so the same advisories
give the same bytes: a later list makes a later document.
"""

import hashlib
import json
import uuid

from advisories import address, advice
from bill import product_names

CONTEXT = "https://openvex.dev/ns/v0.2.0"
AUTHOR = "torch-superbuild"


def statement(record, product):
    vulnerability = {"@id": address(record["id"]), "name": record["id"], "aliases": record["aliases"]}
    if record.get("summary"):
        vulnerability["description"] = record["summary"]
    return {"vulnerability": vulnerability, "products": [product], **status_of(record)}


def status_of(record):
    known = record.get("database_specific")
    if not known:
        return {"status": "affected", "action_statement": advice(record)}
    said = {name: known[name] for name in ("status", "justification") if name in known}
    # OpenVEX wants one reason for not_affected, and not two.
    reason = "impact_statement" if said == {"status": "not_affected"} else "status_notes"
    return {**said, reason: known["impact_statement"]}


def document(advisories, artifact, file, sha256):
    url = product_names(artifact, file)[1]
    product = {"@id": url, "identifiers": {"purl": url}, "hashes": {"sha-256": sha256}}
    said = {
        "@context": CONTEXT,
        "author": AUTHOR,
        "timestamp": advisories["source"]["date"] + "T00:00:00Z",
        "version": 1,
        "statements": [statement(record, product) for record in advisories["advisories"]],
    }
    content = hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()
    return {"@id": "urn:uuid:%s" % uuid.uuid5(uuid.NAMESPACE_URL, content), **said}
