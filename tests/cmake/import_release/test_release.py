# SPDX-License-Identifier: BSD-3-Clause
"""tools/import_release/import_release.py: the submodules' commits become pins, the rest is inherited, and what does not
fit is named; nothing is made up."""

import json
import shutil
import subprocess
import zipfile

from box import sha256
from fixture import ONES, UNUSED, ImportTest


class ImportRelease(ImportTest):
    def test_checkout(self):
        same, last = "torch/a.py,,\n", "torch/gone.py,,\ntorch-9.8.0.dist-info/RECORD,,\n"
        old = self.write("old/RECORD", f"{same}{last}torch-9.8.0.dist-info/METADATA,,\n")
        new = self.box / "torch.whl"
        requires = (
            "filelock",
            "made-up",
            "nvidia-y==7; os_name == 'posix'",
            "nvidia-y==8; os_name == 'posix'",
            "sympy>=1.13.3",
            "opt-einsum; extra == 'a'",
            "nvidia-x==1.2; os_name == 'posix'",
            "triton==4",
        )
        with zipfile.ZipFile(new, "w") as wheel:
            for name in ["torch/a.py", *(f"torch/include/many_{number}.h" for number in range(1, 10))]:
                wheel.writestr(name, "")
            wheel.writestr("torch/include/", "")
            wheel.writestr("torch-9.9.0.dist-info/RECORD", "")
            wheel.writestr("torch-9.9.0.dist-info/METADATA", "".join(f"Requires-Dist: {one}\n" for one in requires))
        upstream, nested = self.box / "upstream", self.commits["moved/inner/Nested"]
        says = (
            f"left_out in upstream.json): 2\n  third_party/fresh: {self.commits['fresh']} of {upstream}/fresh\n",
            f"  third_party/taken: {self.commits['taken']} of {upstream}/taken; the pins have another source of this name",
            "Submodules removed, and their pins: 1\n  third_party/gone\n",
            f"  third_party/moved: {self.commits['moved']}, was {ONES}\n",
            f"  third_party/moved/inner/Nested: {nested}, was {ONES}\n",
            "Options added: 1\n  USE_NEW (ON if USE_SAME, else OFF)\n",
            "Options removed: 1\n  USE_OLD, which options.json sets\n",
            "Options with another default: 1\n  USE_OTHER_DEFAULT: ON, was OFF\n",
            "and not pinned for its check: 4\n  made-up\n  nvidia-y==8; os_name == 'posix'\n"
            "  nvidia-x==1.2; os_name == 'posix'\n  triton==4\n",
            "Files of the wheel added: 1\n  torch/include/: 9 files, such as many_1.h\n",
            "Files of the wheel removed: 1\n  torch/gone.py\n",
            "does not fit the tree: 4\n  patches/in.patch: is in already: remove it\n"
            "  patches/fails.patch: does not apply\n"
            "  components.json: lost: pytorch has no old/\n"
            "  nested: the tree has a hole: there is no third_party/moved/inner/Nested/lists/a.cmake\n",
            "Left to decide: 4\n"
            "  release.json: cuda 12.4, which 9.8.0 has: add what upstream builds, or a reason to 'refused'\n"
            "  release.json: run tools/import_official/import_official.py 9.9.0: the wheel says which Pythons and triton\n"
            "  sources.json: fresh: name its licence, and the feature or backend that needs it\n"
            "  release.json: libtorch_zip names an ABI; remove it if the tree has no cmake/CheckAbi.cmake\n"
            f"Written: {self.folder}, from 9.8.0\n",
        )
        self.run_import(0, self.tree, *says, files=new, last_files=old)

        pins, moved = self.pins(), self.commits["moved"]
        self.assertEqual(pins["pytorch"]["candidates"][0]["commit"], self.commit)
        self.assertEqual(len(pins["same"]["candidates"]), 2)
        # What was known of it stays, but for the archive of the old commit.
        expected = {"version": moved[:7], "commit": moved, "git": f"{upstream}/moved", "subdir": "include"}
        self.assertEqual(pins["moved"]["candidates"], [expected])
        self.assertEqual(pins["own"]["candidates"][0]["version"], "3.2.1")  # by its tag
        self.assertEqual(pins["fresh"]["license"], "NOASSERTION")
        self.assertNotIn("sha256", pins["fresh"]["candidates"][0])
        for absent in ("third_party/gone", "third_party/unused"):  # the second on purpose
            self.assertNotIn(absent, json.dumps(pins))
        for name, member in (("sources", "release"), ("release", "version")):
            self.assertEqual(self.merged(f"{name}.json")[member], "9.9.0")
        self.assertEqual(self.merged("upstream.json")["left_out"], {UNUSED: "not built"})  # for the next import
        self.assertEqual(self.merged("options.json")["options"], [])
        # What it inherits is not there twice.
        self.assertEqual(self.read("release.json"), {"version": "9.9.0", "from": "9.8.0", "backends": {"cpu": {}}})
        files = {"release.json", "sources.json", "upstream.json", "options.json"}
        self.assertEqual(self.files("releases/9.9.0"), files)
        own = self.read("sources.json")["sources"]
        self.assertEqual(set(own), {"pytorch", "moved", "nested", "own", "fresh", "gone"})
        self.assertEqual(list(own["moved"]), ["candidates"])
        gone = {"name": "gone", "gone": "this release does not have it"}
        added = {"name": "fresh", "path": "third_party/fresh", "required": True}
        self.assertEqual(own["pytorch"]["submodules"], [gone, added])
        self.assertIsNone(own["gone"])

    def test_tarball(self):
        """With a list of commits, and without."""
        submodules = self.write("status.txt", self.git(self.tree, "submodule", "status", "--recursive") + "\n")
        tarball = self.box / "pytorch-v9.9.0.tar.gz"
        options = ["--exclude=.git", "--transform=s,^a tree,pytorch-v9.9.0,"]
        subprocess.run(["tar", "-czf", tarball, *options, "a tree"], cwd=self.box, check=True)
        moved = f"third_party/moved: {self.commits['moved']}, was {ONES}"
        self.run_import(0, tarball, moved, submodules=submodules)
        candidate = self.pins()["pytorch"]["candidates"][0]
        self.assertEqual(candidate["sha256"], sha256(tarball))
        self.assertNotIn("url", candidate)

        shutil.rmtree(self.folder)
        nested = "third_party/moved/inner/Nested: the pin is the last release's"
        unknown = "third_party/fresh: commit not known of"
        self.run_import(0, tarball, "third_party/moved/include: the pin is the last release's", nested, unknown)
        self.assertNotIn("fresh", self.pins())
        self.assertIn("a.tar", json.dumps(self.pins()["moved"]))

    def test_tree_that_says_nothing_about_submodules(self):
        shutil.rmtree(self.tree / ".git")
        (self.tree / ".gitmodules").unlink()
        (self.releases / "9.8.0/upstream.json").unlink()
        remedy = "write the line '<commit> .' into the list"
        self.is_refused(self.tree, "the commit of PyTorch 9.9.0 itself is not known", remedy)
        none = "there is no .gitmodules and no list (--submodules)"
        self.run_import(0, self.tree, none, submodules=self.write("list.txt", f"{ONES} .\n"))
        self.assertIn("gone", self.pins())

    def test_errors(self):
        """Nothing is written."""
        listed = self.write("list.txt", "third_party/same 1.0\n")
        tree, version = self.tree, self.tree / "version.txt"
        for source, options, what, remedy in (
            (self.box / "none", {}, f"there is no {self.box}/none", "name PyTorch's source tree or its tarball"),
            (self.box, {}, f"{self.box} has no CMakeLists.txt", "name PyTorch's source tree"),
            (version, {}, f"{version} is neither a folder nor a tarball", "name PyTorch's source tree or its tarball"),
            (
                tree,
                {"last": "9.1.0"},
                "there is no compiled release 9.1.0",
                "name one of them with --last: 9.7.10, 9.8.0",
            ),
            (
                tree,
                {"submodules": listed},
                "'third_party/same 1.0' is not a line of `git submodule status`",
                "write the list with: git submodule status --recursive",
            ),
            (
                None,
                {"release": "9.9.0", "submodules": self.write("typo.txt", f"{ONES} .\ngone third_party/typo\n")},
                "'gone third_party/typo': there was no such submodule",
                f"correct its path in {self.box}/typo.txt",
            ),
            (tree, {"files": "no RECORD"}, "there is no no RECORD", "name a wheel, its RECORD, or a list of files"),
        ):
            with self.subTest(what):
                self.is_refused(source, what, remedy, **options)
        self.repository(tree / "third_party/same", {"more": ""})
        self.is_refused(
            tree, "third_party/same is not at the commit that the tree records", "run: git submodule update"
        )
        version.write_text("none")
        begin = f"version.txt of {tree} does not begin with three numbers"
        self.is_refused(tree, begin, "name PyTorch's source tree with --source, or a release as --release 9.9.0")
        self.is_refused(None, "9.9 is not three numbers", "name PyTorch's source tree", release="9.9")
        gone = self.box / "no list"
        self.is_refused(
            None, f"{gone} cannot be read: No such file or directory", "name a file", release="9.9.0", submodules=gone
        )
        version.write_text("9.7.9")
        self.is_refused(
            tree, "there is no compiled release before 9.7.9", "name one of them with --last: 9.7.10, 9.8.0"
        )

    def is_refused(self, source, what, remedy, **options):
        self.run_import(3, source, f"error: {what}\n  {remedy}", **options)
        self.assertFalse(self.folder.exists())
