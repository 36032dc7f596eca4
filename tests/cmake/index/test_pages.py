# SPDX-License-Identifier: BSD-3-Clause
"""The pages say what installers and people want to know. A second run changes nothing, and forgets what is gone."""

import subprocess
import sys
import zipfile

from box import ROOT, sha256
from fixture import IndexTest, pack, wheel_entries

WHEEL = "demo_package-1.0+cpu-py3-none-any.whl"
# What ends it in the middle of writing a page.
INTERRUPTED = """
import make_index, os, signal, sys
number, replace = getattr(signal, sys.argv.pop()), os.replace
os.replace = lambda *names: (signal.raise_signal(number), replace(*names))
make_index.run_interruptible(make_index.main)
"""


class Pages(IndexTest):
    def setUp(self):
        super().setUp()
        pack(self.dist / WHEEL, wheel_entries(), zipfile.ZIP_DEFLATED)

    def test_empty_folder(self):
        (self.dist / WHEEL).unlink()
        self.environment(PYTHONSAFEPATH="1")  # leaves out the script's own folder
        self.run_python(0, "packaging/index/make_index.py", self.dist)
        self.assertEqual(self.json("simple/index.json")["projects"], [])
        self.assertEqual((self.dist / "SHA256SUMS").read_text(), "")

    def test_content(self):
        pack(self.dist / "other_project-2-py3-none-any.whl", wheel_entries("Other._Project", "2"))
        pack(self.dist / "libtorch-2.6.0+cpu & ä.zip", {})
        self.make_index(0, ["a dist: 1 zips, 2 wheels of 2 projects, 0 conda packages"])
        wheel, metadata = sha256(self.dist / WHEEL), sha256(self.dist / f"{WHEEL}.metadata")
        expected = wheel_entries()["demo_package-1.0+cpu.dist-info/METADATA"]
        self.assertEqual((self.dist / f"{WHEEL}.metadata").read_text(), expected)
        names = [{"name": "demo-package"}, {"name": "other-project"}]
        self.assertEqual(self.json("simple/index.json")["projects"], names)
        page = self.json("simple/demo-package/index.json")
        self.assertEqual(page["versions"], ["1.0+cpu"])
        file = {
            "filename": WHEEL,
            "url": "../../demo_package-1.0%2Bcpu-py3-none-any.whl",
            "size": (self.dist / WHEEL).stat().st_size,
            "requires-python": ">=3.8,<4",
            "hashes": {"sha256": wheel},
            "core-metadata": {"sha256": metadata},
        }
        self.assertEqual(page["files"], [file])
        python, core = 'data-requires-python="&gt;=3.8,&lt;4"', f'data-core-metadata="sha256={metadata}"'
        zip_link = "libtorch-2.6.0%2Bcpu%20%26%20%C3%A4.zip#"
        zip_cell = ">libtorch-2.6.0+cpu &amp; ä.zip</a></td><td>22 B</td>"
        for name, *parts in (
            ("simple/demo-package/index.html", python, core, f"#sha256={wheel}"),
            ("index.html", zip_link, zip_cell, "index for pip and uv"),
        ):
            for part in parts:
                self.assertIn(part, (self.dist / name).read_text())
        subprocess.run(["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"], cwd=self.dist, check=True)

    def test_again(self):
        def snapshot():
            return {
                name: ((self.dist / name).stat().st_mtime_ns, sha256(self.dist / name))
                for name in self.files(self.dist)
            }

        other = self.dist / "other_project-2-py3-none-any.whl"
        pack(other, wheel_entries("other_project", "2"))
        self.make_index()
        first = snapshot()
        self.make_index()
        self.assertEqual(snapshot(), first)
        other.unlink()
        self.write("a dist/simple/of somebody else/file.txt", "stays\n")
        self.make_index()
        gone = {f"simple/other-project/index.{kind}" for kind in ("html", "json")} | {
            other.name,
            f"{other.name}.metadata",
        }
        self.assertEqual(self.files(self.dist), set(first) - gone | {"simple/of somebody else/file.txt"})
        self.assertNotIn("other-project", (self.dist / "simple/index.json").read_text())

    def test_signals(self):
        self.make_index()
        self.environment(PYTHONPATH=str(ROOT / "packaging/index"))
        before = self.files(self.dist) - {"simple/index.html"}
        for name, number in (("SIGTERM", 15), ("SIGINT", 2), ("SIGHUP", 1)):
            (self.dist / "simple/index.html").unlink(missing_ok=True)
            self.run_program(128 + number, sys.executable, "-B", "-c", INTERRUPTED, self.dist, name)
            self.assertEqual((self.text, self.files(self.dist)), ("", before))

    def test_pages_of_somebody_else(self):
        for name in ("index.html", "index.json"):
            self.write(f"a dist/simple/other/{name}", "stays\n")
        self.make_index()
        pack(self.dist / "other-2-py3-none-any.whl", wheel_entries("other", "2"))
        self.write("a dist/index.html", "stays\n")
        pages = f"{self.dist}/index.html, {self.dist}/simple/other/index.html"
        self.make_index(3, [f"error: links, or not written by make_index.py, so left alone: {pages}\nremedy: move"])
        for name in ("index.html", "simple/other/index.html", "simple/other/index.json"):
            self.assertEqual((self.dist / name).read_text(), "stays\n")
        self.assertFalse((self.dist / "other-2-py3-none-any.whl.metadata").exists())

    def test_first_run_overwrites_nothing(self):
        for name in ("SHA256SUMS", "simple/index.json", f"{WHEEL}.metadata"):
            with self.subTest(name):
                file = self.write(f"a dist/{name}", "stays\n")
                self.make_index(3, [f"left alone: {file} remedy: move"])
                self.assertEqual(file.read_text(), "stays\n")
                file.unlink()

    def test_links(self):
        """Nothing is written where a link leads."""
        for name in ("simple", "index.html", "SHA256SUMS", "simple/demo-package"):
            with self.subTest(name):
                target = self.box / "elsewhere"
                target.mkdir(exist_ok=True)
                link = self.dist / name
                link.parent.mkdir(exist_ok=True)
                link.symlink_to(target)
                self.make_index(3, [f"{link}", "so left alone"])
                self.assertEqual(self.files("elsewhere"), set())
                link.unlink()


class BadWheels(IndexTest):
    def test_each(self):
        wheel = "demo_package-1.1-py3-none-any.whl"
        good, file = wheel_entries(version="1.1"), self.dist / wheel
        # Readers take the one or the other.
        twice = {**good, "other.dist-info/METADATA": "Name: demo_package\nVersion: 1.1\nRequires-Dist: other\n"}
        for entries, words in (
            (wheel_entries(), "has another name than its METADATA says: demo_package 1.0+cpu"),
            ({"a.txt": "text"}, "has no METADATA"),
            (twice, "has more than one METADATA"),
        ):
            pack(file, entries)
            self.is_bad(wheel, words)
        pack(file, good)
        content, broken = file.read_bytes(), "is damaged: the CRC of demo_package.py is wrong"
        for name, damaged, words in (
            (wheel, content[:-40], "is damaged: "),
            (wheel, content.replace(b"answer", b"Answer", 1), broken),
            ("a.zip", content.replace(b"answer", b"Answer", 1), broken),
            ("a.zip", b"no zip", "is damaged: File is not a zip file"),
        ):
            file.unlink(missing_ok=True)
            self.write(f"a dist/{name}", damaged)
            self.is_bad(name, words)

    def test_no_folder(self):
        self.dist = self.box / "none"
        self.make_index(4, [f"error: [Errno 2] No such file or directory: '{self.dist}'"])
