# SPDX-License-Identifier: BSD-3-Clause
"""A build folder of a few JSON files whose packed files get documents beside them; for the tests here."""

import json
import os
import re
import subprocess
import sys

from box import ROOT, BoxTest

SCRIPT = ROOT / "packaging/provenance/make_statements.py"
ZIP = "libtorch-1.0+cpu.zip"


def source(name, **members):
    empty = {"name": name, "version": "1.0", "commit": "", "sha256": "", "license": "MIT", "provider": "mirror"}
    return {**empty, **members}


def package(name, sources, patches=()):
    return {"name": name, "version": "1.0", "fingerprint": name + "-key", "sources": sources, "patches": list(patches)}


PYTORCH = package(
    "pytorch",
    [
        source("pytorch", sha256="aa", commit="c1"),
        source("gloo", commit="c2"),
        source("mine", tree_sha256="dd", commit="c3"),
        source("inside", **{"in": "gloo"}),
        source("wheel", sha256="ee"),
        source("unknown", sha256="ff"),
    ],
    [{"file": "a.patch", "reason": "R", "source": "gloo", "upstream": None}],
)
GENERATOR = package("generator", [source("six", sha256="66")])
PINS = {
    "pytorch": [
        {"version": "1.0", "sha256": "other", "url": ["https://other"]},
        {"version": "1.0", "sha256": "aa", "url": ["https://user:word@host/pytorch.tar", "https://second"]},
    ],
    "gloo": [{"version": "1.0", "commit": "c2", "git": "https://host/gloo.git"}],
    "wheel": [{"version": "1.0", "sha256": "ee", "python-index": {"project": "A-Wheel", "file": "a.whl"}}],
}
TOOLCHAIN = {
    "toolchain CXX_COMPILER_ID": "GNU",
    "toolchain CXX_COMPILER_VERSION": "12.2.0",
    "toolchain CXX_PROGRAMS": "77",
    "toolchain C_LIBRARY": "glibc 2.36",
    "toolchain MACHINE": "x86_64-linux-gnu",
}
ARTIFACT = {"preset": "p", "version": "1.0+cpu", "soname_version": "", "blas": "mkl", "product": "libtorch"}
ARTIFACT.update(file=ZIP, debug_file="debug-" + ZIP)


def advisory(name, *end, **more):
    events = [{"introduced": "0"}, *({kind: version} for kind, version in end)]
    package = {"ecosystem": "PyPI", "name": "torch"}
    affected = [{"package": package, "ranges": [{"type": "ECOSYSTEM", "events": events}]}]
    return {"id": name, "modified": "m", "aliases": ["CVE-" + name], "affected": affected, "references": [], **more}


NOT_BUILT = {"status": "not_affected", "justification": "component_not_present", "impact_statement": "Not built."}
ADVISORIES = {
    "schema": 1,
    "release": "1.0",
    "source": {"date": "2026-08-26", "license": "CC-BY-4.0", "statement": "By hand."},
    "advisories": [
        advisory("A-1", ("fixed", "1.1"), summary="It is wrong."),
        advisory("A-2"),
        advisory("A-3", ("last_affected", "1.0"), database_specific=NOT_BUILT),
        advisory("A-4", database_specific={"status": "not_affected", "impact_statement": "Nothing calls it."}),
        advisory("A-5", database_specific={"status": "fixed", "impact_statement": "By a patch."}),
    ],
}


class PackedFiles(BoxTest):
    def setUp(self):
        super().setUp()
        self.write_build("a build")

    def write_build(self, build):
        self.build, self.dist = self.box / build, self.box / build / "a dist"
        files = {str(self.dist / name): sha for name, sha in ((ZIP, "1" * 64), ("debug-" + ZIP, "2" * 64))}
        files[str(self.dist / "libtorch-1.0+cpu.cdx.json")] = "3" * 64
        for file in files:
            self.write(file, "packed")
        folder = build + "/"
        self.write(folder + "artifacts/a.json", ARTIFACT)
        self.write(folder + "steps/a/pack.json", {"inputs": {"SOURCE_DATE_EPOCH": "9"}, "outputs": files})
        self.write(folder + "steps/a/stage.json", {"inputs": {"pinned sources": "99"}})
        needed = {"dependency generator": "key", "dependency absent": "left out", "patch a.patch": "88"}
        self.write(folder + "steps/pytorch/stage.json", {"inputs": {"debug_info": "lines", **TOOLCHAIN, **needed}})
        self.write(folder + "steps/generator/stage.json", {"inputs": {}})
        self.write(folder + "packages/pytorch/package.json", {"pins": str(self.box / "pins.json")})
        self.write(folder + "packages/generator/manifest.json", GENERATOR)
        self.write(folder + "packages/absent/manifest.json", package("absent", []))
        bundled = [{"from": "libgomp.so.1.0.0", "sha256": "55"}]
        manifest = {"backend": "cpu", "backend_kind": "cpu", "packages": [PYTORCH], "bundled": bundled}
        self.write(folder + "manifest.json", manifest)
        self.write("pins.json", {"sources": {name: {"candidates": found} for name, found in PINS.items()}})

    def command(self, *more):
        command = [sys.executable, "-B", SCRIPT, "--build-folder", self.build, "--artifact", "a"]
        return command + ["--manifest", self.build / "manifest.json", *more]

    def run_script(self, signer="", *more):
        environment = {**os.environ, "TSB_SIGN": signer}
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
        return subprocess.run(self.command(*more), env=environment, **streams)

    def made(self, *more):
        run = self.run_script("", *more)
        self.assertEqual(run.returncode, 0, run.stdout)
        return json.loads((self.dist / (ZIP + ".intoto.json")).read_text())

    def new_files(self):
        return sorted(path.name for path in self.dist.iterdir() if re.search(r"\.(intoto|openvex)\.", path.name))

    def write_advisories(self, content=ADVISORIES):
        return ["--advisories", self.write("advisories.json", content)]
