# SPDX-License-Identifier: BSD-3-Clause
"""The licence gate over unpacked sources, before anything is compiled: all that it finds at once, what holds for one version of a
source only, and folders of the builder's. The texts are collected for the artifact."""

from box import ROOT, BoxTest

ASMJIT = {"in": "gemm", "files": ["third_party/asmjit/"], "license": "Zlib"}
HEDLEY = {"in": "json", "files": ["thirdparty/hedley.h"]}
COMPONENTS = {
    "asmjit": {**ASMJIT, "license_files": ["third_party/asmjit/LICENSE.md"]},
    "hedley": [
        {**HEDLEY, "versions": ["3.10.1-87cda1d"], "license": "CC0-1.0", "texts": ["CC0-1.0"]},
        {**HEDLEY, "versions": ["3.11.3"], "license": "MIT", "texts": ["MIT"]},
    ],
}
TREE = {
    "LICENSE": "the licence of the whole\n",
    # ITT's way: no licence file, but a folder with a text for each licence of the choice.
    "third_party/itt/LICENSES/BSD-3-Clause.txt": "its BSD licence\n",
    "third_party/itt/LICENSES/GPL-2.0-only.txt": "its GPL\n",
    # FBGEMM's: another project in a folder, with a licence file of its own.
    "third_party/gemm/LICENSE": "the licence of gemm\n",
    "third_party/gemm/third_party/asmjit/LICENSE.md": "the licence of asmjit\n",
    "third_party/gemm/third_party/asmjit/src/asmjit.h": "// SPDX-License-Identifier: Zlib\n",
    # nlohmann's: the same header is of another licence in another version.
    "third_party/json/LICENSE.MIT": "the licence of json\n",
    "third_party/json/thirdparty/hedley.h": "/* Creative Commons; SPDX-License-Identifier: CC0-1.0 */\n",
}
CHOICE = "BSD-3-Clause OR GPL-2.0-only"
PINS = {
    "pytorch": ("BSD-3-Clause", {"version": "9.1", "sha256": "00"}),
    "itt": (CHOICE, {"version": "5b8a7d7", "commit": "5b8a7d7"}),
    "gemm": ("BSD-3-Clause", {"version": "dbc3157", "commit": "dbc3157"}),
    "json": ("MIT", {"version": "3.10.1-87cda1d", "commit": "87cda1d"}, {"version": "3.11.3", "sha256": "11"}),
    "part": ("MIT", {"version": "1", "commit": "c", "subdir": "include", "license_file": "LICENSE"}),
    "gone": ("MIT", {"version": "1", "sha256": "22"}),
}
OK = {"status": "ok", "sha256": "", "commit": ""}
OF_3_10 = {**OK, "version": "3.10.1-87cda1d", "commit": "87cda1d", "license": "MIT"}
OF_3_11 = {**OK, "version": "3.11.3", "sha256": "11", "license": "MIT"}
FROM_FOLDER = {**OK, "version": "4.0", "tree_sha256": "cd", "license": "MIT"}
INCLUDED = {"status": "included", "in": "pytorch"}


