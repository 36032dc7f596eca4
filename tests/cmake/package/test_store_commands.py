# SPDX-License-Identifier: BSD-3-Clause
"""The commands of cmake/store: what is damaged is found, what is removed was unused, and a killed save leaves no entry."""

import fcntl
import json
import os
import select
import signal
import subprocess
import time
from unittest import mock

import power_cut
from store_fixture import ONE, THREE, TWO, StoreTest


class Store(StoreTest):
    def test_there_and_back(self):
        (self.package / "install/lib").chmod(0o775)
        entry = self.save()
        (entry / "install/lib/a.so.1").chmod(0o4666)
        (entry / "install/empty").chmod(0o2777)
        target, _ = self.restore(0, entry)
        self.assertEqual((target / "install/lib/a.so.1").read_text(), "library")
        modes = {path: (target / "install" / path).stat().st_mode & 0o7777 for path in ("lib/a.so.1", "lib", "empty")}
        self.assertEqual(modes, {"lib/a.so.1": 0o644, "lib": 0o755, "empty": 0o755})
        self.assertEqual(os.readlink(target / "install/lib/a.so"), "a.so.1")
        self.assertTrue((target / "install/empty").is_dir())
        self.assertEqual(sorted(os.listdir(target)), ["install", "manifest.json"])
        self.restore(10, self.store / "p" / TWO)

    def test_damage(self):
        def relink(lib):
            (lib / "a.so").unlink()
            (lib / "a.so").symlink_to("/elsewhere")

        def replace_by_folder(lib):
            (lib / "../../files.json").unlink()
            (lib / "../../files.json").mkdir()

        def replace_by_pipe(lib):
            (lib / "../../files.json").unlink()
            os.mkfifo(lib / "../../files.json")

        def link_to_copy(lib):
            outside = self.box / "outside"
            os.rename(lib.parent, outside)
            lib.parent.symlink_to(outside)

        for words, damage in (
            ("install/lib/a.so.1 has changed", lambda lib: (lib / "a.so.1").write_text("LIBRARY")),
            ("install/lib/a.so.1 has changed", lambda lib: (lib / "a.so.1").chmod(0o755)),
            ("install/lib/a.so.1 is missing", lambda lib: (lib / "a.so.1").unlink()),
            ("install/lib/b was added", lambda lib: (lib / "b").write_text("")),
            ("install/lib/a.so has changed", relink),
            ("it has no files.json", lambda lib: (lib / "../../files.json").unlink()),
            ("its files.json cannot be read", lambda lib: (lib / "../../files.json").write_text("")),
            ("its files.json cannot be read", lambda lib: (lib / "../../files.json").write_text("[" * 200000)),
            ("its files.json cannot be read", lambda lib: (lib / "../../files.json").write_text('{"files": [1]}')),
            (
                "its files.json cannot be read",
                lambda lib: (lib / "../../files.json").write_text('{"files": {}, "folders": 1}'),
            ),
            ("its files.json is not a file", replace_by_folder),
            ("its files.json is not a file", replace_by_pipe),
            ("install/empty is missing", lambda lib: (lib / "../empty").rmdir()),
            ("install/lib/b was added", lambda lib: (lib / "b").mkdir()),
            ("install/lib/b was added", lambda lib: os.mkfifo(lib / "b")),
            ("install was added", link_to_copy),
        ):
            with self.subTest(words):
                entry = self.save()
                damage(entry / "install/lib")
                self.assertIn(f"{entry} is damaged: {words}", self.run_store(1, "verify"))
                target, said = self.restore(10, entry)
                self.assertIn(f"{entry} is damaged: {words}\n  It was moved aside to", said)
                self.assertFalse(entry.exists())
                self.assertFalse((target / "install").exists())
                self.assertIn("0 entries are damaged", self.run_store(0, "verify"))
                self.assertIn(f"removed p/{ONE}.damaged-", self.run_store(0, "prune"))
        self.assertIn("0 entries, 0 kB", self.run_store(0, "list"))

    def test_entry_of_an_earlier_version(self):
        """Its list has no folders."""
        entry = self.save()
        listed = json.loads((entry / "files.json").read_text())
        del listed["folders"]
        (entry / "files.json").write_text(json.dumps(listed))
        self.restore(0, entry)

    def test_damage_that_another_build_finds_too(self):
        """It has put the entry aside, and perhaps stored it anew, before this one does so."""
        entry = self.save()
        library = entry / "install/lib/a.so.1"
        for meanwhile, there in ((f"rm -r '{entry}'", False), (f"printf library >'{library}'", True)):
            self.save()
            library.write_text("LIBRARY")
            self.write("cp", f'#!/bin/sh\nPATH={os.environ["PATH"]!r}\ncp "$@" && {meanwhile}\n', 0o755)
            with mock.patch.dict(os.environ, PATH=f"{self.box}:{os.environ['PATH']}"):
                _, said = self.restore(10, entry)
            self.assertIn(f"{entry} was not whole when it was copied: install/lib/a.so.1 has changed", said)
            self.assertEqual(entry.exists(), there)
            self.assertEqual(len(os.listdir(self.store / "p")), 1 + there)
        with open(self.store / "p/runs.lock") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            library.write_text("LIBRARY")
            words = ("restore", "--entry", entry, "--package", self.box / "target")
            process = subprocess.Popen(self.command(*words), stderr=subprocess.PIPE, text=True)
            self.addCleanup(process.stderr.close)
            self.addCleanup(process.kill)
            self.assertIn("waiting for it", process.stderr.readline())
            self.assertTrue(entry.exists())
        self.assertEqual(process.wait(), 10)
        self.assertFalse(entry.exists())

    def test_link_to_an_entry(self):
        entry, real = self.save(), self.box / "real"
        os.rename(entry, real)
        entry.symlink_to(real)
        for _ in range(2):
            target, _ = self.restore(0, entry)
            self.assertEqual(sorted(os.listdir(target)), ["install", "manifest.json"])
            self.assertTrue((real / "install/lib/a.so.1").exists())

    def test_prune(self):
        for name, days in ((f"p/{ONE}", 40), (f"p/{TWO}", 1), (f"q/{THREE}", 0)):
            entry = self.save(name)
            os.utime(entry / "files.json", (time.time() - days * 86400 - 60,) * 2)
        self.assertEqual(
            [line.split()[0] for line in self.run_store(0, "list").splitlines()[:3]],
            [f"p/{ONE}", f"p/{TWO}", f"q/{THREE}"],
        )
        self.assertIn(f"would remove p/{ONE}", self.run_store(0, "prune", "--days", 30, "--dry-run"))
        said = self.run_store(0, "prune", "--days", 30)
        self.assertIn(f"removed p/{ONE}", said)
        self.assertNotIn(f"p/{TWO}", said)
        self.restore(0, self.store / f"p/{TWO}")  # which makes it the one that was used last
        said = self.run_store(0, "prune", "--gigabytes", 5e-7)
        self.assertIn(f"removed q/{THREE}", said)
        self.assertTrue((self.store / f"p/{TWO}").exists())

    def test_prune_leaves_what_is_not_its_own(self):
        self.save()
        for name in ("photos/2020", "photos/a.partial-b", "p/3.9.0", "p/a.partial-b", "p/a.damaged-b"):
            (self.store / name).mkdir(parents=True)
        (self.store / "p/link").symlink_to(self.store / "photos")
        self.assertIn("0 entries are damaged", self.run_store(0, "verify"))
        self.assertIn("1 entries", self.run_store(0, "list"))
        said = self.run_store(0, "prune", "--days", 0, "--gigabytes", 0)
        self.assertIn(f"removed p/{ONE}", said)
        self.assertEqual(sorted(os.listdir(self.store / "photos")), ["2020", "a.partial-b"])
        self.assertEqual(
            sorted(os.listdir(self.store / "p")), ["3.9.0", "a.damaged-b", "a.partial-b", "link", "runs.lock"]
        )
        self.store = self.box / "a.damaged-store"
        entry = self.save()
        self.run_store(0, "prune")
        self.assertTrue(entry.exists())

    def test_prune_without_sense(self):
        self.save()
        for words in (("--days", "-1"), ("--days", "nan"), ("--gigabytes", "-1"), ("--gigabytes", "x")):
            self.assertIn("invalid amount value", self.run_store(2, "prune", *words))
        self.assertIn("1 entries", self.run_store(0, "list"))

    def test_prune_waits_for_a_save(self):
        """One that has just made its folder, and does not hold its lock yet."""
        self.save()
        young = self.store / f"p/{TWO}.partial-x"
        young.mkdir()
        with open(self.store / "p/runs.lock") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            process = subprocess.Popen(
                self.command("prune"), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
            )
            self.addCleanup(process.stderr.close)
            self.addCleanup(process.kill)
            self.assertTrue(select.select([process.stderr], [], [], 60)[0], "it waits without a word")
            said = process.stderr.readline()
            self.assertEqual(said, f"another run is at work in {self.store / 'p'}, waiting for it\n")
            self.assertTrue(young.exists())
        self.assertEqual(process.wait(), 0)
        self.assertFalse(young.exists())

    def test_prune_after_a_killed_one(self):
        for number in range(2000):
            (self.package / f"install/{number}").write_text("")
        for _ in range(2):
            entry = self.save()
            process = subprocess.Popen(self.command("prune", "--days", 0), stdout=subprocess.DEVNULL)
            while entry.exists():
                time.sleep(0.0001)
            process.kill()
            process.wait()
        self.run_store(0, "prune", "--days", 30)
        self.assertEqual(os.listdir(self.store / "p"), ["runs.lock"])

    def test_killed_at_any_moment(self):
        for number in range(200):
            (self.package / f"install/{number}").write_text("x" * 1000)
        entry = self.store / "p" / ONE
        for moment in range(12):
            process = subprocess.Popen(self.command("save", "--entry", entry, "--package", self.package))
            time.sleep(moment * 0.03)
            process.send_signal(signal.SIGKILL)
            process.wait()
            if entry.exists():
                self.assertIn("0 entries are damaged", self.run_store(0, "verify"))
        self.save()
        self.assertEqual(sorted(os.listdir(self.store / "p")), [ONE, "runs.lock"])
        self.restore(0, entry)

    def test_ended_while_it_copies(self):
        slow = f"#!/bin/sh\necho $$ >'{self.box}/new' && mv '{self.box}/new' '{self.box}/pid' && exec sleep 60\n"
        self.write("cp", slow, 0o755)
        self.environment(PATH=f"{self.box}:{os.environ['PATH']}")
        for number in (signal.SIGTERM, signal.SIGHUP):
            with self.subTest(number):
                (self.box / "pid").unlink(missing_ok=True)
                command = self.command("save", "--entry", self.store / "p" / ONE, "--package", self.package)
                process = subprocess.Popen(command, stderr=subprocess.PIPE)
                while not (self.box / "pid").exists():
                    time.sleep(0.01)
                while process.poll() is None:  # one that comes just before it waits does not end that
                    process.send_signal(number)
                    time.sleep(0.01)
                with process.stderr as said:
                    self.assertEqual((said.read(), process.returncode), (b"", 128 + number))
                self.assertEqual(os.listdir(self.store / "p"), ["runs.lock"])
                pid = (self.box / "pid").read_text().strip()
                for _ in range(1000):  # killed; its new parent takes note of it
                    if not os.path.exists(f"/proc/{pid}"):
                        break
                    time.sleep(0.01)
                self.assertFalse(os.path.exists(f"/proc/{pid}"))

    def test_power_cut(self):
        """What is on the disk right after success is a whole entry."""
        disk = power_cut.Disk(self, self.box)
        for number in range(50):
            (self.package / f"install/{number}").write_bytes(os.urandom(20000))
        self.store = disk.folder / "store"
        entry = self.save()
        disk.cut_power()
        self.assertIn("0 entries are damaged", self.run_store(0, "verify"))
        self.restore(0, entry)
