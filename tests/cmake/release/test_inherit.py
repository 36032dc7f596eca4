# SPDX-License-Identifier: BSD-3-Clause
"""engine/model/inherit.py: a release that is `from` another one has what differs, and everybody sees the whole."""

import json
import re

from box import ROOT, BoxTest

from engine.failure import Failure
from engine.model import inherit, merge_pins
from engine.model.data import Data
from engine.model.difference import difference

OPTIONS = [{"option": "A", "value": "1"}, {"option": "A", "value": "2", "backend": "x"}, {"option": "B", "value": "ON"}]
OLD = {"kept": 1, "gone": 2, "inner": {"a": [1, 2], "b": None}, "options": OPTIONS, "list": [{"option": "A"}]}
FACTS = {"cxx_standard": "17", "pythons": ["3.12"], "backends": {"cpu": {}}}
CANDIDATE = {"version": "1", "commit": "1" * 40, "git": "https://example.org/a.git"}
LATER = {**CANDIDATE, "version": "2", "commit": "2" * 40}


class Values(BoxTest):
    def test_faults(self):
        """Each is one of the file that says it, and with its name."""
        for new, says in (
            ({"other": None}, "f takes 'other' away, which is not inherited\n  correct the name"),
            ({"options": [{"option": "D", "gone": "why"}]}, "f takes 'D' away, which is not inherited"),
            ({"options": [{"option": "B", "backend": "x", "gone": "why"}]}, "f takes 'B, x' away"),
            ({"options": [OPTIONS[1], OPTIONS[1]]}, "f: 'A, x' is twice in one list\n  remove one"),
            (
                {"options": [{"option": ["A"]}]},
                r'f: {"option": \["A"\]} has a name that is not a text\n  its name is in',
            ),
        ):
            with self.subTest(new), self.assertRaisesRegex(Failure, says):
                inherit.merge(OLD, new, "f")