class Sources(BoxTest):
    def setUp(self):
        super().setUp()
        self.package, self.pins, self.components = self.box / "packages/pytorch", self.box / "pins", COMPONENTS
        self.tree = self.package / "source"
        for name, text in TREE.items():
            self.write(self.tree / name, text)
        places = {name: f"third_party/{name}" for name in ("itt", "gemm", "json", "gone")}
        package = {"name": "pytorch", "source": "pytorch", "build_system": "cmake", "license_files": ["LICENSE"]}
        package["place"] = [f"{name}={place}" for name, place in {**places, "part": "third_party/part/include"}.items()]
        package["declared_in"] = "superbuild/pytorch.cmake"
        package["pins"] = f"{self.pins}/sources.json"
        self.write(self.package / "package.json", package)
        pins = {name: {"license": license, "candidates": them} for name, (license, *them) in PINS.items()}
        self.write(self.package / "pins.json", pins)
        self.fetched(OF_3_10)

    def fetched(self, json_entry, part=None, **pytorch):
        entries = {
            "pytorch": {**OK, "version": "9.1", "license": "BSD-3-Clause", **pytorch},
            "itt": {**OK, "version": "5b8a7d7", "license": CHOICE},
            "gemm": {**OK, "version": "dbc3157", "license": "BSD-3-Clause"},
            "json": json_entry,
            "gone": {"status": "missing"},
            **({"part": part} if part else {}),
        }
        self.write(self.package / "sources.json", entries)

    def gate(self, *says, options=()):
        """It says these words and fails, or it passes without a word."""
        self.write("pins/components.json", {"schema": 1, "components": self.components})
        words = ["--third-party", ROOT / "third_party", "--collect", self.package / "licenses", *options]
        script = "sbom.check_sources"
        self.run_python(3 if says else 0, script, "--package", self.package, *words, says=says)
        if not says:
            self.assertEqual(self.text, "")

    def remove(self, *names):
        for name in names:
            (self.tree / name).unlink()

    def test_texts(self):
        self.gate()
        texts = {"gemm/LICENSE", "itt/BSD-3-Clause.txt", "json/LICENSE.MIT", "pytorch/LICENSE"}
        mine = self.write(self.package / "licenses/mine", "")  # whoever names the folder empties it
        self.gate()
        self.assertEqual(self.files(self.package / "licenses"), texts | {"mine"})
        mine.unlink()

    def test_headers_of_the_machine(self):
        """Those that the compiler read, once the package is staged."""
        record = self.package / "install/share/torch-superbuild/linked.json"
        belongs = "package pytorch includes /usr/include/zlib.h, which belongs neither to a package nor to the platform"
        for header, options, *says in (
            ("/usr/lib/linux/uapi/x86/asm/types.h", ["--staged"]),
            ("/usr/include/zlib.h", ["--staged"], belongs, "make a package of it, or keep it out of the build"),
            ("/usr/include/zlib.h", []),
        ):
            self.write(record, {"schema": 2, "system": ["/usr/include/stdio.h", header]})
            self.gate(*says, options=options)

    def test_versions(self):
        # The other version's facts: the file says something else.
        self.fetched(OF_3_11)
        mentions = "third_party/json/thirdparty/hedley.h mentions the licence CC0-1.0, but its component hedley is declared as MIT"
        self.gate(mentions, f"correct the component, or declare another one, in {self.pins}/components.json")
        # A folder of the builder's, and what is inside the main source, count as the first candidate.
        for json_entry, pytorch in ((FROM_FOLDER, {}), (INCLUDED, {}), (INCLUDED, {"tree_sha256": "cd"})):
            self.fetched(json_entry, **pytorch)
            self.gate()
        # A file that was declared for a version is in it; in a folder of the builder's it may be gone.
        self.remove("third_party/json/thirdparty/hedley.h")
        self.gate()
        self.fetched(OF_3_10)
        absent = (
            "component hedley: third_party/json has no thirdparty/hedley.h, which is declared for json 3.10.1-87cda1d"
        )
        self.gate(absent, f"correct it in {self.pins}/components.json")

    def test_licence_files_above(self):
        """The one of a repository around its place; a place may be empty when nothing needs it."""
        self.fetched(INCLUDED, part=INCLUDED)
        (self.tree / "third_party/part/include").mkdir(parents=True)
        self.gate()
        self.write(self.tree / "third_party/part/include/part.h", "int part;\n")
        self.gate("third_party/part/include (source part) has no licence file")
        self.write(self.tree / "third_party/part/LICENSE", "the licence of part\n")
        self.gate()
        self.assertIn("part/LICENSE", self.files(self.package / "licenses"))
        self.remove("third_party/json/LICENSE.MIT")
        self.gate("third_party/json (source json) has no licence file")
        # In a folder of the builder's the pins are not what to correct, and nothing stops. The next phase knows the warning.
        self.fetched(FROM_FOLDER)
        warning = "warning: package pytorch: third_party/json (source json) has no licence file"
        words = ["--package", self.package, "--third-party", ROOT / "third_party"]
        remedy = "put its licence into the folder as LICENSE, or build the pinned source"
        self.run_python(0, "sbom.check_sources", *words, says=[f"{warning}\n{remedy}"])
        self.write(self.package / "install/share/torch-superbuild/linked.json", {"schema": 2, "system": []})
        self.run_python(0, "sbom.check_sources", *words, "--staged")
        self.assertEqual(self.text, "")

    def test_everything_at_once(self):
        """A source without a text, one with half of what was chosen, a nested licence file that is not there, a text that nobody
        has, a component that names no licence at all, and one that says none."""
        asmjit = "third_party/gemm/third_party/asmjit/LICENSE.md"
        self.remove("LICENSE", "third_party/gemm/LICENSE", "third_party/itt/LICENSES/BSD-3-Clause.txt", asmjit)
        self.write(self.tree / "grisu.h", "// the code of somebody\n")
        grisu = {"in": "pytorch", "files": ["grisu.h"], "license": "MIT"}
        unheard = {**grisu, "license": "", "texts": ["Unheard-of"]}
        self.components = {**COMPONENTS, "grisu": grisu, "unheard": unheard}
        self.gate(
            "package pytorch: third_party/gemm (source gemm) has no licence file",
            "add a 'license_file' to the source's pin, or another candidate that carries its licence",
            "package pytorch: third_party/itt (source itt) has no licence file",
            f"component asmjit: its licence file {asmjit} is not in the tree of package pytorch",
            f"package pytorch: its licence file LICENSE is not in {self.tree}",
            "correct LICENSE_FILES in superbuild/pytorch.cmake",
            "there is no licence text for grisu: it names none, and none of its files says its licence (grisu.h)",
            f"name its text under 'license_files' or 'texts' in {self.pins}/components.json",
            "the licence of unheard is not known",
            f"component unheard: there is no text Unheard-of.txt in {ROOT}/third_party/licenses",
            "put the licence's text there as Unheard-of.txt",
        )
