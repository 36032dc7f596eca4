# SPDX-License-Identifier: BSD-3-Clause
"""A folder of artifacts, and make_index.py on it."""

import json
import sys
import zipfile

from box import ROOT, BoxTest

sys.path.append(str(ROOT / "packaging/index"))

import make_index  # noqa: E402


def pack(file, entries, compression=zipfile.ZIP_STORED):
    file.parent.mkdir(exist_ok=True)
    with zipfile.ZipFile(file, "w", compression) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)


def wheel_entries(name="demo_package", version="1.0+cpu"):
    head = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\nRequires-Python: >=3.8,<4\n\ntext\n"
    info = f"{name}-{version}.dist-info"
    files = {"METADATA": head, "WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n", "RECORD": ""}
    return {f"{name}.py": "answer = 42\n", **{f"{info}/{file}": text for file, text in files.items()}}


class IndexTest(BoxTest):
    def setUp(self):
        super().setUp()
        self.dist = self.box / "a dist"
        self.dist.mkdir()

    def make_index(self, ends=0, says=()):
        self.run_main(ends, make_index.main, "make_index.py", self.dist, says=says)

    def is_bad(self, file, words):
        """It is named, and nothing is written."""
        with self.subTest(words):
            self.make_index(3, [f"error: {self.dist}/{file} {words}", "remedy: make it again, or take it away"])
            self.assertFalse((self.dist / "simple").exists())

    def json(self, file):
        return json.loads((self.dist / file).read_text())