class Chain(BoxTest):
    def setUp(self):
        super().setUp()
        self.release("9.7.0", **FACTS, libtorch_zip="old", cuda={"arch_letters": ["a"]}, sources=["a page"])
        self.release("9.8.0", libtorch_zip=None, **{"from": "9.7.0"}, backends={"cpu": {}, "official-cpu": {}})
        self.release("9.9.0", **{"from": "9.8.0"}, pythons=["3.13"], backends={"cpu": {}})
        self.options("9.7.0", OPTIONS[0], OPTIONS[2])
        self.options("9.9.0", {"option": "B", "gone": "why"}, {"option": "C", "value": "3"})
        self.pins(
            "9.7.0", a={"license": "MIT", "candidates": [CANDIDATE]}, b={"license": "MIT", "candidates": [CANDIDATE]}
        )
        self.pins("9.8.0", a={"candidates": [LATER]})
        self.pins("9.9.0")

    def write(self, path, content="", mode=0o644):
        return super().write(f"more/releases/{path}", content, mode)

    def release(self, version, **facts):
        return self.write(f"{version}/release.json", {"version": version, **facts})

    def options(self, version, *entries):
        self.write(f"{version}/options.json", {"options": entries, **({"features": []} if version == "9.7.0" else {})})

    def pins(self, version, **sources):
        self.write(f"{version}/sources.json", {"schema": 1, "release": version, "sources": sources})

    def data(self):
        return Data(self.box / "more")

    def test_release(self):
        release = self.data().release("9.9.0")
        self.assertEqual((release["cxx_standard"], release["pythons"]), ("17", ["3.13"]))
        self.assertEqual(release["cuda"], {"arch_letters": ["a"]})
        self.assertNotIn("libtorch_zip", release)
        for own in ("sources", "official-cpu"):  # true of another release alone
            self.assertNotIn(own, json.dumps(release))
        self.assertEqual(self.data().release("9.8.0")["pythons"], ["3.12"])
        self.assertEqual(self.data().options("9.9.0", {"kind": "cpu"})[0]["pytorch"], ["A=1", "C=3"])

    def test_a_change_of_what_is_inherited_is_seen(self):
        data = self.data()
        folders = data.pins("9.9.0", {})
        self.assertEqual([one.name for one in folders], ["9.7.0", "9.8.0", "9.9.0"])
        self.assertEqual(data.merged("9.9.0", "sources.json")["sources"]["b"]["candidates"], [CANDIDATE])
        self.pins("9.7.0", **{name: {"license": "MIT", "candidates": [LATER]} for name in "ab"})
        for pins in (merge_pins.merge(folders)[0], data.merged("9.9.0", "sources.json")):
            self.assertEqual(pins["release"], "9.9.0")
            self.assertEqual(pins["sources"]["b"]["candidates"], [LATER])

    def test_additions(self):
        """What one has for a pin stays with it, until a release has another commit."""
        archive = {"version": "1.a", "filename": "a.tar", "sha256": "0" * 64, "url": ["https://example.org/a.tar"]}
        patch = {"file": "a.patch", "reason": "a"}
        folder = self.box / "addition/releases/9.7.0"
        sources = {name: {"candidates": [archive], "patches": [{**patch, "file": f"{name}.patch"}]} for name in "ab"}
        own = {"own": {"license": "MIT", "candidates": [CANDIDATE]}}
        super().write(folder / "sources.json", {"schema": 1, "sources": sources | own})
        component = {"files": ["x"], "license": "MIT"}
        nested = {f"in-{name}": {"in": name, "versions": ["1.a"], **component} for name in "ab"}
        super().write(folder / "components.json", {"components": nested})
        for name in "ab":
            super().write(folder / f"patches/{name}.patch", "")
        data = self.data()
        data.folders.append(self.box / "addition")
        pins, components, patches = merge_pins.merge(data.pins("9.9.0", {}))
        versions = {name: [one["version"] for one in pin["candidates"]] for name, pin in pins["sources"].items()}
        self.assertEqual(versions, {"a": ["2"], "b": ["1", "1.a"], "own": ["1"]})
        self.assertEqual((list(components["components"]), list(patches)), (["in-b"], ["b.patch"]))
        self.pins("9.8.0", a=None)
        pins, components, _ = merge_pins.merge(data.pins("9.9.0", {}))
        self.assertEqual(set(pins["sources"]), {"b", "own"})

    def test_options_of_additions(self):
        """One stays until a release names the option."""
        for version, names in (("9.7.0", "ABX"), ("9.8.0", "Y"), ("9.9.0", "Z")):
            entries = [{"option": name, "value": "of addition"} for name in names]
            super().write(f"addition/releases/{version}/options.json", {"options": entries})
        data = self.data()
        data.folders.append(self.box / "addition")
        for version, names in (("9.9.0", "AXYZ"), ("9.8.0", "ABXY"), ("9.7.0", "ABX")):
            of_release = {"9.9.0": ["C=3"]}.get(version, [])
            expected = sorted([*(f"{name}=of addition" for name in names), *of_release])
            self.assertEqual(sorted(data.options(version, {"kind": "cpu"})[0]["pytorch"]), expected)

    def test_files_at_fault(self):
        """The one whose entry it is, and not each that has an entry for the source."""
        folder = self.box / "more/releases"
        patch = {"file": "a.patch", "reason": "a"}
        for version, sources, says in (
            ("9.7.0", {"b": {"candidates": [{**CANDIDATE, "commit": "1"}]}}, "9.7.0/sources.json cannot be used"),
            ("9.9.0", {"b": {"candidates": [{**CANDIDATE, "commit": "1"}]}}, "9.9.0/sources.json cannot be used"),
            ("9.7.0", {"b": {"patches": [patch]}}, "no patches/a.patch beside .*9.7.0/sources.json\n"),
        ):
            self.pins("9.8.0", b={"homepage": "h"})
            self.pins("9.9.0", a={"candidates": [LATER]})
            good = {"license": "MIT", "candidates": [CANDIDATE]}
            self.pins("9.7.0", a=good, b=good | (sources["b"] if version == "9.7.0" else {}))
            if version != "9.7.0":
                self.pins(version, **sources)
            with self.subTest(says), self.assertRaisesRegex(Failure, f"(pins|beside) {folder}/{version}/sou") as raised:
                merge_pins.merge(self.data().pins("9.9.0", {}))
            self.assertRegex(str(raised.exception), says)
        self.pins("9.8.0", b={"homepage": 1})
        self.pins("9.7.0", a={"candidates": [CANDIDATE]}, b={"license": "MIT", "candidates": [CANDIDATE]})
        self.pins("9.9.0", a={"candidates": [LATER]})
        with self.assertRaisesRegex(Failure, f"pins {folder}/9.9.0/sources.json, {folder}/9.8.0/sources.json cannot"):
            merge_pins.merge(self.data().pins("9.9.0", {}))  # no licence in the newest of a, a number in b
        self.pins("9.8.0")
        self.pins("9.7.0", **{name: {"license": "MIT", "candidates": [CANDIDATE]} for name in "ab"})
        self.write("9.8.0/components.json", {"components": {"c": {"in": "b", "files": "x", "license": "MIT"}}})
        with self.assertRaisesRegex(Failure, f"^{folder}/9.8.0/components.json cannot be used"):
            merge_pins.merge(self.data().pins("9.9.0", {}))

    def test_patches(self):
        """One of the release's own goes before an inherited one of its name; one that is gone is not there."""
        pin = {"license": "MIT", "candidates": [CANDIDATE]}
        names = [{"file": f"{name}.patch", "reason": name} for name in ("same", "gone")]
        self.pins("9.7.0", a={**pin, "patches": names})
        self.pins("9.9.0", a={"patches": [{"file": "gone.patch", "gone": "is in"}]})
        for path in ("9.7.0/patches/same.patch", "9.7.0/patches/gone.patch", "9.9.0/patches/same.patch"):
            self.write(path, path)
        _, _, patches = merge_pins.merge(self.data().pins("9.9.0", {}))
        self.assertEqual(
            {name: file.read_text() for name, file in patches.items()}, {"same.patch": "9.9.0/patches/same.patch"}
        )

    def test_refused(self):
        """Each reason is its own."""
        entries = [{"backends": "cpu", "artifacts": "wheel.*", "why": "first"}, {"backends": "cu.*", "why": "second"}]
        self.release("9.9.0", **FACTS, refused=entries)
        data = self.data()
        release = data.release("9.9.0")
        (cpu,) = data.backends(release)
        rows = data.artifacts(release, cpu, "")
        self.assertTrue("conda-py312" in rows and "wheel-py312" not in rows, rows.keys())
        self.assertEqual(data.refused(release, "cpu"), [entries[0]])
        self.assertEqual(data.refused(release, "cu124"), [{"artifacts": ".*", **entries[1]}])
        self.assertEqual(data.refused(release, "official-cuda"), [])
        self.release("9.9.0", **FACTS, refused=[{"backends": "cpu"}])
        with self.assertRaisesRegex(Failure, "'refused' has no member 'why'\n  add it, of type STRING"):
            data.release("9.9.0")

    def test_errors(self):
        self.release("9.10.0", **FACTS)
        for origin, says in (
            ("9.6.0", "is from 9.6.0, which has no release.json\n  name a release that it can inherit from"),
            ("9.9.0", "is from 9.9.0, which is not older\n  name"),
            ("9.8.0", "is from 9.8.0, which is not older\n  name"),
            ("9.10.0", "is from 9.10.0, which is not older\n  name"),
            ("../releases/9.7.0", "is from ../releases/9.7.0, which has no release.json"),
            ("", "is from , which has no release.json"),
            (9, "'from' in .*9.8.0/release.json is of type NUMBER"),
        ):
            with self.subTest(origin), self.assertRaisesRegex(Failure, says):
                self.release("9.8.0", **{"from": origin}, **FACTS)
                self.data().release("9.9.0")


