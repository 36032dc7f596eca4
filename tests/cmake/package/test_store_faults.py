# SPDX-License-Identifier: BSD-3-Clause
"""A store that is not there, is another user's, or is changed meanwhile."""

import os
import shutil

from box import ROOT, need

from store_fixture import TWO, StoreTest


class Faults(StoreTest):
    def test_put_aside_twice_in_a_second(self):
        script = "entry.time.strftime = lambda form: '0'; sys.exit(command_line.main(sys.argv[1:]))"
        for _ in range(2):
            entry = self.save()
            (entry / "install/lib/a.so.1").write_text("LIBRARY")
            self.run_script(10, script, "restore", "--entry", entry, "--package", self.box)
        self.assertEqual(len(list(self.store.glob("p/*.damaged-0-*"))), 2)

    def test_entry_of_another_fingerprint(self):
        first = self.save()
        other = first.with_name(TWO)
        shutil.copytree(first, other, symlinks=True)
        fault = f"{other} is damaged: its manifest.json does not name its fingerprint"
        said = self.run_store(1, "verify")
        self.assertIn(fault, said)
        self.assertNotIn(f"{first} is damaged", said)
        self.assertIn(fault, self.restore(10, other)[1])
        self.assertFalse(other.exists())

    def test_store_of_another_user(self):
        """Its times cannot be set."""
        script = "os.utime = lambda path: os.open('/no/such', 0); print(entry.restore(*sys.argv[1:]))"
        target = self.box / "target"
        target.mkdir()
        self.assertEqual(self.run_script(0, script, self.save(), target), "True\n")

    def test_store_that_may_only_be_read(self):
        """Root may write nevertheless, unless it gives that up."""
        entry = self.save()
        folders = [self.store, self.store / "p"]
        command = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] if os.geteuid() == 0 else []
        if command:
            need("setpriv")
        target = self.box / "target"
        target.mkdir()

        def run(ends, *words, says=()):
            (self.store / "p/runs.lock").chmod(0o444)
            for folder in folders:
                folder.chmod(0o555)
            try:
                self.run_program(ends, *command, *self.command(*words), says=says)
            finally:
                for folder in folders:
                    folder.chmod(0o755)

        no_right = "Permission denied give yourself the right to do that, or set TSB_STORE to another folder"
        restore = ("restore", "--entry", entry, "--package", target)
        run(0, "list", says=["1 entries"])
        run(0, "verify", says=["0 entries are damaged"])
        run(0, *restore)
        run(3, "prune", says=[f"cannot use {self.store}/p/runs.lock: {no_right}"])
        (entry / "install/lib/a.so.1").write_text("LIBRARY")
        run(1, "verify", says=[f"{entry} is damaged: install/lib/a.so.1 has changed"])
        damage = f"{entry} is damaged (install/lib/a.so.1 has changed) and cannot be moved aside: {no_right}"
        run(3, *restore, says=[damage])
        run(3, "save", "--entry", entry.with_name(TWO), "--package", self.package, says=[f"{TWO}: {no_right}"])
        (entry / "files.json").chmod(0)
        run(3, "verify", says=[f"cannot use {entry}/files.json: {no_right}"])

    def test_store_that_is_not_there(self):
        nowhere = self.box / "nowhere"
        for words in ("list", "verify", "prune"):
            self.store = nowhere
            self.assertIn(f"there is no store {nowhere}\n  correct --store or TSB_STORE", self.run_store(3, words))
            self.environment(XDG_CACHE_HOME=str(self.box))
            self.store = self.box / "torch-superbuild/store"
            self.assertIn(f"there is no store {self.store} yet\n", self.run_store(0, words))

    def test_relative_folder(self):
        """It is one of the project's, as for the build."""
        self.environment(TSB_STORE="no/store")
        command = [word for word in self.command("list") if word not in ("--store", str(self.store))]
        self.run_program(3, *command, cwd=self.box, says=[f"there is no store {ROOT}/no/store"])

    def test_removed_while_it_is_verified(self):
        """Or listed: before it is read, or halfway."""
        rename = "os.rename(place, place + '.partial-x')"
        for change in (
            f"real = entry.describe\ndef changed(place): {rename}; return real(place)\nentry.describe = changed\n",
            "def changed(place): os.rename(sys.argv[-1], sys.argv[-1] + '.partial-x'); open(place)\n"
            "entry.tree.digest_of = changed\n",
            f"real = command_line.size_of\ndef changed(place): {rename}; open(place)\ncommand_line.size_of = changed\n",
        ):
            with self.subTest(change):
                script = change + "sys.exit(command_line.main(['--store', sys.argv[1], 'verify']))"
                self.assertEqual(self.run_script(0, script, self.store, self.save()), "0 entries are damaged\n")

    def test_removed_while_it_is_taken(self):
        entry = self.save()
        self.write("cp", f"#!/bin/sh\nrm -r '{entry}'\nexit 1\n", 0o755)
        self.environment(PATH=f"{self.box}:{os.environ['PATH']}")
        self.restore(10, entry)
