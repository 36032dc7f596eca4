# SPDX-License-Identifier: BSD-3-Clause
"""A build folder with a package "pytorch" that is really compiled, with Ninja, and recorded; its pins; and the gate on it:

own.c, own.h, copied.h (mentions another licence), third_party/placed (a placed source) and external/jit in it,
third_party/held (one that is inside, with a choice of licences in LICENSES/), third_party/spare (a placed source of which
nothing goes in), third_party/nested (in none), third_party/nested/inner.h (a header only), third_party/whole (linked as a whole
archive), by_hand.c (compiled by a command that records nothing), and third_party/unused, which is compiled and not linked;
include/shipped.h is installed and in no object.
"""

import shutil
import subprocess
import sys
from unittest import mock

from box import ROOT, BoxTest

from engine.sbom import make_sbom

NINJA = shutil.which("ninja") or shutil.which("ninja-build")
SHA256, TREE_SHA256 = "ab" * 32, "cd" * 32
HEADERS = ROOT / "packaging/sbom/platform_headers.txt"
SOURCES = {
    "LICENSE": "the licence of the whole\n",
    # NCCL's way to say two licences. errno.h leads to the kernel's headers, which are links on some machines.
    "own.c": """\
// SPDX-License-Identifier: BSD-3-Clause and BSD-3
#include "own.h"
#include "copied.h"
#include <placed.h>
#include <errno.h>
#include <stdio.h>
int own(void) { return 1; }
""",
    "own.h": "int own(void);\n",
    "by_hand.c": "int by_hand(void) { return 3; }\n",
    "copied.h": "/* Copyright Somebody\n * Boost Software License, Version 1.0 */\n\nint unrelated;\n",
    "include/shipped.h": "// Copyright Shipper\n// SPDX-License-Identifier: ISC\n",
    "third_party/held/LICENSES/Zlib.txt": "the licence of held\n",
    "third_party/held/LICENSES/GPL-2.0-only.txt": "what was not chosen\n",
    "third_party/nested/inner.h": '#include "outer.h"\n',
    "CMakeLists.txt": """\
cmake_minimum_required(VERSION 3.18)
project(p LANGUAGES C)
include_directories(${OUTER})
include_directories(SYSTEM third_party/placed)
add_library(placed STATIC third_party/placed/placed.c third_party/placed/external/jit/jit.c third_party/held/held.c)
add_library(nested OBJECT third_party/nested/nested.c)
add_library(whole STATIC third_party/whole/whole.c)
add_library(unused STATIC third_party/unused/unused.c)
add_custom_command(
  OUTPUT by_hand.o
  COMMAND ${CMAKE_C_COMPILER} -fPIC -c ${CMAKE_CURRENT_SOURCE_DIR}/by_hand.c -o by_hand.o
  DEPENDS by_hand.c
)
add_library(torch SHARED own.c $<TARGET_OBJECTS:nested> by_hand.o)
set_property(TARGET placed nested whole PROPERTY POSITION_INDEPENDENT_CODE ON)
target_link_libraries(torch PRIVATE placed "-Wl,--whole-archive,\\"$<TARGET_FILE:whole>\\" -Wl,--no-whole-archive" m)
add_dependencies(torch whole)
install(TARGETS torch unused DESTINATION lib)
install(FILES include/shipped.h own.h DESTINATION include)
""",
}
for path in ("placed", "placed/external/jit", "held", "nested", "whole", "unused", "spare"):
    folder, name = f"third_party/{path}", path.rpartition("/")[2]
    if name != "held":
        SOURCES[f"{folder}/LICENSE.txt"] = f"the licence of {name}\n"
    more = '#include "inner.h"\n' if name == "nested" else ""
    SOURCES[f"{folder}/{name}.h"] = f"int {name}(void);\n"
    SOURCES[f"{folder}/{name}.c"] = f'#include "{name}.h"\n{more}int {name}(void) {{ return 2; }}\n'

PACKAGE = {"name": "pytorch", "source": "pytorch", "build_system": "cmake", "depends": [], "license_files": ["LICENSE"]}
PACKAGE["declared_in"] = "superbuild/pytorch.cmake"
PACKAGE["place"] = [f"{name}=third_party/{name}" for name in ("placed", "held", "gone", "spare")]
FETCHED = {
    "pytorch": {"status": "ok", "version": "9.1", "sha256": SHA256, "license": "BSD-3-Clause", "provider": "upstream"},
    "placed": {
        "status": "ok",
        "version": "20200101",
        "commit": "c0ffee",
        "license": "LicenseRef-Placed",
        "provider": "git",
    },
    "spare": {"status": "ok", "version": "1", "commit": "5a", "license": "MIT"},
    "gone": {"status": "missing"},
    "held": {"status": "included", "in": "pytorch"},
}
MANIFEST = {
    "bundled": [{"name": "libgomp.so.1", "from": "libgomp.so.1.0.0", "file": "libgomp.so.1"}],
    "packages": [{"name": "pytorch", "patches": [{"file": "own.patch", "source": "pytorch", "reason": "why"}]}],
}
ARTIFACT = {"name": "a", "product": "libtorch", "package": "pytorch", "version": "9.1+cpu", "preset": "a-preset"}
ARTIFACT.update({"file": "libtorch-9.1+cpu.zip", "linkage": "shared", "deps": "with-deps"})
ARTIFACT["target"] = {"conda_subdir": "linux-here"}


def pin(license, version, **candidate):
    return {"license": license, "candidates": [{"version": version, **candidate}]}


