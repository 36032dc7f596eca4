# SPDX-License-Identifier: BSD-3-Clause
"""engine/model/merge_pins.py: what additions may add to the pins of a release, and the pins of every release with the
project's additions: no unknown licence, no place used twice, no patch unused."""

import json
import shutil

from box import ROOT, BoxTest

from engine.model import merge_pins
from engine.model.data import Data

SCRIPT = "model.merge_pins"
LICENSES = {
    "LicenseRef-NVIDIA-CUDA-Toolkit-EULA",
    "LicenseRef-NVIDIA-NCCL",
    "LicenseRef-NVIDIA-cuDNN",
    "LicenseRef-NVIDIA-cuSPARSELt",
    "Apache-2.0",
    "Apache-2.0 AND Apache-2.0 WITH LLVM-exception AND BSD-3-Clause",
    "Apache-2.0 OR BSD-2-Clause",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSD-3-Clause AND Apache-2.0 WITH LLVM-exception",
    "BSD-3-Clause AND ISC",
    "BSD-3-Clause OR GPL-2.0-only",
    "BSD-3-Clause-Open-MPI",
    "BSL-1.0",
    "LicenseRef-Intel-Simplified-Software-License",
    "MIT",
    "MPL-2.0",
    "PSF-2.0",
}
UPSTREAM = {"version": "1", "commit": "1" * 40, "git": "https://example.org/demo.git"}
ARCHIVE = {"version": "2", "filename": "demo.tar", "sha256": "0" * 64, "distribution": {"package": "demo"}}
PATCH, MORE = {"file": "a.patch", "reason": "a"}, {"file": "b.patch", "reason": "b"}
OF_1 = {"in": "demo", "files": ["a.h"], "license": "MIT", "versions": ["1"]}
OF_2 = {**OF_1, "versions": ["2"]}


