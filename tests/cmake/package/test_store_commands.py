# SPDX-License-Identifier: BSD-3-Clause
"""The commands of engine/store: what is damaged is found, what is removed was unused, a killed save leaves no entry, and a store
that one may only read is used as far as that goes."""

import os
import shutil
import signal
import subprocess
import sys
import time

from box import ROOT, BoxTest, need

import power_cut

ONE, TWO, THREE = ("0123456789abcdef" * 4, "2" * 64, "3" * 64)


class StoreTest(BoxTest):
    def setUp(self):
        super().setUp()
        self.store, self.package, self.target = self.box / "store", self.box / "package", self.box / "target"
        self.target.mkdir()
        self.write("package/install/lib/a.so.1", "library")
        (self.package / "install/lib/a.so").symlink_to("a.so.1")
        (self.package / "install/empty").mkdir()
        self.write("package/manifest.json", {"fingerprint": ONE})

    def command(self, *words):
        python = [sys.executable, "-I", "-S", "-B", "-X", "utf8"]
        return [*python, str(ROOT / "engine"), "store", "--store", str(self.store), *map(str, words)]

    def run_store(self, expected, *words):
        self.run_program(expected, *self.command(*words))
        return self.text

    def save(self, name=f"p/{ONE}"):
        self.write("package/manifest.json", {"fingerprint": os.path.basename(name)})
        self.run_store(0, "save", "--entry", self.store / name, "--package", self.package)
        return self.store / name

    def restore(self, expected, entry):
        return self.run_store(expected, "restore", "--entry", entry, "--package", self.target)

    def slow_copy(self, script):
        """`cp` is this for the store."""
        real = os.environ["PATH"].replace(f"{self.box}:", "")
        self.write("cp", f"#!/bin/sh\nPATH={real!r}\n{script}\n", 0o755)
        self.environment(PATH=f"{self.box}:{real}")


