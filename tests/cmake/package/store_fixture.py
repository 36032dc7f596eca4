# SPDX-License-Identifier: BSD-3-Clause
"""What tests of cmake/store share: a package, and the commands."""

import os
import sys

from box import ROOT, BoxTest

STORE = ROOT / "cmake/store"
ONE, TWO, THREE = ("0123456789abcdef" * 4, "2" * 64, "3" * 64)


class StoreTest(BoxTest):
    def setUp(self):
        super().setUp()
        self.store, self.package = self.box / "store", self.box / "package"
        self.write("package/install/lib/a.so.1", "library")
        (self.package / "install/lib/a.so").symlink_to("a.so.1")
        (self.package / "install/empty").mkdir()
        self.write("package/manifest.json", {"fingerprint": ONE})

    def command(self, *words):
        python = [sys.executable, "-I", "-S", "-B", "-X", "utf8"]
        return [*python, str(STORE), "--store", str(self.store), *map(str, words)]

    def run_store(self, expected, *words):
        self.run_program(expected, *self.command(*words))
        return self.text

    def save(self, name=f"p/{ONE}"):
        self.write("package/manifest.json", {"fingerprint": os.path.basename(name)})
        self.run_store(0, "save", "--entry", self.store / name, "--package", self.package)
        return self.store / name

    def restore(self, expected, entry):
        target = self.box / "target"
        target.mkdir(exist_ok=True)
        return target, self.run_store(expected, "restore", "--entry", entry, "--package", target)

    def run_script(self, expected, script, *words):
        """With the modules of cmake/store, of which it may change something."""
        folders = f"import sys; sys.path[:0] = [{str(STORE)!r}, {str(STORE.parent / 'sources')!r}]\n"
        folders += "import os, command_line, entry\n"
        self.run_program(expected, sys.executable, "-B", "-c", folders + script, *words)
        return self.text
