# SPDX-License-Identifier: BSD-3-Clause
"""Writes what is in the data about what the settings name, as records for CMake (tsb_load_model).

    model.py --to <folder> --machine <processor> [--additions <folder>] [--backend <name>] [--release <version>]
             [--processor <name>] [--pins <file>]

release.json    the release
release_options.json, release_features.json
                what it is built with for the backend, by package: options as <name>=<value>
backend.json    the backend; without a release that is asked for, of the one that it has by default (Data.rank)
versions.json   its own file of that name: what is true of each version of its toolkit
libraries.json  of its own file of that name, by package: `files`, as they are there, and `sources`, the pins of their wheels
target.json     the processor that is built for: the backend's, or this machine's
symbols.json    what its packages hide, export and rename of third-party libraries
artifact_rows.json
                what can be made, by name
model.json      `releases`, `targets`: their names; `backends`: {name: the release that it has by default};
                `backends_of_release`: the names of that one's; `refused`: what is not made of the release for the
                backend, `artifacts` and `why`; `lineage`: the release's folder, and those it inherits from; `pins`: the
                folders that these are merged from; `sources`: their names; `features`: those of all releases;
                `prebuilt`: {source: patterns of an installed one}; `symbols`: the path of symbols.json, if the release
                has any; `artifacts`: those of what can be made, in order

What does not exist is an empty object.
"""

import argparse
import pathlib

from engine.model.data import Data
from engine.model.record import write_record


def load(data, asked):
    releases = data.names("releases")
    backends, artifacts, options, features = {}, {}, {}, {}
    facts = {version: data.release(version) for version in releases}
    found = [(version, one) for version in releases for one in data.backends(facts[version])]
    for version, one in sorted(found, key=lambda entry: data.rank(facts[entry[0]], entry[1])):
        backends.setdefault(one["name"], version)
    wanted = asked.release or backends.get(asked.backend)
    release = {"folder": wanted} | facts[wanted] if wanted in facts else {}
    own = {one["name"]: one for version, one in found if version == wanted}
    backend = own.get(asked.backend, {})
    folders = data.pins(release["folder"], backend) if release else []
    pins = list(filter(pathlib.Path.exists, (folder / "sources.json" for folder in folders)))
    sources = data.sources([asked.pins] if asked.pins else pins)
    if backend:
        artifacts = data.artifacts(release, backend, "")
        backend["linkages"] = sorted({row["linkage"] for row in artifacts.values()})
        if not backend.get("prebuilt"):
            options, features = data.options(release["folder"], backend)
    target = data.target(asked.processor or backend.get("target") or asked.machine, asked.machine) or {}
    targets = [name.removesuffix(".json") for name in data.names("targets")]
    return {
        "release": release,
        "release_options": options,
        "release_features": features,
        "backend": backend,
        "versions": data.facts(backend, "versions"),
        "libraries": data.libraries(backend, sources),
        "target": target,
        "symbols": data.merged(release["folder"], "symbols.json") if release else {},
        "artifact_rows": artifacts,
        "model": {
            "releases": releases,
            "targets": targets,
            "backends": backends,
            "backends_of_release": list(own),
            "refused": data.refused(release, asked.backend),
            "lineage": list(map(str, data.lineage(release["folder"]))) if release else [],
            "pins": list(map(str, folders)),
            "sources": sorted(sources),
            "features": data.features(),
            "prebuilt": {name: pin["prebuilt"] for name, pin in sources.items() if pin.get("prebuilt")},
            "artifacts": list(artifacts),
        },
    }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--to", type=pathlib.Path, required=True)
    for name in ("machine", "additions", "backend", "release", "processor", "pins"):
        parser.add_argument(f"--{name}", default="")
    asked = parser.parse_args()
    records = load(Data(asked.additions), asked)
    records["model"]["symbols"] = str(asked.to / "symbols.json") if records["symbols"] else ""
    for name, record in records.items():
        write_record(asked.to / f"{name}.json", record, name)
