# SPDX-License-Identifier: BSD-3-Clause
"""The provenance statements of packed files, and the command that signs them, on a build folder of a few JSON files."""

import contextlib
import io
import json
import os
import shutil
import subprocess
import sys
from unittest import mock

from box import ROOT, BoxTest

from engine import make_statements

ENGINE = ROOT / "engine"
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
    ],
    [{"file": "a.patch", "reason": "R", "source": "gloo", "upstream": None}],
)
FETCHED = {
    "pytorch": {"candidate": {"url": ["https://user:word@host/pytorch.tar", "https://second"]}},
    "gloo": {"candidate": {"git": "https://host/gloo.git"}},
}
TOOLCHAIN = {
    "toolchain\tCXX_COMPILER_ID": "GNU",
    "toolchain\tCXX_COMPILER_VERSION": "12.2.0",
    "toolchain\tCXX_PROGRAMS": "77",
    "toolchain\tC_LIBRARY": "glibc 2.36",
    "toolchain\tMACHINE": "x86_64-linux-gnu",
}
VARIANT = {"version_suffix": "mine", "pytorch_options": ["USE_MPI=ON"], "patches": ["pytorch/1.patch"]}
VARIANT["folders"] = {"TSB_ADDITIONS": "tree-" + "f" * 64}
ARTIFACT = {
    "variant": VARIANT,
    "preset": "p",
    "version": "1.0+cpu",
    "soname_version": "",
    "blas": "mkl",
    "product": "libtorch",
}
PARAMETERS = {"preset": "p", "version": "1.0+cpu", "product": "libtorch", "blas": "mkl", "backend": "cpu"}
PARAMETERS.update({"variant": VARIANT, "debug_info": "lines", "SOURCE_DATE_EPOCH": "9"})


def entry(kind, name, digest, uri="", **about):
    item = {"name": name, "digest": digest, "annotations": {"kind": kind, **about}}
    return {**item, "uri": uri} if uri else item


OF_PYTORCH = {"package": "pytorch", "version": "1.0"}
EXPECTED = [
    entry("source", "six", {"sha256": "66"}, package="generator", version="1.0"),
    entry("source", "pytorch", {"sha256": "aa"}, "https://host/pytorch.tar", commit="c1", **OF_PYTORCH),
    entry("source", "gloo", {"gitCommit": "c2"}, "git+https://host/gloo.git@c2", **OF_PYTORCH),
    entry("source", "mine", {"treeSha256": "dd"}, **OF_PYTORCH),
    entry("source", "wheel", {"sha256": "ee"}, **OF_PYTORCH),
    entry("patch", "a.patch", {"sha256": "88"}, package="pytorch", source="gloo"),
    entry(
        *("toolchain", "CXX compiler, assembler and linker", {"sha256": "77"}),
        compiler="GNU 12.2.0",
        c_library="glibc 2.36",
        machine="x86_64-linux-gnu",
    ),
    entry("bundled", "libgomp.so.1.0.0", {"sha256": "55"}),
    entry("folder", "TSB_ADDITIONS", {"treeSha256": "f" * 64}),
    {"name": "added"},
]


