# SPDX-License-Identifier: BSD-3-Clause
"""repodata.json of a conda channel, with and without the packages; a package that is wrong is named."""

import json
import subprocess

from box import sha256
from fixture import IndexTest, pack

GOOD = {"name": "demo", "version": "1.1", "build": "h0_0", "build_number": 0, "subdir": "linux-64", "depends": []}
FILE = "linux-64/demo-1.1-h0_0.conda"
INFO, PKG = "info-demo-1.1-h0_0.tar.zst", "pkg-demo-1.1-h0_0.tar.zst"


class Channel(IndexTest):
    def info(self, index):
        """The tar of info/, as it is packed."""
        self.write("info/info/index.json", index)
        command = ["cmake", "-E", "tar", "cf", self.box / INFO, "--zstd", "info"]
        subprocess.run(command, cwd=self.box / "info", check=True)
        return (self.box / INFO).read_bytes()

    def test_good(self):
        pack(self.dist / FILE, {INFO: self.info(GOOD), PKG: "files"})
        # A link to a folder does not name its packages once more.
        (self.dist / "latest").symlink_to("linux-64")
        self.make_index(0, ["1 conda packages"])
        hash_, repodata = sha256(self.dist / FILE), self.json("linux-64/repodata.json")
        record = {**GOOD, "sha256": hash_, "size": (self.dist / FILE).stat().st_size}
        self.assertEqual(repodata["packages.conda"], {"demo-1.1-h0_0.conda": record})
        self.assertEqual(repodata["info"], {"subdir": "linux-64"})
        self.assertEqual(self.json("noarch/repodata.json")["packages.conda"], {})
        self.assertEqual((self.dist / "SHA256SUMS").read_text(), f"{hash_}  {FILE}\n")
        for part in ("This folder is a conda channel.", f'href="{FILE}#sha256='):
            self.assertIn(part, (self.dist / "index.html").read_text())
        # A package that is gone is not listed any more.
        (self.dist / FILE).unlink()
        self.make_index()
        self.assertEqual(self.json("linux-64/repodata.json")["packages.conda"], {})

    def test_bad(self):
        good = {INFO: self.info(GOOD), PKG: "files"}
        name = "has another name than its index.json says, or is in the wrong folder: linux-64/demo-1.0-h0_0.conda"
        for entries, words in (
            ({**good, INFO: self.info({**GOOD, "version": "1.0"})}, name),
            ({**good, INFO: self.info({"name": "demo"})}, "is damaged: 'subdir'"),
            ({**good, INFO: self.info("no JSON")}, "is damaged: "),
            ({**good, INFO: "no Zstandard"}, "has an info/ that is damaged"),
            ({PKG: "files"}, "has no info-*.tar.zst"),
            ({**good, "info-other-1-0.tar.zst": ""}, "has more than one info-*.tar.zst"),
        ):
            pack(self.dist / FILE, entries)
            self.is_bad(FILE, words)
        pack(self.dist / FILE, good)
        content = (self.dist / FILE).read_bytes()
        for damaged, words in (
            (b"no zip", "is damaged: "),
            (content.replace(b"files", b"filet", 1), f"is damaged: the CRC of {PKG} is wrong"),
        ):
            self.write(f"a dist/{FILE}", damaged)
            self.is_bad(FILE, words)

    def test_of_somebody_else(self):
        pack(self.dist / FILE, {INFO: self.info(GOOD), PKG: "files"})
        file = self.write("a dist/linux-64/repodata.json", json.dumps({"packages": {}}))
        self.make_index(3, [f"left alone: {file} remedy: move"])
        file.unlink()
        self.make_index()
        self.make_index()