class Entries(StoreTest):
    def test_there_and_back(self):
        (self.package / "install/lib").chmod(0o775)
        entry = self.save()
        (entry / "install/lib/a.so.1").chmod(0o4666)
        (entry / "install/empty").chmod(0o2777)
        self.restore(0, entry)
        modes = {
            path: (self.target / "install" / path).stat().st_mode & 0o7777 for path in ("lib/a.so.1", "lib", "empty")
        }
        self.assertEqual(modes, {"lib/a.so.1": 0o644, "lib": 0o755, "empty": 0o755})
        self.assertEqual(os.readlink(self.target / "install/lib/a.so"), "a.so.1")
        self.assertEqual((self.target / "install/lib/a.so").read_text(), "library")
        self.assertEqual(sorted(os.listdir(self.target)), ["install", "manifest.json"])
        self.assertEqual(self.restore(10, self.store / "p" / TWO), "")

    def test_damage(self):
        def replace(path, make):
            def damage(entry):
                (entry / path).unlink()
                make(entry / path)

            return damage

        def text(path, content):
            return lambda entry: (entry / path).write_text(content)

        library, listed, unreadable = "install/lib/a.so.1", "files.json", "its files.json cannot be read"
        for words, damage in (
            (f"{library} has changed", text(library, "LIBRARY")),
            (f"{library} has changed", lambda entry: (entry / library).chmod(0o755)),
            (f"{library} is missing", lambda entry: (entry / library).unlink()),
            ("install/lib/a.so has changed", replace("install/lib/a.so", lambda link: link.symlink_to("/elsewhere"))),
            ("install/empty is missing", lambda entry: (entry / "install/empty").rmdir()),
            ("install/lib/b was added", text("install/lib/b", "")),
            ("install/lib/b was added", lambda entry: (entry / "install/lib/b").mkdir()),
            ("install/lib/b was added", lambda entry: os.mkfifo(entry / "install/lib/b")),
            ("more was added", text("more", "")),
            ("more was added", lambda entry: (entry / "more").mkdir()),
            ("more was added", lambda entry: os.mkfifo(entry / "more")),
            ("it has no files.json", lambda entry: (entry / listed).unlink()),
            (unreadable, text(listed, "")),
            (unreadable, text(listed, '{"files": [1]}')),
            (unreadable, text(listed, '{"files": {}}')),
            ("its files.json is not a file", replace(listed, os.mkdir)),
            ("its files.json is not a file", replace(listed, os.mkfifo)),
            (
                "manifest.json does not name its fingerprint",
                lambda entry: shutil.copytree(entry, entry.with_name(TWO), True),
            ),
        ):
            with self.subTest(words):
                entry = self.save()
                damage(entry)
                if entry.with_name(TWO).exists():
                    entry = entry.with_name(TWO)
                self.run_program(1, *self.command("verify"), says=[f"{entry} is damaged:", words])
                self.assertIn(f"\n  It was moved aside to {entry}.damaged-", self.restore(10, entry))
                self.assertFalse(entry.exists() or (self.target / "install").exists())
                self.assertIn("0 entries are damaged", self.run_store(0, "verify"))
                self.assertIn(f"removed p/{entry.name}.damaged-", self.run_store(0, "prune"))

    def test_a_faulty_disk(self):
        """The store's: space would not help, and a build does not end for it."""
        entry = self.save()
        self.slow_copy("echo 'cp: error reading a: Input/output error' >&2; exit 1")
        self.assertIn("Input/output error; the package is built", self.restore(10, entry))

    def test_another_run_at_the_same_moment(self):
        """It removes the entry, or repairs it, while this one copies it."""
        gone, repaired = self.save(), self.save(f"p/{TWO}")
        for entry, meanwhile, says in (
            (gone, 'rm -r "$entry"', ""),
            (repaired, 'cp "$@" && printf library >"$entry/install/lib/a.so.1"', "the copy was incomplete"),
        ):
            with self.subTest(meanwhile):
                (entry / "install/lib/a.so.1").write_text("LIBRARY")
                self.slow_copy(f"entry='{entry}'; {meanwhile}; exit 0")
                self.assertIn(says, self.restore(10, entry))
        self.assertEqual(sorted(os.listdir(self.store / "p")), [TWO, "runs.lock"])

    def test_prune(self):
        for name, days in ((f"p/{ONE}", 40), (f"p/{TWO}", 1), (f"q/{THREE}", 0)):
            entry = self.save(name)
            os.utime(entry / "files.json", (time.time() - days * 86400 - 60,) * 2)
        listed = [line.split()[0] for line in self.run_store(0, "list").splitlines()[:3]]
        self.assertEqual(listed, [f"p/{ONE}", f"p/{TWO}", f"q/{THREE}"])
        self.assertIn(f"would remove p/{ONE}", self.run_store(0, "prune", "--days", 30, "--dry-run"))
        text = self.run_store(0, "prune", "--days", 30)
        self.assertIn(f"removed p/{ONE}", text)
        self.assertNotIn(f"p/{TWO}", text)
        self.restore(0, self.store / f"p/{TWO}")  # which makes it the one that was used last
        self.assertIn(f"removed q/{THREE}", self.run_store(0, "prune", "--gigabytes", 5e-7))
        self.assertTrue((self.store / f"p/{TWO}").exists())
        self.assertIn("invalid amount value", self.run_store(2, "prune", "--days", "-1"))

    def test_prune_while_it_is_used(self):
        entry, unused = self.save(), self.save(f"p/{TWO}")
        self.slow_copy(f"touch '{self.box}/copying'; until [ -e '{self.box}/go' ]; do sleep 0.01; done; cp \"$@\"")
        process = subprocess.Popen(self.command("restore", "--entry", entry, "--package", self.target))
        while not (self.box / "copying").exists():
            time.sleep(0.01)
        text = self.run_store(0, "prune", "--days", 0, "--gigabytes", 0)
        self.assertRegex(text, rf"(?m)^in use: p/{entry.name} ")
        self.assertRegex(text, rf"(?m)^removed p/{unused.name} ")
        (self.box / "go").touch()
        self.assertEqual(process.wait(), 0)
        self.assertEqual((self.target / "install/lib/a.so").read_text(), "library")
        self.assertRegex(self.run_store(0, "prune", "--gigabytes", 0), rf"(?m)^removed p/{entry.name} ")
        self.assertEqual(os.listdir(self.store / "p"), ["runs.lock"])

    def test_prune_leaves_what_is_not_its_own(self):
        self.save()
        for name in (
            "photos/2020",
            "photos/a.partial-b",
            "p/3.9.0",
            "p/a.partial-b",
            "p/a.damaged-b",
            f"p/{TWO}.partial-x",
        ):
            (self.store / name).mkdir(parents=True)
        (self.store / "p/link").symlink_to(self.store / "photos")
        self.assertIn("0 entries are damaged", self.run_store(0, "verify"))
        self.assertIn(f"removed p/{ONE}", self.run_store(0, "prune", "--days", 0, "--gigabytes", 0))
        self.assertEqual(sorted(os.listdir(self.store / "photos")), ["2020", "a.partial-b"])
        own = ["3.9.0", "a.damaged-b", "a.partial-b", "link", "runs.lock"]
        self.assertEqual(sorted(os.listdir(self.store / "p")), own)

    def test_no_store(self):
        self.environment(XDG_CACHE_HOME=str(self.box), TSB_STORE="no/store")
        nowhere, unnamed = self.box / "nowhere", self.box / "torch-superbuild/store"
        for words in ("list", "verify", "prune"):
            self.store = nowhere
            self.assertIn(f"there is no store {nowhere}\n       correct --store or TSB_STORE", self.run_store(3, words))
            self.store = unnamed
            self.assertIn(f"there is no store {unnamed} yet\n", self.run_store(0, words))
        # A relative one is below the project, as for the build.
        command = [word for word in self.command("list") if word not in ("--store", str(self.store))]
        self.run_program(3, *command, cwd=self.box, says=[f"there is no store {ROOT}/no/store"])


