# SPDX-License-Identifier: BSD-3-Clause
"""The provenance statements of packed files."""

import json
import shutil
import subprocess
import sys

from statement_fixture import SCRIPT, ZIP, PackedFiles


class Statements(PackedFiles):
    def dependencies(self, statement):
        build = statement["predicate"]["buildDefinition"]
        return {item["name"]: item for item in build["resolvedDependencies"]}

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

    def test_files_of_another_version(self):
        for path, content in (
            ("steps/a/pack.json", {}),
            ("steps/a/pack.json", {"outputs": []}),
            ("artifacts/a.json", []),
            ("manifest.json", None),
            ("manifest.json", {"packages": [{"name": "pytorch"}], "bundled": []}),
            ("manifest.json", "[" * 100000),
        ):
            with self.subTest(path):
                before = (self.build / path).read_text()
                self.write(self.build / path, content)
                run = self.run_script()
                self.write(self.build / path, before)
                self.assertEqual(run.returncode, 1)
                self.assertRegex(
                    run.stdout, "^(the build folder's files are not those of this version: |cannot read /)"
                )
                self.assertIn("if that does not help, begin with an empty build folder\n", run.stdout)

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
