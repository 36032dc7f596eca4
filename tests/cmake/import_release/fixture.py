# SPDX-License-Identifier: BSD-3-Clause
"""A made-up PyTorch 9.9.0 with submodules, the release 9.8.0 before it, and tools/import_release/import_release.py on
them."""

import json

from box import RepositoryTest, need

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


class ImportTest(RepositoryTest):
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
        self.commit = self.repository(
            self.tree, {"version.txt": "9.9.0a0\n", "CMakeLists.txt": OPTIONS, "aten/a.h": ""}, links
        )
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