class Interrupted(StoreTest):
    def test_killed_at_any_moment(self):
        for number in range(200):
            (self.package / f"install/{number}").write_text("x" * 1000)
        entry = self.store / "p" / ONE
        for moment in range(8):
            process = subprocess.Popen(self.command("save", "--entry", entry, "--package", self.package))
            time.sleep(moment * 0.05)
            process.kill()
            process.wait()
            if entry.exists():
                self.assertIn("0 entries are damaged", self.run_store(0, "verify"))
        self.save()
        for _ in range(100):  # the cp of a killed run may still write into its folder
            self.run_store(0, "prune")
            if len(os.listdir(self.store / "p")) == 2:
                break
            time.sleep(0.1)
        self.assertEqual(sorted(os.listdir(self.store / "p")), [ONE, "runs.lock"])
        self.restore(0, entry)

    def test_ended_while_it_copies(self):
        self.slow_copy(f"touch '{self.box}/copying'; exec sleep 60")
        command = self.command("save", "--entry", self.store / "p" / ONE, "--package", self.package)
        process = subprocess.Popen(command, stderr=subprocess.PIPE)
        while not (self.box / "copying").exists():
            time.sleep(0.01)
        while process.poll() is None:  # one just before it waits does not end that
            process.send_signal(signal.SIGTERM)
            time.sleep(0.01)
        with process.stderr as text:
            self.assertEqual((text.read(), process.returncode), (b"", 128 + signal.SIGTERM))
        self.assertEqual(os.listdir(self.store / "p"), ["runs.lock"])

    def on_a_small_disk(self, folder, *words):
        """What a command says that fails since there is little space in this folder."""
        mount = 'mount -t tmpfs -o size=12k none "$0"'
        apart = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c"]
        said = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
        tried = subprocess.run([*apart, mount, str(folder)], **said)
        if tried.returncode:
            self.skipTest(f"no mount of its own: {tried.stdout}")
        command = self.command(*words, "--entry", self.store / "p" / ONE, "--package", self.package)
        script = mount + ' && "$@"; code=$?; ls "$0"/*; exit $code'
        done = subprocess.run([*apart, script, str(folder), *command], **said)
        self.assertEqual(done.returncode, 3)
        return done.stdout

    def test_full_disk(self):
        (self.package / "install/large").write_bytes(bytes(100000))
        self.store.mkdir()
        said = self.on_a_small_disk(self.store, "save")
        self.assertIn(
            "No space left on device\n       free some disk space, or set TSB_STORE to a writable folder", said
        )
        self.assertEqual(said.splitlines()[-1], "runs.lock")
        self.save()
        said = self.on_a_small_disk(self.package, "restore")  # another folder for the store would not help
        self.assertIn("No space left on device\n       free some disk space for the build folder\n", said)

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


class OfAnotherUser(StoreTest):
    """Root may do everything, unless it gives that up."""

    def as_reader(self, ends, *words, says=(), modes=None):
        """Runs a command with these modes of paths in the store; by default its folders may only be read."""
        modes = modes or {".": 0o555, "p": 0o555, "p/runs.lock": 0o444}
        before = {path: (self.store / path).stat().st_mode for path in modes}
        apart = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] if os.geteuid() == 0 else []
        if apart:
            need("setpriv")
        for path, mode in modes.items():
            (self.store / path).chmod(mode)
        try:
            self.run_program(ends, *apart, *self.command(*words), says=says)
        finally:
            for path, mode in before.items():
                (self.store / path).chmod(mode)

    def test_may_only_be_read(self):
        entry = self.save()
        restore = ("restore", "--entry", entry, "--package", self.target)
        no_right = "Permission denied give yourself permission, or set TSB_STORE to another folder"
        self.as_reader(0, "list", says=["1 entry"])
        self.as_reader(0, *restore)
        self.as_reader(3, "prune", says=[f"cannot use {self.store}/p/runs.lock: {no_right}"])
        other = entry.with_name(TWO)
        self.as_reader(
            0, "save", "--entry", other, "--package", self.package, says=[f"store: cannot write {other}: {no_right}"]
        )
        (entry / "install/lib/a.so.1").write_text("LIBRARY")
        damaged = "it is damaged (install/lib/a.so.1 has changed) and cannot be moved aside: Permission denied"
        self.as_reader(10, *restore, says=[f"store: {entry} is not used: {damaged}; the package is built"])

    def test_may_not_be_read(self):
        """As under umask 077: the package's folder, the entry, or a file in it."""
        entry = self.save()
        for path in ("p", f"p/{ONE}", f"p/{ONE}/install/lib/a.so.1"):
            with self.subTest(path):
                says = [f"store: {entry} is not used: ", "Permission denied; the package is built"]
                restore = ("restore", "--entry", entry, "--package", self.target)
                self.as_reader(10, *restore, says=says, modes={path: 0})
                self.assertEqual(len(self.text.splitlines()), 1)