PINS = {
    "pytorch": pin("BSD-3-Clause", "9.1", git="https://github.com/PyTorch/pytorch.git", sha256=SHA256),
    "placed": pin("LicenseRef-Placed", "20200101", git="https://example.org/placed.git", commit="c0ffee"),
    "gone": pin("MIT", "1", sha256="00"),
    "spare": pin("MIT", "1", commit="5a"),
    "held": pin("Zlib OR GPL-2.0-only", "4.5", git="https://github.com/h/held.git", commit="beef"),
}
PINS["pytorch"]["homepage"] = "https://pytorch.org"


def component(files, license, source="pytorch", **more):
    return {"in": source, "files": [files], "license": license, **more}


NESTED = {
    "version": "3.1",
    "license_files": ["third_party/nested/LICENSE.txt"],
    "homepage": "https://github.com/a/nested",
}
JIT = {"versions": ["20200101"], "license_files": ["external/jit/LICENSE.txt"]}
COMPONENTS = {
    "copied": component("copied.h", "BSL-1.0", texts=["BSL-1.0"]),
    "shipped": component("include/*.h", "ISC"),
    "nested": component("third_party/nested/", "MIT OR Zlib", **NESTED),
    "jit": component("external/jit/", "Zlib", "placed", **JIT),
    "whole": component("third_party/whole/", "MIT", license_files=["third_party/whole/LICENSE.txt"]),
    "unused": component("third_party/unused/", "MIT", texts=["BSL-1.0"]),
}


class SbomTest(BoxTest):
    def setUp(self):
        super().setUp()
        self.environment(SOURCE_DATE_EPOCH=None)
        self.pins = self.box / "pins"
        self.third_party = ROOT / "third_party"

    def make_build(self, name="a build", **more_sources):
        """Sets `build`, `package` (its folder there), `record` (of what is linked) and `tree` (what is packed)."""
        self.build, self.package, self.tree = (self.box / name / below for below in ("", "packages/pytorch", "package"))
        self.record = self.package / "install/share/torch-superbuild/linked.json"
        for path, text in {**SOURCES, **more_sources}.items():
            self.write(self.package / "source" / path, text)
        # A header of the machine: of no package, and not of the platform.
        self.write("machine/outer.h", "int outer(void);\n")
        source, build, install = (self.package / folder for folder in ("source", "build", "install"))
        options = [f"-DCMAKE_MAKE_PROGRAM={NINJA}", f"-DOUTER={self.box}/machine", f"-DCMAKE_INSTALL_PREFIX={install}"]
        self.run_program(0, "cmake", "-S", source, "-B", build, "-G", "Ninja", *options)
        self.run_program(0, "cmake", "--build", build)
        self.run_program(0, "cmake", "--install", build)
        self.write(self.build / "settings.json", {"python": sys.executable, "ninja": NINJA})
        places = {"SOURCE": source, "BUILD": build, "INSTALL": install}
        folders = [f"-DTSB_{name}_DIR={folder}" for name, folder in places.items()]
        self.run_program(0, "cmake", *folders, "-P", ROOT / "packaging/sbom/record_linked.cmake")

        self.write(self.package / "package.json", {**PACKAGE, "pins": f"{self.pins}/sources.json"})
        self.write_sources(FETCHED)
        for library, text in (("libtorch.so", "a library\n"), ("libgomp.so.1", "another\n")):
            self.write(self.tree / "lib" / library, text)
        (self.tree / "lib/libtorch.so.9").symlink_to("libtorch.so")
        self.write(self.tree / "manifest.json", MANIFEST)
        owner = {"package": "libgomp1", "version": "12.2", "text": "libgomp/copyright"}
        inside = {"packages": ["pytorch"], "owners": {"libgomp.so.1.0.0": owner}, "libraries": None}
        self.write(self.build / "inside.json", inside)
        self.write_artifact()

    def write_artifact(self, **changes):
        self.artifact = {**ARTIFACT, "build_folder": str(self.build), **changes}
        self.write(self.build / "artifacts/a.json", self.artifact)

    def write_sources(self, fetched):
        entries = {name: {"commit": "", "sha256": "", **entry} for name, entry in fetched.items()}
        for name in [name for name in entries if "tree_sha256" not in entries[name]]:
            entries[name]["candidate"] = PINS[name]["candidates"][0]
        self.write(self.package / "sources.json", entries)

    def declare(self, without=None, **extra):
        """Pins, a patch and components.json."""
        self.write("pins/patches/own.patch", "--- a/own.c\n+++ b/own.c\n")
        self.write(self.package / "pins.json", PINS)
        components = {name: entry for name, entry in {**COMPONENTS, **extra}.items() if name != without}
        self.write("pins/components.json", {"schema": 1, "components": components})

    def collect(self):
        """The texts of the sources, as the package's phases collect them. What is found then is tested in test_sources."""
        words = ["--package", self.package, "--third-party", ROOT / "third_party"]
        words += ["--collect", self.package / "licenses"]
        subprocess.run([sys.executable, "-B", ROOT / "engine", "sbom.check_sources", *words], capture_output=True)

    def make_bill(self, ends, *options, says=(), strict=False):
        """The gate's list of the platform, with the fixture's own header of the machine added."""
        headers = self.write("platform_headers.txt", HEADERS.read_text() + "*/machine/outer.h\n" * (not strict))
        self.collect()
        words = ["--artifact", self.build / "artifacts/a.json", "--root", self.tree]
        words += ["--third-party", self.third_party, "--inside", self.build / "inside.json"]
        words += options
        with mock.patch("engine.sbom.gate.PLATFORM_HEADERS", headers):
            self.run_main(ends, make_sbom.main, "make_sbom", *words, says=says)

    def add_files(self, ends=0, says=()):
        self.run_python(ends, "sbom.add_files", self.tree, self.tree / "sbom", says=says)

    def bill(self, kind):
        return (self.tree / f"sbom.{kind}.json").read_text()
