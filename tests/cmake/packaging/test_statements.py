# SPDX-License-Identifier: BSD-3-Clause
"""The provenance statements of packed files and their known vulnerabilities, from a build folder of a few JSON files, and
the command that signs them."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

PROJECT = pathlib.Path(__file__).resolve().parents[3]
SCRIPT = PROJECT / "packaging/provenance/make_statements.py"
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


class Statements(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir=".")
        self.addCleanup(folder.cleanup)
        self.box = pathlib.Path(folder.name).resolve()
        self.write_build("a build")

    def write(self, path, content):
        path = self.box / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content))

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

    def run_script(self, signer="", *more):
        command = [sys.executable, "-B", SCRIPT, "--build-folder", self.build, "--artifact", "a"]
        command += ["--manifest", self.build / "manifest.json", *more]
        environment = {**os.environ, "TSB_SIGN": signer}
        return subprocess.run(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True
        )

    def made(self, *more):
        run = self.run_script("", *more)
        self.assertEqual(run.returncode, 0, run.stdout)
        return json.loads((self.dist / (ZIP + ".intoto.json")).read_text())

    def dependencies(self, statement):
        build = statement["predicate"]["buildDefinition"]
        return {item["name"]: item for item in build["resolvedDependencies"]}

    def new_files(self):
        return sorted(path.name for path in self.dist.iterdir() if re.search(r"\.(intoto|openvex)\.", path.name))

    def write_advisories(self, content=ADVISORIES):
        self.write("advisories.json", content)
        return ["--advisories", self.box / "advisories.json"]

    def test_what_it_says(self):
        statement = self.made("--commit", "c0ffee", "--clean", "false")
        self.assertEqual(statement["_type"], "https://in-toto.io/Statement/v1")
        self.assertEqual(statement["predicateType"], "https://slsa.dev/provenance/v1")
        self.assertEqual(statement["subject"], [{"name": ZIP, "digest": {"sha256": "1" * 64}}])
        build = statement["predicate"]["buildDefinition"]
        self.assertEqual(
            build["externalParameters"],
            {
                "preset": "p",
                "version": "1.0+cpu",
                "product": "libtorch",
                "blas": "mkl",
                "backend": "cpu",
                "debug_info": "lines",
                "SOURCE_DATE_EPOCH": "9",
            },
        )
        keys = {"fingerprints": {"pytorch": "pytorch-key", "generator": "generator-key"}}
        self.assertEqual(build["internalParameters"], keys)
        found = self.dependencies(statement)
        of_pytorch = {"kind": "source", "package": "pytorch", "version": "1.0"}
        for name, digest, uri, more in (
            ("pytorch", {"sha256": "aa"}, "https://host/pytorch.tar", {"commit": "c1"}),
            ("gloo", {"gitCommit": "c2"}, "git+https://host/gloo.git@c2", {}),
            ("wheel", {"sha256": "ee"}, "pkg:pypi/A-Wheel@1.0", {}),
            ("unknown", {"sha256": "ff"}, "pkg:generic/unknown@1.0", {}),
        ):
            expected = {"name": name, "digest": digest, "uri": uri, "annotations": {**of_pytorch, **more}}
            self.assertEqual(found[name], expected)
        mine = {"name": "mine", "digest": {"treeSha256": "dd"}, "annotations": of_pytorch}
        self.assertEqual(found["mine"], mine)
        self.assertNotIn("inside", found)
        self.assertEqual(found["six"]["annotations"]["package"], "generator")
        self.assertEqual(found["a.patch"]["digest"], {"sha256": "88"})
        self.assertEqual(found["a.patch"]["annotations"]["source"], "gloo")
        compiler = found["CXX compiler, assembler and linker"]
        self.assertEqual(compiler["digest"], {"sha256": "77"})
        self.assertEqual(compiler["annotations"]["compiler"], "GNU 12.2.0")
        self.assertEqual(found["libgomp.so.1.0.0"]["digest"], {"sha256": "55"})
        self.assertEqual(found["sources.json"]["digest"], {"sha256": "99"})
        project = found["torch-superbuild"]
        self.assertEqual((project["digest"], project["annotations"]["clean"]), ({"gitCommit": "c0ffee"}, False))

    def test_one_for_each_packed_file(self):
        self.made()
        self.assertEqual(self.new_files(), ["debug-" + ZIP + ".intoto.json", ZIP + ".intoto.json"])

    def test_known_vulnerabilities(self):
        self.made(*self.write_advisories())
        names = ["debug-" + ZIP + ".intoto.json", ZIP + ".intoto.json", ZIP + ".openvex.json"]
        self.assertEqual(self.new_files(), names)
        text = (self.dist / (ZIP + ".openvex.json")).read_text()
        said = json.loads(text)
        self.assertRegex(said["@id"], "^urn:uuid:[0-9a-f-]{36}$")
        self.assertEqual(
            {name: value for name, value in said.items() if name not in ("@id", "statements")},
            {
                "@context": "https://openvex.dev/ns/v0.2.0",
                "author": "torch-superbuild",
                "timestamp": "2026-08-26T00:00:00Z",
                "version": 1,
            },
        )
        url = "pkg:generic/libtorch@1.0%2Bcpu"
        product = {"@id": url, "identifiers": {"purl": url}, "hashes": {"sha-256": "1" * 64}}
        self.assertTrue(all(item["products"] == [product] for item in said["statements"]))
        first, second, *others = said["statements"]
        self.assertEqual(
            first["vulnerability"],
            {
                "@id": "https://osv.dev/vulnerability/A-1",
                "name": "A-1",
                "aliases": ["CVE-A-1"],
                "description": "It is wrong.",
            },
        )
        self.assertEqual((first["status"], first["action_statement"]), ("affected", "Use PyTorch 1.1 or newer."))
        self.assertEqual(second["status"], "affected")
        self.assertIn("No release is named that fixes it.", second["action_statement"])
        for item in others:
            del item["vulnerability"], item["products"]
        justified = {"status": "not_affected", "justification": "component_not_present", "status_notes": "Not built."}
        unused = {"status": "not_affected", "impact_statement": "Nothing calls it."}
        self.assertEqual(others, [justified, unused, {"status": "fixed", "status_notes": "By a patch."}])
        # None of them; the same from another folder, and another name for what says something else.
        self.write_build("another build")
        self.made(*self.write_advisories({**ADVISORIES, "advisories": []}))
        self.assertFalse((self.dist / (ZIP + ".openvex.json")).exists())
        self.made(*self.write_advisories())
        self.assertEqual((self.dist / (ZIP + ".openvex.json")).read_text(), text)
        self.made(*self.write_advisories({**ADVISORIES, "advisories": ADVISORIES["advisories"][:1]}))
        self.assertNotEqual(json.loads((self.dist / (ZIP + ".openvex.json")).read_text())["@id"], said["@id"])

    def test_known_vulnerabilities_of_other_products(self):
        target = {"conda_subdir": "linux-64"}
        for artifact, name, url in (
            ({"product": "wheel", "python_tag": "cp311"}, "torch-1.0+cpu-x.whl", "pkg:pypi/torch@1.0%2Bcpu"),
            (
                {"product": "conda", "target": target},
                "pytorch-1.0-b_0.conda",
                "pkg:conda/pytorch@1.0?build=b_0&subdir=linux-64&type=conda",
            ),
        ):
            self.write(self.build / "artifacts/a.json", {**ARTIFACT, **artifact})
            self.write(self.build / "steps/a/pack.json", {"inputs": {}, "outputs": {str(self.dist / name): "1" * 64}})
            run = self.run_script("", *self.write_advisories())
            self.assertEqual(run.returncode, 0, run.stdout)
            said = json.loads((self.dist / (name + ".openvex.json")).read_text())
            self.assertEqual(said["statements"][0]["products"][0]["@id"], url)

    def test_advisories_that_are_damaged(self):
        run = self.run_script("", *self.write_advisories({**ADVISORIES, "release": "1.1"}))
        self.assertEqual(run.returncode, 1)
        self.assertIn("%s/advisories.json: it is of the release '1.1', not of '1.0'\n" % self.box, run.stdout)
        self.assertIn("or import it again: tools/import_release/import_advisories.py", run.stdout)
        self.assertEqual(self.new_files(), [])

    def test_without_a_checkout(self):
        self.assertNotIn("torch-superbuild", self.dependencies(self.made()))

    def test_the_toolkit_of_a_backend(self):
        manifest = json.loads((self.build / "manifest.json").read_text())
        cuda = {"version": "12.4", "archs": ["9.0"], "versions": {"cudnn": "9.1"}}
        self.write(self.build / "manifest.json", {**manifest, "backend": "cu124", "backend_kind": "cuda", "cuda": cuda})
        build = self.made()["predicate"]["buildDefinition"]
        self.assertEqual(build["externalParameters"]["architectures"], ["9.0"])
        self.assertEqual(build["internalParameters"]["toolkit"], {"version": "12.4", "cudnn": "9.1"})

    def test_no_folder_and_no_time_is_in_it(self):
        self.made()
        first = (self.dist / (ZIP + ".intoto.json")).read_bytes()
        self.assertNotIn(str(self.box).encode(), first)
        self.write_build("another build")
        self.made()
        self.assertEqual((self.dist / (ZIP + ".intoto.json")).read_bytes(), first)

    def test_a_file_that_is_not_there(self):
        (self.build / "steps/generator/stage.json").unlink()
        run = self.run_script()
        self.assertEqual(run.returncode, 1)
        self.assertIn("cannot read %s/steps/generator/stage.json" % self.build, run.stdout)
        self.assertIn("run the same command again", run.stdout)

    def test_dist_that_cannot_be_written(self):
        shutil.rmtree(self.dist)
        run = self.run_script()
        self.assertEqual(run.returncode, 1)
        self.assertIn("cannot write the statement: ", run.stdout)
        self.assertIn("set TSB_DIST to a folder that can be written", run.stdout)

    def test_the_disk_is_full(self):
        code = "import os, sys; sys.argv = sys.argv[1:]\nsys.path.insert(0, os.path.dirname(sys.argv[0]))\n"
        code += "import make_statements as m\ndef full(fd): raise OSError(28, 'No space left on device')\n"
        code += "m.os.fsync = full\nsys.exit(m.main())"
        command = [sys.executable, "-B", "-c", code, SCRIPT, "--build-folder", self.build, "--artifact", "a"]
        command += ["--manifest", self.build / "manifest.json"]
        run = subprocess.run(command, stdout=subprocess.PIPE, universal_newlines=True)
        self.assertEqual(run.returncode, 1)
        self.assertIn("No space left on device", run.stdout)
        self.assertEqual(self.new_files(), [])

    def test_signed(self):
        signer = 'sign() { echo said; sed "s/^/signed /" "$1" >"$1.sig"; }; sign'
        run = self.run_script(signer, *self.write_advisories())
        self.assertEqual(run.returncode, 0, run.stdout)
        documents = ["debug-" + ZIP + ".intoto.json", ZIP + ".intoto.json", ZIP + ".openvex.json"]
        names = [name + suffix for name in documents for suffix in ("", ".sig")]
        self.assertEqual(self.new_files(), names)
        self.assertEqual(
            [line for line in run.stdout.splitlines() if line.startswith("/")],
            [str(self.dist / name) for name in names],
        )
        self.assertTrue((self.dist / (ZIP + ".intoto.json.sig")).read_text().startswith("signed {"))

    def expect_refused(self, signer, *texts):
        run = self.run_script(signer)
        self.assertEqual(run.returncode, 1, run.stdout)
        for text in texts:
            self.assertIn(text, run.stdout)
        self.assertNotIn("secret", run.stdout)
        self.assertEqual(self.new_files(), [])

    def test_a_signer_that_fails(self):
        name = "debug-" + ZIP + ".intoto.json"
        self.expect_refused(
            'f() { : secret; echo half >"$1.sig"; exit 7; }; f',
            "the command in TSB_SIGN ended with 7 for " + name,
            "see its message above and run the same command again, or unset TSB_SIGN to sign nothing",
        )
        self.expect_refused("no-such-signer secret", "ended with 127 for " + name, "no-such-signer")

    def test_a_signer_that_signs_nothing(self):
        self.expect_refused("true", "left no signature beside debug-" + ZIP + ".intoto.json, but no file")
        for other in ('touch "$1.sig"', 'echo x >"$(dirname "$1")/else"', 'mkdir "$1.sig"'):
            self.expect_refused(
                "f() { %s; }; f" % other, "left no signature beside", "let it write files that are called"
            )

    def test_a_signer_that_changes_the_statement(self):
        text = "the command in TSB_SIGN has changed debug-" + ZIP + ".intoto.json"
        self.expect_refused('f() { echo x >>"$1"; echo x >"$1.sig"; }; f', text)

    @unittest.skipUnless(shutil.which("gpg"), "gpg is not installed")
    def test_gpg(self):
        # Its agent's socket cannot have a long path.
        home = tempfile.TemporaryDirectory()
        self.addCleanup(home.cleanup)
        gpg = ["gpg", "--homedir", home.name, "--batch", "--quiet"]
        subprocess.run([*gpg, "--passphrase", "", "--quick-generate-key", "a@b.example"], check=True)
        self.addCleanup(subprocess.run, ["gpgconf", "--homedir", home.name, "--kill", "all"])
        run = self.run_script(" ".join([*gpg, "--armor", "--detach-sign"]))
        self.assertEqual(run.returncode, 0, run.stdout)
        signature, statement = self.dist / (ZIP + ".intoto.json.asc"), self.dist / (ZIP + ".intoto.json")
        subprocess.run([*gpg, "--verify", signature, statement], check=True)
        statement.write_bytes(statement.read_bytes() + b"\n")
        self.assertNotEqual(subprocess.run([*gpg, "--verify", signature, statement]).returncode, 0)

    @unittest.skipUnless(shutil.which("minisign"), "minisign is not installed")
    def test_minisign(self):
        keys = ["-p", self.box / "key.pub"]
        subprocess.run(["minisign", "-G", "-W", *keys, "-s", self.box / "key"], check=True, stdout=subprocess.DEVNULL)
        run = self.run_script("minisign -S -s '%s' -m" % (self.box / "key"))
        self.assertEqual(run.returncode, 0, run.stdout)
        subprocess.run(["minisign", "-V", *keys, "-m", self.dist / (ZIP + ".intoto.json")], check=True)


if __name__ == "__main__":
    unittest.main()
