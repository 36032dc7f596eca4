# SPDX-License-Identifier: BSD-3-Clause
"""tools/import_release on the shipped release: imported over itself nothing changes, and of a newer PyTorch exactly that
changes which upstream changed. The trees have upstream's file names; submodules.txt has the submodules. (test_release.py: what
becomes of a commit.)"""

import json
import pathlib
import re
import shutil

from box import ROOT, BoxTest

from engine.model.data import Data
from engine.model.merge_pins import merge

HERE = pathlib.Path(__file__).parent
LAST = ROOT / "releases/2.6.0"  # the one that submodules.txt is of
UNKNOWN = "0" * 40
DEPENDENT = re.compile(r"(.*) if (.*), else (.*)")


def rows():
    """(path, repository, commit in 2.9.1)"""
    lines = (HERE / "submodules.txt").read_text().splitlines()
    return [line.split() for line in lines if not line.startswith("#")]


def option_commands(options):
    """A CMakeLists.txt with these options."""
    for name, defaults in options.items():
        for default in defaults.split("; or "):
            match = DEPENDENT.fullmatch(default)
            if match:
                yield 'cmake_dependent_option(%s "" %s "%s" %s)' % (name, *match.groups())
            else:
                yield 'option(%s "" "%s")' % (name, default)


class ImportOfShipped(BoxTest):
    def setUp(self):
        super().setUp()
        shutil.copytree(LAST, self.box / "releases" / LAST.name)
        for addition in ROOT.glob(f"additions/*/releases/{LAST.name}"):
            shutil.copytree(addition, self.box / addition.relative_to(ROOT))
        self.last = self.read(LAST.name, "sources.json")
        upstream = self.read(LAST.name, "upstream.json")
        self.options = "".join(line + "\n" for line in option_commands(upstream["options"]))
        self.pinned = {path: name for path, name in upstream["packages"].items()}
        self.pinned |= {member["path"]: member["name"] for member in self.last["pytorch"]["submodules"]}
        self.pinned["third_party/ideep"] = "ideep"

    def read(self, version, name):
        content = self.data().merged(version, name)
        return content["sources"] if name == "sources.json" else content

    def data(self):
        data = Data()
        data.folders = [self.box, *sorted(self.box.glob("additions/*"))]
        return data

    def commit(self, path):
        pin = self.last.get(self.pinned.get(path), {"candidates": []})
        return next((one["commit"] for one in pin["candidates"] if "commit" in one), UNKNOWN)

    def tree(self, version, standard, modules):
        """A tree with {path: (repository, commit)}, whose commits are in status.txt beside it."""
        text = '[submodule "%s"]\n    path = %s\n    url = https://github.com/%s\n'
        own = [(path, path, repository) for path, (repository, _) in modules.items() if repository != "-"]
        status = "".join(f" {commit} {path} (v1)\n" for path, (_, commit) in modules.items())
        self.write("tree/.gitmodules", "".join(text % module for module in own))
        self.write("tree/version.txt", version + "a0\n")
        self.write("tree/CMakeLists.txt", f"set(CMAKE_CXX_STANDARD {standard})\n{self.options}")
        self.write("status.txt", status)

    def run_import(self, *words, says=()):
        script = "tools/import_release/import_release.py"
        places = ("--releases", self.box / "releases", "--source", self.box / "tree")
        self.run_python(0, script, *places, "--submodules", self.box / "status.txt", *words, says=says)

    def contents(self):
        folders = [self.box / "releases", self.box / "additions"]
        return {path: path.read_bytes() for folder in folders for path in folder.rglob("*") if path.is_file()}

    def test_over_itself(self):
        release = self.read(LAST.name, "release.json")
        now = {path: (repository, self.commit(path)) for path, repository, later in rows() if later[0] != "+"}
        self.tree(LAST.name, release["cxx_standard"], now)
        self.write("tree/.ci/docker/triton_version.txt", release["triton"] + "\n")
        before = self.contents()
        self.run_import()
        self.assertEqual(self.contents(), before)
        for title in ("Submodules added", "Submodules removed", "Pins", "Options"):
            self.assertNotIn(title, self.text)

    def test_newer(self):
        later = {
            path: (repository, self.commit(path) if commit == "=" else commit.removeprefix("+"))
            for path, repository, commit in rows()
            if commit != "-"
        }
        self.tree("2.9.1", "17", {**later, ".": ("-", "3" * 40)})
        self.write("tree/third_party/eigen_pin.txt", "3.4.0\n")
        self.write("tree/.ci/docker/ci_commit_pins/nccl-cu12.txt", "v2.27.5-1\n")
        self.write("tree/.ci/docker/triton_version.txt", "3.5.1\n")
        self.write("tree/aten/src/ATen/native/LegacyBatching.cpp")
        kept = self.contents()
        self.run_import(
            says=(
                "to left_out in upstream.json): 2\n  third_party/aiter: 01aae101b9e5",
                "third_party/flash-attention: 979702c87a87",
                f"third_party/sleef: 5a1d179df9cf652951b59010a2d2075372d67f68, was {self.commit('third_party/sleef')}",
                "third_party/fbgemm: its submodule third_party/asmjit lies in external/asmjit now",
                "asmjit: license_files of fbgemm lies in external/asmjit now",
                "asmjit: was for fbgemm dbc3157, and is now for 4b39c55: look at its licence",
                "nccl: .ci/docker/ci_commit_pins/nccl-cu12.txt names 2.27.5, the pin is 2.21.5",
                "components.json: qnnpack: pytorch has no aten/src/ATen/native/quantized/cpu/qnnpack/",
                "patches/pytorch-sleef-package.patch: does not apply",
                "pytorch/unity_groups.txt: 924 of 1451 sources are gone",
            )
        )
        self.assertEqual({path: content for path, content in self.contents().items() if path in kept}, kept)
        pins = self.read("2.9.1", "sources.json")
        # Nothing else of a pin changes: licences, patches, whether it is required.
        official = {name for name in self.last if re.match("(torch|nvidia)-", name)}
        for name, pin in self.last.items():
            for member in set(pin) - {"candidates"} if name not in {"pytorch", "eigen", *official} else ():
                self.assertEqual(pins[name][member], pin[member], name)
        for name in ("protobuf", "python-peachpy", "nccl", "ittapi"):
            self.assertEqual(pins[name]["candidates"] == self.last[name]["candidates"], name != "ittapi", name)
        self.assertEqual(set(pins) - set(self.last), {"aiter", "flash-attention"})
        self.assertEqual(set(self.last) - set(pins), official | {"eigen"})  # import_official.py writes this release's
        self.assertEqual(pins["fbgemm"]["candidates"][0]["complete"], ["external/asmjit"])
        asmjit = self.read("2.9.1", "components.json")["components"]["asmjit"]
        self.assertEqual((asmjit["files"], asmjit["versions"]), (["external/asmjit/"], ["4b39c55"]))

        release = self.read("2.9.1", "release.json")
        self.assertEqual((release["version"], release["triton"]), ("2.9.1", "3.5.1"))
        self.assertEqual((release["from"], release["backends"]), (LAST.name, {"cpu": {}}))
        self.assertNotIn("third_party/nccl/nccl", self.read("2.9.1", "upstream.json")["left_out"])
        # Nothing is there twice.
        size = sum(len(path.read_text().splitlines()) for path in (self.box / "releases/2.9.1").rglob("*.*"))
        self.assertLess(size, 150)

        # What an addition has for a pin stays with the pin.
        own = self.box / "releases/2.9.1/sources.json"
        content = json.loads(own.read_text())
        content["sources"]["pytorch"]["candidates"] = self.last["pytorch"]["candidates"]
        self.write(own, content)
        merged, components, patches = merge(self.data().pins("2.9.1", {}))
        versions = {name: [one["version"] for one in pin["candidates"]] for name, pin in merged["sources"].items()}
        self.assertEqual(versions["fp16"], ["4dfe081", "20200514"])
        self.assertEqual(versions["fmt"], ["40626af"])
        self.assertIn("lapack", versions)
        self.assertNotIn("pytorch-flatbuffers-23.patch", patches)
