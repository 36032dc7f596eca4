# SPDX-License-Identifier: BSD-3-Clause
"""tools/import_official on wheels that are nowhere: which of those that pip resolved get a pin."""

import json
import os
import re
import unittest
from unittest import mock

from box import ROOT, BoxTest, make_wheel

import import_official

from engine.model.data import Data


class Stand:
    """A wheel with a library, or with headers only."""

    def __init__(self, entry):
        self.name = entry["metadata"]["name"]
        self.file = self.name + ".whl"

    def libraries(self):
        return [] if "cccl" in self.name else ["nvidia/lib/libx.so.1"]

    def candidate(self, **members):
        return {"filename": self.file, **members}


def resolved(*names):
    return [{"metadata": {"name": name}} for name in names]


@mock.patch.object(import_official, "Wheel", Stand)
class Pins(BoxTest):
    def setUp(self):
        super().setUp()
        lists = mock.patch.object(import_official, "LISTS", self.write("lists.json", {"old.whl": "old/lib"}))
        lists.start()
        self.addCleanup(lists.stop)

    def test_libraries_of_nvidia_get_pins(self):
        pins = import_official.pins_of_nvidia(
            resolved("torch", "nvidia-cudnn-cu13", "nvidia-cuda-cccl", "nvidia-cublas"), ""
        )
        self.assertEqual(set(pins), {"nvidia-cudnn", "nvidia-cublas"})
        self.assertEqual(pins["nvidia-cudnn"]["license"], "LicenseRef-NVIDIA-cuDNN")
        self.assertEqual(pins["nvidia-cudnn"]["candidates"], [{"filename": "nvidia-cudnn-cu13.whl"}])
        expected = {"nvidia-cublas.whl": "nvidia/lib", "nvidia-cudnn-cu13.whl": "nvidia/lib", "old.whl": "old/lib"}
        self.assertEqual(json.loads((self.box / "lists.json").read_text()), expected)
        # A libtorch for the CPU of aarch64 has no RPATH to these.
        pins = import_official.pins_of_nvidia(resolved("nvidia-cuda-cupti", "nvidia-cublas"), "-aarch64")
        self.assertEqual(set(pins), {"nvidia-cuda-cupti-aarch64"})
        self.assertEqual(json.loads((self.box / "lists.json").read_text()), expected)

    def test_an_unknown_one(self):
        with self.assertRaisesRegex(SystemExit, "libraries.json does not know nvidia-new, which the wheel requires"):
            import_official.pins_of_nvidia(resolved("nvidia-cublas", "nvidia-new-cu13"), "")

    def test_members_are_not_downloaded_again(self):
        torch = mock.Mock(members=[])
        torch.text.return_value = f"git_version = '{'0' * 40}'"
        torch.candidate.return_value = whole = {"sha256": "1" * 64}
        known = {"torch-cpu": {"candidates": [{"sha256": "2" * 64}, whole]}}
        pins = import_official.pins_of_torch(torch, "", known)
        self.assertEqual(pins["torch-cpu"], known["torch-cpu"])
        self.assertEqual(pins["torch-cuda"]["candidates"], [whole])
        torch.candidate_of.assert_not_called()
        known["torch-cpu"]["candidates"][1] = {"sha256": "3" * 64}
        torch.candidate_of.return_value = {"sha256": "4" * 64}
        pins = import_official.pins_of_torch(torch, "", known)
        self.assertEqual(pins["torch-cpu"]["candidates"], [{"sha256": "4" * 64}, whole])


