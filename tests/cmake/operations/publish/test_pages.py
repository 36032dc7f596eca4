# SPDX-License-Identifier: BSD-3-Clause
"""The pages say what installers and people want to know. A second run changes nothing."""

import re
import subprocess

from box import ROOT, sha256
from fixture import ZIP, PublishTest, pack, wheel_entries

import pages

WHEEL = "demo_package-1.0+cpu-py3-none-any.whl"
TIME = r"20\d\d-\d\d-\d\dT[\d:.]+Z"


class Pages(PublishTest):
    def setUp(self):
        super().setUp()
        self.wheel()
        self.wheel("2", "Other._Project")
        self.conda()
        self.zip("2.6.0+cpu")
        self.write(f"a dist/{WHEEL}.intoto.json", "{}")
        self.write(f"a dist/{WHEEL}.intoto.json.asc", "signature")
        self.write(f"a dist/{WHEEL}.checks.json", {"not_run": ["gdb: there <is> none"]})
        self.publish(0, "add", self.site, self.dist, says=["4 of 4 files new in the channel test of"])

    def test_index(self):
        wheel, metadata = (sha256(self.site / f"files/{WHEEL}{suffix}") for suffix in ("", ".metadata"))
        self.assertEqual(wheel, sha256(self.dist / WHEEL))
        self.assertIn("Requires-Python: >=3.8,<4", self.read(f"files/{WHEEL}.metadata"))
        names = [{"name": "demo-package"}, {"name": "other-project"}]
        self.assertEqual(self.json("test/simple/index.json")["projects"], names)
        page = self.json("test/simple/demo-package/index.json")
        self.assertEqual((page["meta"], page["versions"]), ({"api-version": "1.1"}, ["1.0+cpu"]))
        self.assertRegex(page["files"][0].pop("upload-time"), TIME)
        file = {
            "filename": WHEEL,
            "url": "../../../files/demo_package-1.0%2Bcpu-py3-none-any.whl",
            "size": (self.dist / WHEEL).stat().st_size,
            "requires-python": ">=3.8,<4",
            "hashes": {"sha256": wheel},
            "core-metadata": {"sha256": metadata},
        }
        self.assertEqual(page["files"], [file])
        text = self.read("test/simple/demo-package/index.html")
        for part in (
            'data-requires-python="&gt;=3.8,&lt;4"',
            f'data-core-metadata="sha256={metadata}"',
            f"#sha256={wheel}",
        ):
            self.assertIn(part, text)

    def test_channel(self):
        file = self.dist / "linux-64/demo-1.1-cpu_py311_h0_0.conda"
        repodata = self.json("test/conda/linux-64/repodata.json")
        record = repodata["packages.conda"][file.name]
        self.assertEqual((record["sha256"], record["size"]), (sha256(file), file.stat().st_size))
        self.assertEqual((record["depends"], repodata["info"]), ([], {"subdir": "linux-64"}))
        self.assertEqual(self.json("test/conda/noarch/repodata.json")["packages.conda"], {})
        self.assertTrue((self.site / "test/conda/noarch/repodata.json.zst").is_file())
        self.assertEqual(sha256(self.site / "test/conda/linux-64" / file.name), sha256(file))

    def test_people(self):
        """The page, sizes, sums and the names that stay."""
        page = self.read("test/index.html")
        for part in (
            f'href="../files/{WHEEL.replace("+", "%2B")}">{WHEEL}<',
            ">libtorch-shared-with-deps<",
            "4 files<",
            "<svg",
        ):
            self.assertIn(part, page)
        self.assertEqual(page.count("<p>not run: gdb: there &lt;is&gt; none</p>"), 1)
        self.assertEqual(re.findall('(?:src|href)="(?:https?:)?//', page), [])  # nothing of another site
        rows = self.read("test/sizes.csv").splitlines()
        self.assertRegex(
            "\n".join(rows), rf"(?m)^20..-..-..,{ZIP.format('2.6.0.cpu')},libtorch-shared-with-deps,cpu,2.6.0\+cpu,\d+$"
        )
        self.assertEqual(len(rows), 5)
        latest = self.site / "test/libtorch-shared-with-deps-latest+cpu.zip"
        self.assertEqual(sha256(latest), sha256(self.dist / ZIP.format("2.6.0+cpu")))
        check = ["sha256sum", "--check", "--strict", "--quiet"]
        subprocess.run([*check, latest.name + ".sha256"], cwd=latest.parent, check=True)
        subprocess.run([*check, self.site / "test/SHA256SUMS"], cwd=self.site / "files", check=True)
        self.assertEqual(len(self.read("test/SHA256SUMS").splitlines()), 6)

    def test_backends(self):
        """A command for each backend, of its newest files; Pythons in their order; sizes from zero."""
        for python in "cp39", "cp313", "cp310":
            file = self.dist / f"torch-2.6.0+cu124-{python}-{python}-linux_x86_64.whl"
            pack(file, wheel_entries("torch", "2.6.0+cu124"))
        self.wheel("2.6.0+cpu", "torch")
        self.zip("2.6.0+cu124")
        self.publish(0, "add", self.site, self.dist)
        page = self.read("test/index.html")
        self.assertIn("<h1>PyTorch packages: test</h1>", page)
        self.assertIn("This is the channel <b>test</b>: builds that may become a release.", page)
        boxes = re.findall(r"<summary>(\w+)</summary>\n(.*?)</details>", page.partition("<h2 id")[0], re.S)
        self.assertEqual([backend for backend, _ in boxes], ["cpu", "cu124"])
        here = '<span class="here">https://…/</span>'
        for (backend, text), pip in zip(boxes, ("2.6.0+cpu", "2.6.0+cu124")):
            alias = f"libtorch-shared-with-deps-latest+{backend}.zip"
            self.assertIn(f'<pre>pip install --extra-index-url {here}simple "torch=={pip}"</pre>', text)
            self.assertIn(f"<pre>curl -fLo {alias} {here}{alias.replace('+', '%2B')}</pre>", text)
        self.assertIn('conda-forge "demo=1.1=*cpu*"</pre>', boxes[0][1])
        pip = pages.INSTALL["wheel"].replace(here, "https://example.org/torch/release/") % ("torch", "2.6.0+cpu")
        for command in pip, f"uv {pip}":
            self.assertIn(f"\n    {command}\n", (ROOT / "docs/publishing.md").read_text())
        self.assertEqual(
            re.findall(r'Python">(cp3\d+)<', page.partition("torch wheel</h3>")[2]), ["cp39", "cp310", "cp313"]
        )
        rows = [["2026-01-0%d" % day, "", "", "", "", size] for day, size in enumerate((100, 50, 75), 1)]
        heights = [float(y) for y in re.findall(r'cy="([\d.]+)"', pages.plot(rows)[0])]
        self.assertEqual(heights, [0.0, 24.0, 12.0])
        root = self.read("index.html")
        self.assertIn("prefers-color-scheme: dark", root)
        self.assertIn('<a href="test/index.html">test</a>: builds that may', root)

    def test_again(self):
        def snapshot():
            return {name: (self.site / name).stat().st_mtime_ns for name in self.files(self.site) if name != ".lock"}

        first = snapshot()
        self.publish(0, "add", self.site, self.dist, says=["0 of 4 files new in the channel test"])
        self.assertEqual(snapshot(), first)

    def test_signature(self):
        command = (0, "operations/publish/publish.py", "add", self.site, self.dist)
        self.environment(TSB_SIGN='f() { cksum <"$1" >"$1.sum"; }; f')
        self.run_python(*command)
        first = self.read("test/SHA256SUMS.sum")
        self.zip("2.6.1+cpu")
        self.run_python(*command)
        self.assertNotEqual(self.read("test/SHA256SUMS.sum"), first)
        # A list without its signature is better than one with another's.
        self.environment(TSB_SIGN=None)
        self.zip("2.6.2+cpu")
        self.run_python(*command)
        self.assertFalse((self.site / "test/SHA256SUMS.sum").exists())
        self.environment(TSB_SIGN="false")
        says = ["error: the command in TSB_SIGN ended with 1 for SHA256SUMS"]
        self.run_python(3, *command[1:], says=says)
