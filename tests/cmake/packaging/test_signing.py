# SPDX-License-Identifier: BSD-3-Clause
"""The command that signs the documents beside packed files."""

import fcntl
import hashlib
import os
import select
import shutil
import subprocess
import tempfile
import unittest

from statement_fixture import ZIP, PackedFiles


class Signing(PackedFiles):
    def test_signed(self):
        signer = 'sign() { echo said; sed "s/^/signed /" "$1" >"$1.sig"; }; sign'
        run = self.run_script(signer, *self.write_advisories())
        self.assertEqual(run.returncode, 0, run.stdout)
        documents = ["debug-" + ZIP + ".intoto.json", ZIP + ".intoto.json", ZIP + ".openvex.json"]
        names = [name + suffix for name in documents for suffix in ("", ".sig")]
        self.assertEqual(self.new_files(), names)
        self.assertEqual(
            [line for line in run.stdout.splitlines() if line.startswith("/")],
            [str(self.dist / name) for name in names],
        )
        self.assertTrue((self.dist / (ZIP + ".intoto.json.sig")).read_text().startswith("signed {"))

    def test_no_command_line_has_the_command(self):
        run = self.run_script('sign() { : secret; tr "\\0" "\n" <"/proc/$$/cmdline" >"$1.sig"; }; sign')
        self.assertEqual(run.returncode, 0, run.stdout)
        words = (self.dist / (ZIP + ".intoto.json.sig")).read_text().splitlines()
        self.assertEqual(words[:2], ["sh", "-c"])
        self.assertNotIn("secret", "".join(words))

    def expect_refused(self, signer, *texts):
        run = self.run_script(signer)
        self.assertEqual(run.returncode, 1, run.stdout)
        for text in texts:
            self.assertIn(text, run.stdout)
        self.assertNotIn("secret", run.stdout)
        self.assertEqual(self.new_files(), [])

    def test_a_signer_that_fails(self):
        name = "debug-" + ZIP + ".intoto.json"
        self.expect_refused(
            'f() { : secret; echo half >"$1.sig"; exit 7; }; f',
            "the command in TSB_SIGN ended with 7 for " + name,
            "see its message above and run the same command again, or unset TSB_SIGN to sign nothing",
        )
        self.expect_refused("no-such-signer secret", "ended with 127 for " + name, "no-such-signer")

    def test_a_signer_that_signs_nothing(self):
        self.expect_refused("true", "left no signature beside debug-" + ZIP + ".intoto.json, but no file")
        others = ('touch "$1.sig"', 'echo x >"$(dirname "$1")/else"', 'mkdir "$1.sig"', 'mkfifo "$1.sig"')
        names = ('echo x >"$1.a;b"', 'echo x >"$1.partial-1"', 'echo x >"$1.a\nb"')  # CMake has lists, and we clean up
        for other in others + names:
            self.expect_refused(
                "f() { %s; }; f" % other, "left no signature beside", "let it write files that are called"
            )

    def test_a_signer_that_changes_the_statement(self):
        text = "the command in TSB_SIGN has changed debug-" + ZIP + ".intoto.json"
        self.expect_refused('f() { echo x >>"$1"; echo x >"$1.sig"; }; f', text)
        self.expect_refused('f() { rm "$1"; echo x >"$1.sig"; }; f', text)

    def test_two_runs_at_once(self):
        """Two build folders make other documents for the same names: each has the signature that was made for it."""
        commands = []
        for build, commit in (("first", "c1"), ("second", "c2")):
            self.write_build(build)
            shutil.copytree(self.box / "a build/steps/a", self.box / build / "steps/a", dirs_exist_ok=True)
            commands.append(self.command("--commit", commit, "--clean", "true"))
        self.dist = self.box / "a build/a dist"
        environment = {**os.environ, "TSB_SIGN": 'sign() { sha256sum <"$1" >"$1.sig"; }; sign'}
        for _ in range(8):
            runs = [subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL) for command in commands]
            self.assertEqual([run.wait() for run in runs], [0, 0])
            for name in ("debug-" + ZIP, ZIP):
                document = (self.dist / (name + ".intoto.json")).read_bytes()
                signature = (self.dist / (name + ".intoto.json.sig")).read_text()
                self.assertEqual(signature, hashlib.sha256(document).hexdigest() + "  -\n")
            self.assertEqual(len(self.new_files()), 4)

    def test_another_run_is_named(self):
        folder = os.open(self.dist, os.O_RDONLY)
        self.addCleanup(os.close, folder)
        fcntl.flock(folder, fcntl.LOCK_EX)
        run = subprocess.Popen(self.command(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.addCleanup(run.stderr.close)
        self.addCleanup(run.kill)
        self.assertTrue(select.select([run.stderr], [], [], 60)[0], "it waits without a word")
        said = run.stderr.readline()
        self.assertEqual(said, f"statement: another run is writing statements into {self.dist}, waiting for it\n")
        fcntl.flock(folder, fcntl.LOCK_UN)
        self.assertEqual((run.stderr.read(), run.wait()), ("", 0))

    @unittest.skipUnless(shutil.which("gpg"), "gpg is not installed")
    def test_gpg(self):
        # Its agent's socket cannot have a long path.
        home = tempfile.TemporaryDirectory()
        self.addCleanup(home.cleanup)
        gpg = ["gpg", "--homedir", home.name, "--batch", "--quiet"]
        subprocess.run([*gpg, "--passphrase", "", "--quick-generate-key", "a@b.example"], check=True)
        self.addCleanup(subprocess.run, ["gpgconf", "--homedir", home.name, "--kill", "all"])
        run = self.run_script(" ".join([*gpg, "--armor", "--detach-sign"]))
        self.assertEqual(run.returncode, 0, run.stdout)
        signature, statement = self.dist / (ZIP + ".intoto.json.asc"), self.dist / (ZIP + ".intoto.json")
        subprocess.run([*gpg, "--verify", signature, statement], check=True)
        statement.write_bytes(statement.read_bytes() + b"\n")
        self.assertNotEqual(subprocess.run([*gpg, "--verify", signature, statement]).returncode, 0)

    @unittest.skipUnless(shutil.which("minisign"), "minisign is not installed")
    def test_minisign(self):
        keys = ["-p", self.box / "key.pub"]
        subprocess.run(["minisign", "-G", "-W", *keys, "-s", self.box / "key"], check=True, stdout=subprocess.DEVNULL)
        run = self.run_script("minisign -S -s '%s' -m" % (self.box / "key"))
        self.assertEqual(run.returncode, 0, run.stdout)
        subprocess.run(["minisign", "-V", *keys, "-m", self.dist / (ZIP + ".intoto.json")], check=True)