class Facts(BoxTest):
    def test_of_a_release_that_is_there(self):
        """After import_release: what is inherited says nothing of this wheel, and what a person wrote stays."""
        last = {"version": "1.0.0", "pythons": ["3.9"], "triton": "2", "backends": {}}
        self.write("releases/1.0.0/release.json", last)
        mine = {"version": "1.1.0", "from": "1.0.0", "cxx_standard": "20", "backends": {"cpu": {}}}
        folder = self.write("releases/1.1.0/release.json", mine).parent
        torch = mock.Mock(version="1.1.0", metadata={"requires_dist": ["sympy", "triton==3.5.1; os_name == 'posix'"]})
        torch.text.return_value = "CXX_STANDARD 17"
        data = Data()
        data.folders = [self.box]
        with mock.patch.object(import_official, "Data", lambda: data):
            with mock.patch.object(import_official, "pythons", return_value=["3.10", "3.14"]):
                facts = import_official.facts_of(folder, torch, "-aarch64")
        read_in = {"sources": ["the official wheel, read by tools/import_official"], "triton": "3.5.1"}
        backends = {"cpu": {}, "official-aarch64": {}}
        self.assertEqual(facts, {**mine, **read_in, "pythons": ["3.10", "3.14"], "backends": backends})

    def test_of_the_shipped_releases(self):
        """Imported again, each is what it was: what it inherits in part, such as facts on CUDA, is not lost."""
        for folder in sorted(folder.parent for folder in ROOT.glob("releases/*/release.json")):
            with self.subTest(folder.name):
                shipped = Data().merged(folder.name, "release.json")
                torch = mock.Mock(version=folder.name)
                required = json.loads((folder / "upstream_versions.json").read_text())["requires_dist"]
                torch.metadata = {"requires_dist": required}
                torch.text.return_value = "CXX_STANDARD " + shipped["cxx_standard"]
                read = {"pythons": shipped["pythons"], "cuda_of": shipped["backends"]["official-cuda"]}
                with mock.patch.multiple(
                    import_official, **{name: mock.Mock(return_value=read[name]) for name in read}
                ):
                    found = import_official.facts_of(folder, torch, "")
                self.assertEqual(found, shipped)
                self.assertEqual(list(found["backends"]), list(shipped["backends"]))
                own = [name for name, value in json.loads((folder / "release.json").read_text()).items() if value]
                self.assertEqual(list(found)[: len(own)], own)

    def test_what_is_no_release(self):
        """pip would take it for one, so all would get into a folder of this name."""
        for version in ("2.9", "v2.9.1", "2.9.1+cpu"):
            line = f"error: {version} is not three numbers\n  name a release as 9.9.0\n"
            self.run_python(2, "tools/import_official/import_official.py", "2.9.1", version, says=[line])


class Requirements(BoxTest):
    def test_versions_that_releases_have_in_common(self):
        """Or each import would pin again what has a newer version since the last one."""
        for version in ("1.0", "2.0"):
            make_wheel(self.box / f"wheels/common-{version}-py3-none-any.whl", {"common.py": ""})
        for version, more in (("1.0", ""), ("2.0", ">=2")):
            requires = f"Requires-Dist: common{more}\n"
            make_wheel(self.box / f"wheels/wants-{version}-py3-none-any.whl", {"wants.py": ""}, requires)
        self.environment(PIP_NO_INDEX="1", PIP_FIND_LINKS=(self.box / "wheels").as_uri())
        common = self.write("common.txt", f'common==1.0 ; python_version >= "3" \\\n    --hash=sha256:{"0" * 64}\n')
        with mock.patch.object(import_official, "COMMON", common):
            for version in ("1.0", "2.0"):
                with self.subTest(version):
                    report = import_official.resolve([f"wants=={version}"], "x86_64")
                    found = {entry["metadata"]["name"]: entry["metadata"]["version"] for entry in report}
                    self.assertEqual(found, {"wants": version, "common": version})

    def test_what_differs(self):
        """What all releases have is not said again."""
        entries = [
            {
                "metadata": {"name": name, "version": "1"},
                "download_info": {"archive_info": {"hashes": {"sha256": sha256}}},
            }
            for name, sha256 in (("Some_Thing", "1" * 64), ("filelock", "2" * 64), ("nvidia-x", "3" * 64))
        ]
        common = self.write("backend/common.txt", f"filelock==1 --hash=sha256:{'2' * 64}\n")
        folder = self.write("releases/2/release.json").parent / "wheel_check"
        with mock.patch.object(import_official, "COMMON", common):
            import_official.write_libraries(folder, entries, {"x": {"candidates": [{"sha256": "3" * 64}]}})
        text = (folder / "libraries.txt").read_text()
        self.assertEqual(re.findall("(?m)^[^# ]+==.*", text), ["some-thing==1 \\"])
        self.assertEqual(os.listdir(folder), ["libraries.txt"])


class Shipped(unittest.TestCase):
    def test_no_links_for_the_check_of_a_wheel(self):
        """They are text where a checkout, or what unpacks an archive, makes none."""
        self.assertEqual([file for file in ROOT.glob("releases/*/wheel_check/*") if file.is_symlink()], [])

    def test_what_wheels_require_is_pinned(self):
        """Or the check of a wheel would install it and not use it."""
        files = sorted(ROOT.glob("releases/*/upstream_versions.json"))
        self.assertGreater(len(files), 12)
        for file in files:
            pins = Data().merged(file.parent.name, "sources.json")["sources"]
            pinned = [pin["candidates"][0].get("python-index", {}).get("project") for pin in pins.values()]
            for text in [import_official.COMMON, *file.parent.glob("wheel_check/*.txt")]:
                pinned += re.findall("(?m)^([^# =]+)==", text.read_text())
            for line in json.loads(file.read_text())["requires_dist"]:
                if "extra ==" not in line:
                    with self.subTest(release=file.parent.name, requirement=line):
                        self.assertIn(re.match(r"[\w.-]+", line)[0].replace("_", "-").lower(), pinned)
