# SPDX-License-Identifier: BSD-3-Clause
"""tools/import_release/import_release.py, on a made-up PyTorch 9.9.0 with submodules and the release 9.8.0 before it: the
submodules' commits become pins, the rest is carried over, and what does not fit is named; nothing is made up."""

import json
import pathlib
import shutil
import subprocess
import sys
import zipfile
from unittest import mock

from box import ROOT, RepositoryTest, need, sha256

sys.path.insert(0, str(ROOT / "tools/import_release"))
import carried

from engine.model.data import Data

need("git")
ONES, UNUSED = "1" * 40, "third_party/unused"
OPTIONS = r"""# option(USE_COMMENT "no" ON)
option(USE_SAME "the same" ON)
option(
  USE_OTHER_DEFAULT
  "with (brackets) and \
a line" ON)
cmake_dependent_option(USE_NEW "new" ON "USE_SAME" OFF)
message(STATUS "option(USE_TEXT \"no\" ON)")
"""
PLACES = {"same": "same", "moved": "moved/include", "nested": "moved/inner/Nested", "gone": "gone"}
LAST = {
    "release.json": {
        "version": "9.8.0",
        "triton": "3",
        "cxx_standard": "17",
        "pythons": ["3.12"],
        "libtorch_zip": "libtorch-abi",
        "backends": {"cpu": {}, "cuda": {"12.4": {}}, "official-cpu": {}},
    },
    "options.json": {"options": [{"option": "USE_OLD", "value": "ON"}], "features": []},
    "upstream.json": {
        "options": dict(USE_SAME="ON", USE_OLD="OFF", USE_OTHER_DEFAULT="OFF"),
        "packages": {"third_party/own": "own"},
        "left_out": {UNUSED: "not built", "third_party/was": "not built"},
    },
}


