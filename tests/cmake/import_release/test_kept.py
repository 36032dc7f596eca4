# SPDX-License-Identifier: BSD-3-Clause
"""tools/import_release/import_release.py on a release that is there already: what it has stays, whatever happens."""

import json
import pathlib
import shutil
import sys
from unittest import mock

from box import ROOT
from fixture import LAST, ONES, UNUSED, ImportTest

sys.path.insert(0, str(ROOT / "tools/import_release"))
import carried


class Kept(ImportTest):
    def test_official_data(self):
        """What the official wheel's importer wrote stays, and what it wrote for the last release is not this one's."""
        facts = {"version": "9.9.0", "pythons": ["3.14"], "cxx_standard": "20", "backends": {"official-cpu": {}}}
        facts["refused"] = [{"backends": "cpu|cu.*", "why": "no commits"}]
        wheel = {"license": "MIT", "candidates": [{"version": "9.9.0", "python-index": {"project": "torch"}}]}
        self.write("releases/9.9.0/release.json", facts)
        self.write("releases/9.9.0/sources.json", {"schema": 1, "release": "9.9.0", "sources": {"torch-cpu": wheel}})
        self.write("releases/9.9.0/wheel_check/requirements.txt", "kept")
        last = json.loads((self.releases / "9.8.0/sources.json").read_text())
        last["sources"] |= {"torch-cpu": {**wheel, "homepage": "h"}, "nvidia-old": wheel}
        self.write("releases/9.8.0/sources.json", last)
        self.write(self.tree / "cmake/a.cmake", "")
        fresh = "release.json: no older one has Python 3.14: do the pins of build-requirements know it?"
        refused = "release.json: remove cpu from 'refused', or say why else than 'no commits'"
        self.run_import(
            0, self.tree, "release.json: run tools/import_official/import_official.py 9.9.0", fresh, refused
        )
        release, pins = self.merged("release.json"), self.pins()
        self.assertEqual((release["pythons"], release["cxx_standard"]), (["3.14"], "20"))
        self.assertNotIn("triton", release)  # the last one's
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
        listed = f"# some\n {ONES[:-1]}3 .\n {ONES[:-1]}2 third_party/moved (v4.5)\n"
        listed += f"{ONES} third_party/more https://known/more\ngone third_party/gone\n"
        says = (
            "Submodules removed, and their pins: 1\n  third_party/gone\n",
            "third_party/more: 1111111111111111111111111111111111111111 of https://known/more",
            "third_party/same: the list does not have it, the pin is the last release's",
            "Options: there is no CMakeLists.txt, so they are the last release's",
        )
        self.run_import(0, None, *says, release="9.9.0", submodules=self.write("list.txt", listed))
        pins = self.pins()
        self.assertEqual(pins["pytorch"]["candidates"], [{"version": "9.9.0", "commit": ONES[:-1] + "3"}])
        self.assertEqual(pins["moved"]["candidates"][0]["version"], "4.5")
        self.assertEqual(pins["same"]["candidates"][1]["commit"], self.commits["same"])
        self.assertEqual(pins["more"]["candidates"][0]["git"], "https://known/more")
        self.assertNotIn("gone", pins)
        self.assertEqual(self.merged("upstream.json")["options"], LAST["upstream.json"]["options"])
        self.assertNotIn("fit the tree", self.text)
        self.run_import(0, None, release="9.9.0", submodules=self.box / "list.txt")  # `gone` again

    def test_address(self):
        """That of .gitmodules, whatever a list that somebody has written says."""
        listed = f"{ONES[:-1]}2 third_party/moved https://fork/moved.git\n"
        self.run_import(0, self.tree, submodules=self.write("list.txt", listed))
        self.assertEqual(self.pins()["moved"]["candidates"][0]["git"], f"{self.box}/upstream/moved")

    def test_nested_alone(self):
        """One whose outer submodule the list does not have is none of PyTorch's own."""
        listed = f"{ONES} .\n{ONES} third_party/gone/new\n{ONES} {UNUSED}/inner\n"
        line = "third_party/gone/new: has no pin: it is inside third_party/gone, which the list does not have"
        self.run_import(0, None, line, release="9.9.0", submodules=self.write("list.txt", listed))
        self.assertFalse({"new", "inner"} & set(self.pins()))
        # What is inside one is where it was, if that is.
        for commit, is_named in ((ONES, self.assertNotIn), (ONES[:-1] + "2", self.assertIn)):
            shutil.rmtree(self.folder)
            listed = self.write("list.txt", f"{ONES} .\n{commit} third_party/moved\n")
            self.run_import(0, None, release="9.9.0", submodules=listed)
            is_named("third_party/moved/inner/Nested: the pin is the last release's", self.text)

    def test_what_a_person_wrote(self):
        """The tree does not overwrite it, nor change its order; what is refused is decided."""
        refused = [{"backends": "cu.*", "why": "w"}]
        facts = {"triton": "4", "refused": refused, "from": "9.8.0", "version": "9.9.0"}
        facts["backends"] = {"official-cpu": {}, "cpu": {}}
        self.write("releases/9.9.0/release.json", facts)
        self.write("releases/9.9.0/sources.json", {"schema": 1, "release": "9.9.0", "sources": {}})
        self.write(self.tree / ".ci/docker/triton_version.txt", "5\n")
        self.write(self.tree / "CMakeLists.txt", "set(CMAKE_CXX_STANDARD 20)")
        self.run_import(0, self.tree, "release.json: triton is 4, and the tree has 5")
        for decided in ("release.json: cuda", "import_official", "no older one has Python"):
            self.assertNotIn(decided, self.text)
        self.assertEqual(str(self.read("release.json")), str({**facts, "cxx_standard": "20"}))
        self.run_import(3, self.tree, "--last is 9.7.10, and 9.9.0 inherits from 9.8.0 already", last="9.7.10")

    def test_backends_of_older_releases(self):
        """What the last release refuses is still to decide for this one, until it says so itself."""
        self.write("releases/9.9.0/release.json", {"version": "9.9.0", "from": "9.8.0", "backends": {"cpu": {}}})
        self.write("releases/9.9.0/sources.json", {"schema": 1, "release": "9.9.0", "sources": {}})
        later = {"version": "9.10.0", "from": "9.9.0", "backends": {}}
        self.write("releases/9.10.0/release.json", later)
        self.write(self.tree / "version.txt", "9.10.0")
        shutil.rmtree(self.tree / "aten")
        unseen = "does not fit the tree: 1\n  whether it does was not looked at: the tree has no sources\n"
        self.run_import(0, self.tree, "release.json: cuda 12.4, which 9.8.0 has: add", unseen)

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
        self.write(self.folder / "release.json", self.read("release.json") | {"sources": ["a page"]})
        self.repository(self.tree, {"version.txt": "9.9.0\n"})
        self.run_import(0, self.tree)
        self.assertEqual(self.read("sources.json")["sources"]["pytorch"]["submodules"][0]["gone"], "since then")
        self.assertEqual(self.pins()["fresh"]["license"], "Zlib")
        self.assertEqual(self.read("release.json")["sources"], ["a page"])
        self.assertNotEqual(self.pins()["pytorch"]["candidates"][0]["commit"], self.commit)