class Shipped(BoxTest):
    def test_nothing_is_there_twice(self):
        """A file says what differs and no more, as the importers write it."""
        data = Data()
        checked = 0
        for file in sorted(ROOT.glob("releases/*/*.json")):
            version, old = file.parent.name, data.inherited(file.parent.name, file.name)
            if old and file.name != "upstream_versions.json":
                with self.subTest(file=str(file)):
                    checked += 1
                    own = json.loads(file.read_text())
                    expected = difference(old, data.merged(version, file.name), file, own)
                    self.assertEqual(own, expected)
        self.assertGreater(checked, 3)

    def test_symbols(self):
        """2.11.0's file has the one function that it exports besides."""
        old, new = (Data().merged(version, "symbols.json") for version in ("2.9.1", "2.11.0"))
        self.assertEqual([entry["library"] for entry in old["exported"]], ["protobuf and ONNX", "SLEEF", "Kineto"])
        self.assertEqual(new["exported"][:-1], old["exported"])
        self.assertEqual(new["exported"][-1]["names"], ["_ZN4gloo7Context10setTimeout"])
        self.assertEqual({**new, "exported": []}, {**old, "exported": []})

    def test_nccl_is_that_of_the_wheel(self):
        """Nothing of the tree names its commit, so that of the release before is inherited if nobody looks."""
        for file in sorted(ROOT.glob("releases/*/upstream_versions.json")):
            pin = Data().merged(file.parent.name, "sources.json")["sources"].get("nccl")
            with self.subTest(release=file.parent.name):
                wanted = re.search(r"nvidia-nccl[^=]*==([0-9.]+)", file.read_text())[1]
                self.assertIn(wanted, [one["version"] for one in pin["candidates"]] if pin else wanted)