class ImportRelease(RepositoryTest):
    def setUp(self):
        super().setUp()
        self.tree, self.releases, self.folder = (self.box / name for name in ("a tree", "releases", "releases/9.9.0"))
        upstream = self.box / "upstream"
        names = ("same", "fresh", "unused", "own", "taken")
        self.commits = {name: self.repository(upstream / name, {"README": name}) for name in names}
        self.git(upstream / "own", "tag", "v3.2.1")
        self.commits["moved/inner/Nested"] = self.repository(upstream / "nested", {"README": "nested"})
        nested = ("inner/Nested", f"{upstream}/nested", self.commits["moved/inner/Nested"])
        self.commits["moved"] = self.repository(upstream / "moved", {"include/a.c": "new\n"}, [nested])
        links = [(f"third_party/{name}", f"{upstream}/{name}", self.commits[name]) for name in (*names, "moved")]
        self.commit = self.repository(self.tree, {"version.txt": "9.9.0a0\n", "CMakeLists.txt": OPTIONS}, links)
        self.git(self.tree, "submodule", "--quiet", "update", "--init", "--recursive")
        self.write_last_release()

    def write_last_release(self):
        def pin(*candidates):
            return {"license": "MIT", "candidates": [{"version": "1.0", **one} for one in candidates]}

        wheel = {"version": "7", "python-index": {"project": "nvidia-y"}}
        known, archive = {"commit": ONES, "git": "https://known/moved.git"}, {"filename": "a.tar", "sha256": "0"}
        pins = {
            "same": pin(archive, {"commit": self.commits["same"]}),
            "moved": pin({**known, "subdir": "include"}, archive),
            "nested": pin({**known, "git": "https://known/nested"}),
            "gone": pin(known),
            "own": pin(known),
            "taken": pin(archive),
            "y": pin(wheel),
        }
        pins["nested"]["holds"] = ["README", "lists/a.cmake"]
        pins["moved"]["patches"] = [{"file": f"{name}.patch", "reason": name} for name in ("in", "fails")]
        members = [{"name": name, "path": f"third_party/{path}", "required": True} for name, path in PLACES.items()]
        members[1].update(required=False, feature="MOVED")
        pytorch = {"license": "MIT", "submodules": members, "candidates": [{"version": "9.8.0", "commit": ONES}]}
        sources = {"schema": 1, "release": "9.8.0", "sources": {"pytorch": pytorch, **pins}}
        for name, content in {**LAST, "sources.json": sources}.items():
            self.write(f"releases/9.8.0/{name}", content)
        components = {
            "there": {"in": "moved", "files": ["a.c"]},
            "lost": {"in": "pytorch", "files": ["old/", "CMakeLists.txt"]},
        }
        self.write("releases/9.8.0/components.json", {"release": "9.8.0", "components": components})
        for name, removed, line in (("in", "old", "new"), ("fails", "other", "line")):
            text = f"--- a/a.c\n+++ b/a.c\n@@ -1 +1 @@\n-{removed}\n+{line}\n"
            self.write(f"releases/9.8.0/patches/{name}.patch", text)
        self.write("releases/9.8.0/wheel_check/requirements.txt", "sympy==1.14 \\\n")
        self.write("releases/9.8.0/wheel_check/libraries.txt", "nvidia-x==1.2 \\\ntriton==3 \\\n")
        facts = {"cxx_standard": "17", "pythons": [], "backends": {}}
        self.write("releases/9.7.10/release.json", {"version": "9.7.10", **facts})
        self.write("releases/9.7.10/options.json", {"options": [], "features": []})
        self.write("releases/9.8.1/release.json", {"version": "9.8.1", **facts})  # of official wheels alone

    def run_import(self, ends, source, *says, **options):
        words = []
        for name, value in options.items():
            words += [f"--{name.replace('_', '-')}"] + ([] if value is True else [value])
        script = "tools/import_release/import_release.py"
        source = ["--source", source] if source else []
        self.run_python(ends, script, "--releases", self.releases, *source, *words, says=says)

    def read(self, name):
        """What a file says by itself."""
        return json.loads((self.folder / name).read_text())

    def merged(self, name):
        data = Data()
        data.folders = [self.box]
        return data.merged("9.9.0", name)

    def pins(self):
        return self.merged("sources.json")["sources"]

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
            "and not pinned for its check: 4\n  made-up\n  nvidia-y==8; os_name == 'posix'\n  nvidia-x==1.2; os_name == 'posix'\n"
            "  triton==4\n",
            "Files of the wheel added: 1\n  torch/include/: 9 files, such as many_1.h\n",
            "Files of the wheel removed: 1\n  torch/gone.py\n",
            "does not fit the tree: 4\n  patches/in.patch: is in already: remove it\n  patches/fails.patch: does not apply\n"
            "  components.json: lost: pytorch has no old/\n"
            "  nested: the tree has a hole: there is no third_party/moved/inner/Nested/lists/a.cmake\n",
            "Left to decide: 2\n  release.json: cuda 12.4, which 9.8.0 has: add what upstream builds, or a reason to 'refused'\n"
            "  sources.json: fresh: name its licence, and the feature or backend that needs it\n",
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
        self.assertEqual(
            self.read("release.json"), {"version": "9.9.0", "from": "9.8.0", "backends": {"cpu": {}}, "ready": False}
        )
        files = {"release.json", "sources.json", "upstream.json", "options.json"}
        self.assertEqual(self.files("releases/9.9.0"), files)
        own = self.read("sources.json")["sources"]
        self.assertEqual(set(own), {"pytorch", "moved", "nested", "own", "fresh", "gone"})
        self.assertEqual(list(own["moved"]), ["candidates"])
        gone = {"name": "gone", "gone": "this release does not have it"}
        added = {"name": "fresh", "path": "third_party/fresh", "required": True}
        self.assertEqual(own["pytorch"]["submodules"], [gone, added])
        self.assertIsNone(own["gone"])

    def test_official_data(self):
        """What the official wheel's importer wrote stays, and what it wrote for the last release is not this one's."""
        facts = {"version": "9.9.0", "pythons": ["3.14"], "cxx_standard": "20", "backends": {"official-cpu": {}}}
        wheel = {"license": "MIT", "candidates": [{"version": "9.9.0", "python-index": {"project": "torch"}}]}
        self.write("releases/9.9.0/release.json", facts)
        self.write("releases/9.9.0/sources.json", {"schema": 1, "release": "9.9.0", "sources": {"torch-cpu": wheel}})
        self.write("releases/9.9.0/wheel_check/requirements.txt", "kept")
        last = json.loads((self.releases / "9.8.0/sources.json").read_text())
        last["sources"] |= {"torch-cpu": {**wheel, "homepage": "h"}, "nvidia-old": wheel}
        self.write("releases/9.8.0/sources.json", last)
        self.write(self.tree / "cmake/a.cmake", "")
        self.run_import(0, self.tree)
        release, pins = self.merged("release.json"), self.pins()
        self.assertEqual((release["pythons"], release["cxx_standard"], release["triton"]), (["3.14"], "20", "3"))
        self.assertEqual(release["backends"], {"official-cpu": {}, "cpu": {}})
        self.assertNotIn("libtorch_zip", release)  # its tree has no two ABIs any more
        self.assertEqual(pins["torch-cpu"]["candidates"], wheel["candidates"])
        self.assertNotIn("nvidia-old", pins)
        self.assertEqual((self.folder / "wheel_check/requirements.txt").read_text(), "kept")
        before = {path: path.read_bytes() for path in self.folder.rglob("*") if path.is_file()}
        self.run_import(0, self.tree)
        self.assertEqual({path: path.read_bytes() for path in self.folder.rglob("*") if path.is_file()}, before)

    def test_list_alone(self):
        """Without a tree. What the list does not have stays, and is named."""
        listed = f"# some\n {ONES[:-1]}2 third_party/moved (v4.5)\n{ONES} third_party/more https://known/more\ngone third_party/gone\n"
        says = (
            "Submodules removed, and their pins: 1\n  third_party/gone\n",
            "third_party/more: 1111111111111111111111111111111111111111 of https://known/more",
            "third_party/same: the list does not have it, the pin is the last release's",
            "Options: there is no CMakeLists.txt, so they are the last release's",
        )
        self.run_import(0, None, *says, release="9.9.0", submodules=self.write("list.txt", listed))
        pins = self.pins()
        self.assertEqual(pins["moved"]["candidates"][0]["version"], "4.5")
        self.assertEqual(pins["same"]["candidates"][1]["commit"], self.commits["same"])
        self.assertEqual(pins["more"]["candidates"][0]["git"], "https://known/more")
        self.assertNotIn("gone", pins)
        self.assertEqual(self.merged("upstream.json")["options"], LAST["upstream.json"]["options"])

    def test_broken_off(self):
        """The folder is what it was, whenever the import ends."""
        self.run_import(0, self.tree)
        folder, before = str(self.folder), {path.name: path.read_bytes() for path in self.folder.iterdir()}
        for broken in ("open", "os.rename"):
            with self.subTest(broken), self.assertRaises(KeyboardInterrupt), carried.new_folder(folder) as place:
                (pathlib.Path(place) / "sources.json").write_text("half")
                if broken == "open":
                    raise KeyboardInterrupt
                stop = mock.patch("os.rename", side_effect=[None, KeyboardInterrupt])
                self.addCleanup(stop.stop)
                stop.start()
            mock.patch.stopall()
            self.assertEqual({path.name: path.read_bytes() for path in self.folder.iterdir()}, before)
        # Killed while it took the old one's place.
        (self.box / ".import-9.9.0").mkdir()
        self.folder.rename(self.box / ".import-9.9.0/old")
        self.run_import(0, self.tree)
        self.assertEqual({path.name: path.read_bytes() for path in self.folder.iterdir()}, before)
        self.assertFalse((self.box / ".import-9.9.0").exists())

    def test_again(self):
        """What a person wrote stays, and what upstream changed since then changes."""
        self.run_import(0, self.tree)
        content = self.read("sources.json")
        content["sources"]["fresh"]["license"] = "Zlib"
        content["sources"]["pytorch"]["submodules"][0]["gone"] = "since then"
        self.write(self.folder / "sources.json", content)
        self.write(self.folder / "release.json", self.read("release.json") | {"ready": True})
        self.repository(self.tree, {"version.txt": "9.9.0\n"})
        self.run_import(0, self.tree)
        self.assertEqual(self.read("sources.json")["sources"]["pytorch"]["submodules"][0]["gone"], "since then")
        self.assertEqual(self.pins()["fresh"]["license"], "Zlib")
        self.assertIs(self.read("release.json")["ready"], True)
        self.assertNotEqual(self.pins()["pytorch"]["candidates"][0]["commit"], self.commit)

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
        none = "there is no .gitmodules and no list (--submodules)"
        self.run_import(
            0, self.tree, none, "pytorch: the source is neither a checkout nor a tarball, so it has no candidate"
        )
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