class MergePins(BoxTest):
    def setUp(self):
        super().setUp()
        self.pins("release", {"demo": {"license": "MIT", "candidates": [UPSTREAM], "patches": [PATCH]}})
        self.write("release/components.json", {"components": {"both": OF_1}})
        self.write("release/patches/a.patch", "a")

    def pins(self, folder, sources):
        self.write(f"{folder}/sources.json", {"schema": 1, "release": "9.9.0", "sources": sources})

    def merge(self, ends=0, *says, additions=("added",)):
        folders = [self.box / name for name in ("pins", "release", *additions)]
        self.run_python(ends, SCRIPT, *folders, says=says)
        return json.loads((self.box / "pins/sources.json").read_text())["sources"] if ends == 0 else None

    def test_a_folder_with_something_else(self):
        """It is not emptied."""
        mine = [self.write(f"pins/{name}", "mine") for name in ("notes.txt", "patches/own.patch", "below/file")]
        self.write("pins/components.json", "of an earlier release")
        (self.box / "release/components.json").unlink()
        self.merge(additions=())
        self.assertEqual([file.read_text() for file in mine], ["mine"] * 3)
        self.assertFalse((self.box / "pins/components.json").exists())

    def test_a_link_that_became_a_file(self):
        """sed -i makes one of a link. What was changed is not lost."""
        self.merge(additions=())
        link = self.box / "pins/patches/a.patch"
        link.unlink()
        self.write(link, "changed")
        says = f"{link} is not a link to {self.box}/release/patches/a.patch any more"
        self.merge(3, says, f"move what you changed there into that file, and remove {link.parent}", additions=())
        self.assertEqual(link.read_text(), "changed")
        shutil.rmtree(link.parent)
        self.merge(additions=())
        self.assertEqual(link.read_text(), "a")
        own = self.write("own/demo/a.patch", "mine")
        words = f"--patches={self.box}/own", self.box / "pins", self.box / "release"
        self.run_python(0, SCRIPT, *words)
        link = self.box / "pins/patches/demo/a.patch"
        link.unlink()
        self.write(link, "changed")
        self.run_python(3, SCRIPT, *words, says=[f"{link} is not a link to {own} any more", f"remove {link.parent}"])

    def test_patches_of_the_users(self):
        """They come last, below the name of their source, and go when the setting does."""
        self.write("own/demo/a.patch", "mine")
        self.run_python(0, SCRIPT, f"--patches={self.box}/own", self.box / "pins", self.box / "release")
        found = json.loads((self.box / "pins/sources.json").read_text())["sources"]["demo"]["patches"]
        self.assertEqual([patch["file"] for patch in found], ["a.patch", "demo/a.patch"])
        self.assertEqual((self.box / "pins/patches/demo/a.patch").resolve(), self.box / "own/demo/a.patch")
        self.run_python(0, SCRIPT, "--patches=", self.box / "pins", self.box / "release")
        self.assertEqual(self.files("pins"), {"sources.json", "components.json", "patches/a.patch"})

    def test_patches_of_the_users_in_a_copy(self):
        """A copy of a build's pins has them already: those in the setting's folder take their place."""
        for name in "a", "b":
            self.write(f"own/demo/{name}.patch", name)
        words = f"--patches={self.box}/own", self.box / "pins"
        self.run_python(0, SCRIPT, *words, self.box / "release")
        shutil.copytree(self.box / "pins", self.box / "copy")
        (self.box / "own/demo/b.patch").unlink()
        self.run_python(0, SCRIPT, *words, self.box / "copy")
        self.assertNotIn("no effect", self.text)
        found = json.loads((self.box / "pins/sources.json").read_text())["sources"]["demo"]["patches"]
        self.assertEqual([patch["file"] for patch in found], ["a.patch", "demo/a.patch"])
        expected = {"sources.json", "components.json", "patches/a.patch", "patches/demo/a.patch"}
        self.assertEqual(self.files("pins"), expected)
        self.assertEqual((self.box / "pins/patches/demo/a.patch").resolve(), self.box / "own/demo/a.patch")
        self.run_python(0, SCRIPT, "--patches=", self.box / "pins", self.box / "copy")
        self.assertEqual(self.files("pins"), expected | {"patches/demo/b.patch"})

    def test_one_order(self):
        """The same pins are the same file, whatever the order of Python's sets: else fetch would run again."""
        members = {"candidates": [UPSTREAM], "submodules": [{"name": "inner", "path": "inner", "required": True}]}
        inner = {"license": "MIT", "candidates": [ARCHIVE]}
        self.pins("release", {"demo": {"license": "MIT"}, "inner": inner})
        (self.box / "release/patches/a.patch").unlink()
        self.pins("added", {"demo": members | {"patches": [MORE]}})
        self.write("added/patches/b.patch", "b")
        for seed in "0123":
            self.environment(PYTHONHASHSEED=seed)
            self.assertEqual(list(self.merge()["demo"]), ["license", "candidates", "patches", "submodules"])

    def test_addition(self):
        """It comes after the release. What it says about a source that the release does not have is left out."""
        own = {"license": "MIT", "candidates": [ARCHIVE]}
        added = {"demo": {"candidates": [ARCHIVE], "patches": [MORE]}, "own": own, "gone": {"candidates": [ARCHIVE]}}
        self.pins("added", added)
        self.write("added/components.json", {"components": {"both": OF_2, "more": OF_1}})
        self.write("added/patches/b.patch", "b")
        expected = {"license": "MIT", "candidates": [UPSTREAM, ARCHIVE], "patches": [PATCH, MORE]}
        self.assertEqual(self.merge(), {"demo": expected, "own": own})
        components = json.loads((self.box / "pins/components.json").read_text())["components"]
        self.assertEqual(components, {"both": [OF_1, OF_2], "more": OF_1})

        written = (self.box / "pins/sources.json").stat().st_mtime_ns
        self.merge()
        self.assertEqual((self.box / "pins/sources.json").stat().st_mtime_ns, written)
        self.assertEqual((self.box / "pins/patches/b.patch").resolve(), self.box / "added/patches/b.patch")
        self.write("added/patches/c.patch", "c")
        self.merge(0, f"{self.box}/added/patches/c.patch has no effect: no pin names it")
        self.merge(additions=())
        self.assertEqual(self.files("pins"), {"sources.json", "components.json", "patches/a.patch"})

    def test_errors(self):
        file = self.box / "added/sources.json"
        none = f"source demo: there is no patches/b.patch beside {file}"
        for sources, says in (
            ({"demo": {"patches": [MORE]}}, (none, "put it there, or correct 'file' in the pin")),
            (
                {"demo": {"license": "Zlib"}},
                (f"{file}: source demo: an addition may not set 'license'", "remove it: an addition may add"),
            ),
            (
                {"demo": {"candidates": [{}]}},
                (f"{file} cannot be used", "source demo, candidate number 2 has no 'version'"),
            ),
            (
                {"own": {"license": "MIT"}},
                (f"the file of pins {file} cannot be used", "source own has no 'candidates'"),
            ),
        ):
            with self.subTest(says):
                self.pins("added", sources)
                self.merge(3, *says)
        self.pins("added", {})
        for entries, says in (
            ({**OF_1, "licence_files": ["x"]}, "has an unknown member 'licence_files'"),
            ({**OF_1, "in": "dmeo"}, "is in 'dmeo', which has no pin"),
            ({"in": "demo", "license": "MIT"}, "has no 'files'"),
            ({**OF_1, "files": "a.h"}, "has 'files': 'a.h'"),
            (OF_2, "is for demo 2, which no candidate has; there are: 1"),
            ([OF_1, OF_1], "has two entries for demo 1"),
        ):
            with self.subTest(says):
                self.write("added/components.json", {"components": {"typed": entries, "demo": OF_1}})
                self.merge(3, f"{self.box}/added/components.json cannot be used", f"component typed {says}")
                self.assertIn("component demo is a source of the pins, and needs no entry", self.text)
        (self.box / "added/components.json").unlink()
        self.write("added/patches/a.patch", "other")
        name = f"{self.box}/added/patches/a.patch has the name of {self.box}/release/patches/a.patch"
        self.merge(3, name, "give it another one")
        for text, says in (("{}", "has the schema None, not 1"), ('{"schema": 1, "sources": []}', "has no 'sources'")):
            file.write_text(text)
            self.merge(3, f"the file of pins {file} cannot be used", says)
        file.write_text("{")
        self.merge(3, f"{file} is not valid JSON")


