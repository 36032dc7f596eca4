# SPDX-License-Identifier: BSD-3-Clause
"""Channels of a site: staging, promotion, old versions; killed and concurrent publishers."""

import io
from unittest import mock

from box import sha256
from fixture import ZIP, PublishTest, info_of, pack

NAMES = "NIGHTLY", "CANDIDATE", "VERSION_SUFFIX", "BUILD_NUMBER"
NIGHTLY = "2.7.0.dev2026112{}+cpu"


class Terminal(io.StringIO):
    def isatty(self):
        return True


class Channels(PublishTest):
    def names(self, channel):
        return sorted(self.json(f"{channel}/files.json")["files"])

    def test_promotion(self):
        old, new = self.zip("2.6.0+cpu"), self.zip("2.7.0rc1+cpu")
        self.publish(0, "add", self.site, self.dist)
        self.publish(0, "promote", self.site, "2.6.0", says=[f"released: {old.name}"])
        self.assertEqual(self.names("release"), [old.name])
        self.assertEqual(len(self.names("test")), 2)
        left_out = "left out: 1 nightly or candidate: name the version to release it"
        self.publish(0, "promote", self.site, says=[left_out, "released: nothing new"])
        self.publish(0, "promote", self.site, "2.7.0rc1", says=[f"released: {new.name}"])
        self.publish(0, "promote", self.site, says=["released: nothing new"])
        self.assertEqual(self.names("release"), sorted([old.name, new.name]))

    def test_what_was_not_tried_before(self):
        """The same file may be checked again, with a GPU: what was found last is published. Without a word that stays."""
        file = self.zip("2.6.0+cpu")
        checks = self.dist / f"{file.name}.checks.json"
        for said, published in (None, None), (["no GPU"], ["no GPU"]), (None, ["no GPU"]), ([], []):
            checks.unlink(missing_ok=True)
            if said is not None:
                self.write(checks, {"not_run": said})
            self.publish(0, "add", self.site, self.dist)
            self.publish(0, "promote", self.site)
            for channel in "test", "release":
                self.assertEqual(self.json(f"{channel}/files.json")["files"][file.name].get("not_run"), published)
                self.assertEqual("not run: no GPU" in self.read(f"{channel}/index.html"), bool(published))

    def test_conda_packages_have_no_local_version(self):
        wheel, package = self.wheel("1.1+cpu"), self.conda("1.1")
        self.publish(0, "add", self.site, self.dist)
        left_out = "left out: 1 conda package, whose version is 1.1, not 1.1+cpu"
        self.publish(0, "promote", self.site, "1.1+cpu", says=[left_out, f"released: {wheel.name}"])
        self.publish(0, "promote", self.site, "1.1", says=[f"released: linux-64/{package.name}"])
        self.assertNotIn("left out", self.text)

    def test_a_further_build_is_the_latest(self):
        old, new = self.zip("2.6.0+cpu"), self.zip("2.6.0+cpu", "-2", "changed")
        self.publish(0, "add", self.site, self.dist)
        latest = self.site / "test" / ZIP.format("latest+cpu")
        self.assertEqual(latest.read_bytes(), new.read_bytes())
        self.assertNotEqual(new.read_bytes(), old.read_bytes())
        self.assertEqual(len(list(latest.parent.glob("*-latest*.zip"))), 1)
        self.publish(0, "promote", self.site, "2.6.0+cpu-2", says=[f"released: {new.name}"])
        self.assertEqual(self.names("release"), [new.name])

    def test_a_product_without_files_has_no_latest(self):
        old = self.zip("2.5.0+cpu").rename(self.dist / "libtorch-static-2.5.0+cpu.zip")
        self.zip("2.6.0+cpu")
        self.publish(0, "add", self.site, self.dist)
        alias = self.site / "test/libtorch-static-latest+cpu.zip"
        self.assertTrue(alias.exists())
        self.publish(0, "promote", self.site)
        self.publish(0, "prune", self.site, "--keep", "1", "--channel", "test", says=[f"removed: {old.name}"])
        self.assertFalse(alias.exists())
        self.assertFalse(alias.with_name(alias.name + ".sha256").exists())
        self.assertTrue((self.site / "files" / old.name).exists(), "it is in release")

    def test_only_nightlies_are_nightly(self):
        self.zip("2.6.0+cpu")
        nightly = ("--channel", "nightly")
        says = ["error: none of the files has the version of a nightly, as TSB_NIGHTLY makes it"]
        self.publish(3, "add", self.site, self.dist, *nightly, says=says)
        file = self.zip(NIGHTLY.format(1))
        self.environment(TSB_DIST=str(self.dist))
        self.publish(0, "add", self.site, *nightly, says=["left out: 1 file without", "1 of 1 file new"])
        self.assertEqual(self.names("nightly"), [file.name])

    def test_what_is_not_of_pytorch(self):
        """MAGMA's package has the same name each night, and some nights the only one of its backend. The first one stays."""
        nightly = ("--channel", "nightly")
        file = self.magma("2.9.0")
        self.publish(0, "add", self.site, self.dist, *nightly, says=["1 of 1 file new"])
        self.assertEqual(self.names("nightly"), [f"linux-64/{file.name}"])
        self.magma("2.9.0", "other bytes")
        self.zip(NIGHTLY.format(1))
        says = [f"left out: linux-64/{file.name}, which was published before", "1 of 2 files new"]
        self.publish(0, "add", self.site, self.dist, *nightly, says=says)
        self.assertEqual(len(self.names("nightly")), 2)
        self.publish(3, "add", self.site, self.dist, says=[f"error: another file linux-64/{file.name} was published"])
        # A version of PyTorch is not that of MAGMA.
        torch = self.zip("2.9.0+cpu")
        self.publish(0, "add", self.site, torch, self.site / f"files/linux-64/{file.name}")
        says = [f"left out: linux-64/{file.name}: name a file of what is not PyTorch", f"released: {torch.name}\n"]
        self.publish(0, "promote", self.site, "2.9.0", says=says)
        self.publish(0, "promote", self.site, file.name, says=[f"released: linux-64/{file.name}"])
        self.publish(0, "remove", self.site, torch.name, "--yes")
        self.publish(0, "yank", self.site, "2.9.0", "--reason", "bad", says=["yank from release:\n  linux-64/magma"])

    def test_what_another_channel_has(self):
        """A night without MAGMA, since `test` has other bytes under the name, takes that one."""
        file = self.magma("2.9.0")
        self.publish(0, "add", self.site, self.dist)
        self.magma("2.9.0", "other bytes")
        says = [f"left out: linux-64/{file.name}, which was published before"]
        self.publish(0, "add", self.site, self.dist, "--channel", "nightly", says=says)
        self.assertEqual(self.names("nightly"), [f"linux-64/{file.name}"])
        published = [self.site / place / f"linux-64/{file.name}" for place in ("nightly/conda", "test/conda")]
        self.assertEqual(*(one.read_bytes() for one in published))

    def test_a_damaged_site(self):
        """Nobody takes a lost list for an empty channel, and nothing is released that is not whole."""
        file = self.zip("2.6.0+cpu")
        self.publish(0, "add", self.site, self.dist)
        published, listed = self.site / "files" / file.name, self.site / "test/files.json"
        published.write_bytes(b"")
        damaged = f"error: missing or of another size: files/{file.name}: add it again"
        self.publish(3, "promote", self.site, says=[damaged])
        self.publish(0, "add", self.site, self.dist, says=["1 of 1 file new"])
        listed.write_text("")
        self.publish(3, "prune", self.site, "--keep", "1", says=["error: test/files.json of", "is damaged: restore"])
        listed.unlink()
        self.publish(3, "add", self.site, self.dist, says=["error: test/files.json of", "is missing: restore it"])
        self.assertTrue(published.read_bytes())

    def test_errors(self):
        file = self.zip("2.6.0+cpu")
        self.publish(3, "promote", self.site, says=["error: there is no folder", "add files to it first"])
        self.publish(0, "add", self.site, self.dist)
        foreign = self.write("foreign/index.html", "mine").parent
        other = self.write(f"other/{file.name}").parent
        pack(other / file.name, {"libtorch/build-version": "2.6.0+cpu", "more": ""})
        damaged = self.write("damaged/test/files.json", "{}").parent.parent
        (damaged / "names").mkdir()
        for words, says in (
            (
                ("promote", self.site, "2.x"),
                "error: 2.x is neither a version, such as 2.6.0 or 2.6.0+cpu, nor a file here",
            ),
            (("promote", self.site, "2.7"), "error: no file has the version 2.7; there is: 2.6.0"),
            (("add", foreign, self.dist), "has files that publish did not write, such as index.html"),
            (("add", self.site, self.dist, other), f"{other / file.name} differ, but have the same name"),
            (("promote", damaged), "error: test/files.json of"),
            (("add", self.dist, self.dist), "has files that publish did not write, such as"),
        ):
            with self.subTest(says):
                self.publish(3, *words, says=[says])
        for words, says in (
            (("add", self.site, "--channel", "beta"), "invalid choice: 'beta' (choose from"),
            (("add", self.site, "--channel", "release"), "files get into the channel release by promote: add them to"),
            (("prune", self.site, "--keep", "0"), "argument --keep: 0 is not a positive number"),
            *(
                (("add", target), f"{target} is neither a folder nor s3://")
                for target in ("S3://x", "s3:/x/y", "s4://x/y", "http://x/y", "pypi+https://x/y", "oci://x/y")
            ),
            (("add", ""), "the target is empty"),
        ):
            with self.subTest(words):
                self.publish(2, *words, says=[says])
        self.zip("2.6.0+cpu", content="other content")
        self.publish(
            3, "add", self.site, self.dist, says=[f"error: another file {file.name} was published before: give"]
        )
        self.assertNotEqual((self.site / "files" / file.name).read_bytes(), file.read_bytes())

    def test_yank(self):
        """Nothing chooses what is yanked, and it stays for those who name it."""
        old, bad, package = self.zip("2.6.0+cpu"), self.zip("2.7.0+cpu"), self.conda("2.7.0")
        good, wheel = self.wheel("2.6.0+cpu"), self.wheel("2.7.0+cpu")
        self.publish(0, "add", self.site, self.dist)
        self.publish(0, "promote", self.site, "2.6.0")
        self.publish(0, "yank", self.site, "2.7.0", "--reason", "wrong <results>", says=["yank from test: ", bad.name])
        self.publish(0, "yank", self.site, old.name, "--reason", "", "--channel", "release")
        self.assertIn("yanked: no reason given", self.read("release/index.html"))
        latest = self.site / "test" / ZIP.format("latest+cpu")
        self.assertEqual(latest.read_bytes(), old.read_bytes())
        self.assertEqual(self.read("test/" + latest.name + ".sha256"), f"{sha256(old)}  {latest.name}\n")
        self.assertRegex(
            self.read("test/simple/demo-package/index.html"),
            rf'data-yanked="wrong &lt;results&gt;">{wheel.name}<'.replace("+", "[+]"),
        )
        yanked = {
            file["filename"]: file.get("yanked") for file in self.json("test/simple/demo-package/index.json")["files"]
        }
        self.assertEqual(yanked, {good.name: None, wheel.name: "wrong <results>"})
        repodata = self.json("test/conda/linux-64/repodata.json")
        self.assertEqual((repodata["packages.conda"], repodata["removed"]), ({}, [package.name]))
        self.assertTrue((self.site / "test/conda/linux-64" / package.name).is_file())
        page = self.read("test/index.html")
        self.assertNotIn("2.7.0", page.partition("<h2 id")[0])
        self.assertEqual(page.count("yanked: wrong &lt;results&gt;"), 3)
        self.publish(0, "promote", self.site, says=["released: nothing new"])
        self.publish(0, "add", self.site, self.dist)
        self.assertEqual(latest.read_bytes(), old.read_bytes())
        self.publish(0, "prune", self.site, "--keep", "1", "--channel", "test", says=["removed: nothing"])
        self.publish(0, "yank", self.site, package.name, "--undo", says=[f"linux-64/{package.name}"])
        self.publish(0, "yank", self.site, "2.7.0", "--undo", "--channel", "test")
        self.assertEqual(latest.read_bytes(), bad.read_bytes())
        self.assertNotIn("yanked", self.read("test/files.json"))

    def test_remove(self):
        old, bad, package = self.zip("2.6.0+cpu"), self.zip("2.7.0+cpu"), self.conda("2.7.0")
        self.write(f"a dist/{bad.name}.intoto.json", "{}")
        self.publish(0, "add", self.site, self.dist)
        self.publish(0, "promote", self.site)
        before = self.files(self.site)
        words = "remove", self.site, "2.7.0"
        said = [f"remove from {one}: {bad.name} linux-64/{package.name}" for one in ("test", "release")]
        self.publish(3, *words, says=[*said, "error: nothing was removed: add --yes"])
        for answer in "", "\n", "n\n":
            with mock.patch("sys.stdin", Terminal(answer)):
                self.publish(3, *words)
        self.assertEqual(self.files(self.site), before)
        # From one channel: the other keeps the files.
        self.publish(0, *words, "--channel", "test", "--yes")
        self.assertEqual((self.names("test"), len(self.names("release"))), ([old.name], 3))
        self.assertFalse((self.site / "test/conda/linux-64" / package.name).exists())
        self.assertTrue((self.site / "release/conda/linux-64" / package.name).exists())
        with mock.patch("sys.stdin", Terminal("y\n")):
            self.publish(0, *words)
        for channel in "test", "release":
            self.assertEqual((self.site / channel / ZIP.format("latest+cpu")).read_bytes(), old.read_bytes())
        gone = [name for name in self.files(self.site) if "2.7.0" in name]
        self.assertEqual(gone, [])
        self.publish(3, *words, "--yes", says=["error: no file has the version 2.7.0; there is: 2.6.0"])
        self.publish(0, "remove", self.site, old.name, "--yes", says=["remove from test: " + old.name])
        self.publish(2, "yank", self.site, "2.7.0", says=["one of the arguments --reason --undo is required"])

    def test_number(self):
        """The number with which the files of a build get names that are free."""

        def number(*versions, ends=0, says=(), **settings):
            self.environment(**{f"TSB_{name}": settings.get(name, "") for name in NAMES})
            self.publish(ends, "number", self.site, *versions, says=says)
            return self.text.partition("TSB_BUILD_NUMBER=")[2].strip()

        note = f"there is no folder {self.site} yet, so no number is taken"
        self.assertEqual(number("2.6.0", says=[note]), "")
        self.assertFalse(self.site.exists())
        self.magma("2.9.0")
        self.publish(0, "add", self.site, self.zip("2.6.0+cpu").parent)
        self.assertEqual(number("2.6.0"), "2")
        self.assertEqual(number("2.7.0"), "")
        self.assertEqual(number("2.9.0"), "")  # what is there is MAGMA
        self.assertEqual(number("2.7.0", "2.6.0"), "2")
        self.assertEqual(number("2.6.0", CANDIDATE="1"), "")
        self.assertEqual(number("2.6.0", NIGHTLY="20261123"), "")
        self.assertEqual(number("2.6.0", VERSION_SUFFIX="mine.1"), "")
        self.assertEqual(number("2.6.0", BUILD_NUMBER="3"), "3")
        self.zip("2.6.0.dev20261123+cpu.mine.1", "-2")
        index = {
            "name": "demo",
            "version": "2.6.0dev20261124",
            "build": "cuda124_h0_203",
            "build_number": 203,
            "subdir": "linux-64",
        }
        name = "demo-2.6.0dev20261124-cuda124_h0_203"
        pack(self.dist / f"linux-64/{name}.conda", {f"info-{name}.tar.zst": info_of({**index, "depends": []})})
        self.publish(0, "add", self.site, self.dist, "--channel", "nightly")
        self.assertEqual(number("2.6.0", NIGHTLY="20261123", VERSION_SUFFIX="mine.1"), "3")
        self.assertEqual(number("2.6.0", NIGHTLY="20261123", VERSION_SUFFIX="other"), "")
        self.assertEqual(number("2.6.0", NIGHTLY="20261124"), "4")
        taken = "error: 2.6.0.dev20261124 has a build 3 already: set TSB_BUILD_NUMBER to 4"
        number("2.6.0", NIGHTLY="20261124", BUILD_NUMBER="3", ends=3, says=[taken])

    def test_prune(self):
        for day in range(4):
            file = self.zip(NIGHTLY.format(day))
        self.publish(0, "add", self.site, self.dist, "--channel", "nightly")
        self.publish(0, "prune", self.site, "--keep", "2", says=["removed: " + ZIP.format(NIGHTLY.format(0))])
        kept = [ZIP.format(NIGHTLY.format(day)) for day in (2, 3)]
        self.assertEqual(self.names("nightly"), kept)
        self.assertEqual(sorted(self.files(self.site / "files")), kept)
        self.assertEqual(len(self.read("nightly/sizes.csv").splitlines()), 5)
        page = self.read("nightly/index.html")
        self.assertIn(f">{file.name}<", page.partition("1 older file<")[0])
        self.assertIn(f">{kept[0]}<", page.partition("1 older file<")[2])
        # What a channel still has stays.
        self.publish(0, "add", self.site, self.dist / kept[0])
        self.publish(0, "prune", self.site, "--keep", "1")
        self.assertEqual(sorted(self.files(self.site / "files")), kept)

    def test_prune_of_several_releases(self):
        """A night builds one release for the CPU, another one for CUDA, and the official wheels of a third: the newest of each
        stay."""
        nights = ("2.6.0.dev2026112%d+cpu", "2.8.0.dev2026112%d+cu128", "2.15.0.dev2026112%d+official.cpu")
        for day in range(3):
            for version in nights:
                self.zip(version % day)
        magma = self.magma("2.10.0"), self.magma("2.9.0")
        self.publish(0, "add", self.site, self.dist, "--channel", "nightly")
        self.publish(0, "prune", self.site, "--keep", "2")
        kept = [ZIP.format(version % day) for version in nights for day in (1, 2)]
        self.assertEqual(self.names("nightly"), sorted([*kept, *(f"linux-64/{file.name}" for file in magma)]))
        newest = self.read("nightly/index.html").partition('<details class="older">')[0]
        self.assertEqual([ZIP.format(version % 2) in newest for version in nights], [True] * 3)
        self.assertNotIn(ZIP.format(nights[0] % 1), newest)
