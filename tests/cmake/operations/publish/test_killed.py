# SPDX-License-Identifier: BSD-3-Clause
"""Killed at any moment: what is published then is whole, and the same command completes it."""

import contextlib
import html
import io
import itertools
import re
import shlex
import shutil
import urllib.parse
from unittest import mock

from fixture import PublishTest

import publish
import static_site

from engine import failure


class Killed(BaseException):
    pass


class KilledAtEachStep(PublishTest):
    def setUp(self):
        super().setUp()
        self.environment(TSB_SIGN='f() { cksum <"$1" >"$1.sum"; }; f')
        signed = mock.patch("engine.make_statements.subprocess.run", self.sign)
        signed.start()
        self.addCleanup(signed.stop)

    @staticmethod
    def sign(command, **_):
        if command[0] == "sync":
            return mock.Mock(returncode=0)
        with open(command[-1]) as file, open(command[-1] + ".sum", "w") as signature:
            signature.write(str(hash(file.read())))
        return mock.Mock(returncode=0)

    def is_whole(self):
        """Whatever a page names is there."""
        for page in self.site.rglob("*.html"):
            for target in re.findall('href="([^"#]+)', page.read_text()):
                target = html.unescape(urllib.parse.unquote(target))
                if "sizes.csv" not in target and target != "../index.html":  # the root page is written last
                    self.assertTrue((page.parent / target).exists(), f"{page} names {target}")
        for page in self.site.rglob("repodata.json"):
            for name in self.json(page)["packages.conda"]:
                self.assertTrue((page.parent / name).is_file(), f"{page} names {name}")
        for sums in self.site.glob("*/SHA256SUMS"):
            for line in sums.read_text().splitlines():
                self.assertTrue((self.site / "files" / line.split()[1]).is_file(), line)

    def run_until(self, last, *words, interrupted=False, ends=(0,)):
        """Whether the command has ended before it was killed or interrupted, at its change number `last`."""
        real, steps = {name: getattr(static_site.obstore, name) for name in ("put", "copy", "delete")}, []

        def stepping(name):
            def call(*arguments, **options):
                if not interrupted and len(steps) >= last > 0:  # nobody tidies up after a kill
                    raise Killed
                real[name](*arguments, **options)
                steps.append(name)
                if len(steps) == last:
                    raise Killed

            return call

        said = io.StringIO()
        with mock.patch.multiple(static_site.obstore, **{name: stepping(name) for name in real}):
            with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
                with mock.patch("sys.argv", ["publish.py", *map(str, words)]):
                    try:
                        self.assertIn(failure.run(publish.main), ends)
                    except Killed:
                        return False
        return True

    def kill_at_each_step(self, *words):
        """How many steps there are. After the last one, a removal fails: there is no such file."""
        before, wanted = self.box / "before", None
        if self.site.exists():
            shutil.copytree(self.site, before)
        for last in itertools.count():
            shutil.rmtree(self.site, ignore_errors=True)
            if before.exists():
                shutil.copytree(before, self.site)
            done = self.run_until(last, *words) and last
            self.is_whole()
            self.assertTrue(self.run_until(0, *words, ends=(0, 3) if words[0] == "remove" else (0,)))
            self.is_whole()
            there = self.files(self.site)
            self.assertEqual(there, wanted or there)
            wanted = there
            if done:
                shutil.rmtree(before, ignore_errors=True)
                return last

    def test_each(self):
        for version in ("2.6.0+cpu", "2.7.0+cpu"):
            self.wheel(version)
        self.zip("2.7.0+cpu")
        self.conda("2.6")
        self.assertGreater(self.kill_at_each_step("add", self.site, self.dist), 20)
        self.assertEqual(len(self.json("test/files.json")["files"]), 4)
        self.assertGreater(self.kill_at_each_step("promote", self.site), 5)
        yank = "yank", self.site, "2.7.0", "--reason", "bad"
        self.assertGreater(self.kill_at_each_step(*yank), 5)
        self.assertEqual(list(self.site.glob("release/*latest*")), [])
        self.publish(0, *yank[:3], "--undo")
        self.assertEqual(len(list(self.site.glob("release/*latest*"))), 2)
        self.publish(0, "prune", self.site, "--keep", "1", "--channel", "test")
        self.kill_at_each_step("prune", self.site, "--keep", "1", "--channel", "release")
        self.assertEqual(len(self.json("release/files.json")["files"]), 2)
        self.assertEqual(len(self.files(self.site / "names")), 2)
        self.assertGreater(self.kill_at_each_step("remove", self.site, "2.7.0", "--yes"), 8)
        self.assertEqual([name for name in self.files(self.site) if "2.7.0" in name], [])

    def test_the_name_is_free_after_an_interrupt(self):
        """A killed upload keeps its name until somebody says that it was killed."""
        for interrupted, says in (
            (True, None),
            (False, "is being uploaded: wait, or if that was killed, run ./bootstrap.sh"),
        ):
            file = self.zip("2.6.0+cpu", content="first")
            shutil.rmtree(self.site, ignore_errors=True)
            self.assertFalse(self.run_until(1, "add", self.site, self.dist, interrupted=interrupted))
            self.zip("2.6.0+cpu", content="other")
            if says:
                self.publish(3, "add", self.site, self.dist, says=[f"error: another file {file.name} {says}"])
                command = shlex.split(self.text.partition("./bootstrap.sh publish ")[2])
                self.assertEqual(command, ["remove", str(self.site), file.name])
                self.publish(0, *command, "--yes", says=[f"remove from no channel: {file.name}"])
            self.publish(0, "add", self.site, self.dist, says=["1 of 1 file new"])
            self.assertEqual((self.site / "files" / file.name).read_bytes(), file.read_bytes())