class Releases(BoxTest):
    def check_release(self, folder):
        data = Data()
        upstream = merge_pins.merge(data.lineage(folder.name)[::-1])[0]["sources"]
        taken = [name for name, pin in upstream.items() if "distribution" in json.dumps(pin)]
        self.assertEqual(taken, [], "they belong to an addition")
        pins, components, patches = merge_pins.merge(data.pins(folder.name, {}))
        nested = components["components"] if components else {}
        entries = [entry for value in nested.values() for entry in merge_pins.as_list(value)]
        texts = {ROOT / f"third_party/licenses/{text}.txt" for entry in entries for text in entry.get("texts", [])}
        self.assertEqual([text for text in texts if not text.exists()], [])
        self.assertEqual(pins["release"], folder.name)
        used, places = set(), []
        for name, pin in pins["sources"].items():
            for part in [pin, *pin["candidates"]]:
                self.assertIn(part.get("license", "MIT"), LICENSES, name)
            for patch in pin.get("patches", []):
                used.add(patch["file"])
                self.assertTrue(patch["source"] and "upstream" in patch, patch)
            placed = []
            for member in pin.get("submodules", []):
                # A tree takes the place of what was there, so what lies inside another comes after it.
                self.assertFalse([path for path in placed if path.startswith(member["path"] + "/")], member)
                placed.append(member["path"])
            places += [(name, path) for path in placed]
        self.assertEqual(len(places), len(set(places)))
        self.assertEqual(used, set(patches))

    def test_all(self):
        files = list(ROOT.glob("releases/*/sources.json"))
        self.assertTrue(files)
        for file in files:
            with self.subTest(file=str(file)):
                self.check_release(file.parent)