class Statements(BoxTest):
    def setUp(self):
        super().setUp()
        self.write_build("a build")

    def write_build(self, name):
        self.build, self.dist = self.box / name, self.box / name / "a dist"
        files = {str(self.dist / name): sha for name, sha in ((ZIP, "1" * 64), ("debug-" + ZIP, "2" * 64))}
        files[str(self.dist / "libtorch-1.0+cpu.cdx.json")] = "3" * 64
        needed = {"dependency\tgenerator": "key", "dependency\tabsent": "left out", "patch\ta.patch": "88"}
        bundled = [{"from": "libgomp.so.1.0.0", "sha256": "55"}]
        manifest = {"backend": "cpu", "backend_kind": "cpu", "packages": [PYTORCH], "bundled": bundled}
        for path, content in {
            **dict.fromkeys(files, "packed"),
            "artifacts/a.json": ARTIFACT,
            "steps/a/pack.json": {"inputs": {"SOURCE_DATE_EPOCH": "9"}, "outputs": files},
            "steps/pytorch/stage.json": {"inputs": {"debug_info": "lines", **TOOLCHAIN, **needed}},
            "steps/generator/stage.json": {"inputs": {}},
            "packages/pytorch/package.json": {
                **{"depends": ["generator", "absent"], "build_system": "cmake"},
                "toolchain": {name.partition("\t")[2]: "what is planned now" for name in TOOLCHAIN},
            },
            "packages/generator/package.json": {"depends": []},
            "packages/pytorch/sources.json": FETCHED,
            "packages/generator/sources.json": {},
            "packages/generator/manifest.json": package("generator", [source("six", sha256="66")]),
            "packages/absent/manifest.json": package("absent", []),
            "manifest.json": manifest,
        }.items():
            self.write(self.build / path, content)

    def run_script(self, signer=""):
        command = [
            sys.executable,
            "-B",
            ENGINE,
            "make_statements",
            self.build,
            "a",
            self.build / "manifest.json",
            '[{"name": "added"}]',
        ]
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
        return subprocess.run(command, env={**os.environ, "TSB_SIGN": signer}, **streams)

    def made(self, signer=""):
        run = self.run_script(signer)
        self.assertEqual(run.returncode, 0, run.stdout)
        return json.loads((self.dist / (ZIP + ".intoto.json")).read_text())

    def new_files(self):
        return sorted(path.name for path in self.dist.iterdir() if ".intoto." in path.name)

    def test_what_it_says(self):
        statement = self.made()
        self.assertEqual(statement["_type"], "https://in-toto.io/Statement/v1")
        self.assertEqual(statement["predicateType"], "https://slsa.dev/provenance/v1")
        self.assertEqual(statement["subject"], [{"name": ZIP, "digest": {"sha256": "1" * 64}}])
        build = statement["predicate"]["buildDefinition"]
        self.assertEqual(build["externalParameters"], PARAMETERS)
        keys = {"fingerprints": {"pytorch": "pytorch-key", "generator": "generator-key"}}
        self.assertEqual(build["internalParameters"], keys)
        self.assertEqual(build["resolvedDependencies"], EXPECTED)
        # One for each packed file, and the same bytes in another folder.
        self.assertEqual(self.new_files(), ["debug-" + ZIP + ".intoto.json", ZIP + ".intoto.json"])
        first = (self.dist / (ZIP + ".intoto.json")).read_bytes()
        self.write_build("another build")
        self.made()
        self.assertEqual((self.dist / (ZIP + ".intoto.json")).read_bytes(), first)

    def test_the_toolkit_of_a_backend(self):
        manifest = json.loads((self.build / "manifest.json").read_text())
        cuda = {"version": "12.4", "archs": ["9.0"], "versions": {"cudnn": "9.1"}}
        self.write(self.build / "manifest.json", {**manifest, "backend": "cu124", "backend_kind": "cuda", "cuda": cuda})
        build = self.made()["predicate"]["buildDefinition"]
        self.assertEqual(build["externalParameters"]["architectures"], ["9.0"])
        self.assertEqual(build["internalParameters"]["toolkit"], {"version": "12.4", "cudnn": "9.1"})

    def test_the_checkout(self):
        """It alone: folders of the user's are in the artifact's record, as they were when it was planned."""
        command = [sys.executable, "-I", "-S", "-B", ENGINE, "make_statements", "--origin"]
        environment = {**os.environ, "TSB_ADDITIONS": str(self.box)}
        found = json.loads(subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True).stdout)
        self.assertIn([item["annotations"]["kind"] for item in found], ([], ["project"]))

    def test_a_checkout_that_git_does_not_trust(self):
        said = io.StringIO()
        why = "git does not trust /x, which belongs to another user"
        with mock.patch.object(make_statements, "state_of", lambda folder: ("", [], why)):
            with contextlib.redirect_stderr(said):
                self.assertEqual([item["name"] for item in make_statements.origin()], [])
        self.assertEqual(said.getvalue(), f"the statements do not name this checkout: {why}\n")

    def test_faults(self):
        (self.build / "steps/generator/stage.json").unlink()
        run = self.run_script()
        self.assertEqual(run.returncode, 3)
        self.assertIn("cannot read %s/steps/generator/stage.json" % self.build, run.stdout)
        self.write_build("another")
        stamp = self.build / "steps/pytorch/stage.json"
        made = json.loads(stamp.read_text())["inputs"]
        for name in made:  # one that has another name now is no longer found: none of them may just be missing
            self.write(stamp, {"inputs": {"old " + key if key == name else key: made[key] for key in made}})
            run = self.run_script()
            self.assertEqual(run.returncode, 3, name)
            says = f"pytorch was made without the input {' '.join(name.split(chr(9)))}\n       build it again\n"
            self.assertEqual(run.stdout, f"error: {says}")
        self.write_build("a third")
        shutil.rmtree(self.dist)
        run = self.run_script()
        self.assertEqual(run.returncode, 3)
        self.assertIn("cannot write the statement: ", run.stdout)
        self.assertIn("free space on the disk", run.stdout)

    def test_signed(self):
        self.made('sign() { echo said; tr "\\0" "\\n" <"/proc/$$/cmdline" >"$1.sig"; : secret; }; sign')
        names = [name + suffix for name in ("debug-" + ZIP, ZIP) for suffix in (".intoto.json", ".intoto.json.sig")]
        self.assertEqual(self.new_files(), names)
        words = (self.dist / (ZIP + ".intoto.json.sig")).read_text()
        self.assertTrue(words.startswith("sh\n-c\n"))
        self.assertNotIn("secret", words)
        # A signature goes when nothing signs any more.
        self.made()
        self.assertEqual(len(self.new_files()), 2)

    def test_signers_that_fail(self):
        statement = "debug-" + ZIP + ".intoto.json"
        for signer, fault in (
            ('f() { : secret; echo half >"$1.sig"; exit 7; }; f', "ended with 7"),
            ("no-such-signer secret", "ended with 127"),
            ("true", "left no signature"),
            ('touch "$1.sig"; true', "left no signature"),
            ('f() { echo x >"$(dirname "$1")/else"; }; f', "left no signature"),
            ('f() { echo x >"$1.a;b"; }; f', "left no signature"),  # CMake has lists
        ):
            run = self.run_script(signer)
            self.assertEqual(run.returncode, 3, run.stdout)
            self.assertIn(f"the command in TSB_SIGN {fault} for {statement}\n", run.stdout)
            self.assertIn(f"let it write its signature as {statement}.<suffix> (docs/provenance.md)", run.stdout)
            self.assertEqual(self.new_files(), [])
