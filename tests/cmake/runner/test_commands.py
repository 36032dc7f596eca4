# SPDX-License-Identifier: BSD-3-Clause
"""What the runner does with a command: log, progress, exit code, and a failure explained."""

import json
import pathlib
import subprocess
import sys
import time

from fixture import RUNNER, RunnerTest, run_command


class Commands(RunnerTest):
    def test_success_is_passed_on_and_the_log_kept(self):
        result = self.run_phase("echo out; echo err >&2")
        self.assertEqual(result.returncode, 0)
        self.assertIn("\nout\nerr\n", self.log_text())
        self.run_phase("true")
        self.assertIn("err", self.log.with_name("build.log.1").read_text())

    def test_progress_is_told_when_it_changes(self):
        ninja = self.ninja(
            "rule s\n command = sleep 0.2; touch $out\n description = s\nbuild a: s\nbuild b: s\nbuild c: s\n"
        )
        result = self.run_phase(ninja)
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertIn("tsb_progress: 0.667 demo build: s\n", result.stdout)
        self.assertEqual(self.run_phase("sleep 1").stdout, "tsb_progress: demo build\n")

    def test_a_build_does_not_end_because_nobody_can_see_it(self):
        for where in ">/dev/full 2>&1", ">&- 2>&-", "2>&1 | true":
            for command, code in ("true", 0), ("exit 3", 3):
                words = ["sh", "-c", f'("$@"; echo $? >code) {where}', "sh", *self.words(["sh", "-c", command])]
                subprocess.run(words, cwd=self.folder, check=True)
                self.assertEqual((self.folder / "code").read_text(), f"{code}\n", where)

    def test_the_commands_words_are_passed_unchanged(self):
        words = ["--", "", "[a,b]", "--log", "a;b", "{}", "%%", "run", "ä"]
        self.run_phase(["sh", "-c", 'for word; do echo "<$word>"; done', "sh", *words])
        self.assertIn("\n" + "".join(f"<{word}>\n" for word in words), self.log_text())

    def test_the_log_is_what_the_command_printed_byte_by_byte(self):
        result = self.run_phase("printf 'x.c:1: error: \\377\\n'; printf unfinished; exit 1")
        self.assertTrue(self.log.read_bytes().endswith(b"\nx.c:1: error: \xff\nunfinished"))
        self.assertEqual(result.returncode, 1)

    def test_what_cannot_be_started_is_named(self):
        result = self.run_phase(["no-such-program"])
        self.assertEqual(result.returncode, 4)
        self.assertIn("demo build: no-such-program cannot be started: No such file", result.stdout)
        self.assertEqual(self.run_phase(["no-such-folder/ninja"]).returncode, 4)

    def test_nothing_of_python_reaches_the_command_or_the_tree(self):
        for name in "text.py", "json.py":  # modules of its own, and of Python's library
            (self.folder / name).write_text("raise SystemExit('from PYTHONPATH')")
        names = ["PYTHONHOME=/nowhere", f"PYTHONPATH={self.folder}"]
        result = run_command(["env", "-i", *names, *self.words(["env", "-i", "env"])])
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertTrue(self.log_text().endswith("$ env -i env\n"), self.log_text())
        self.assertFalse(list(pathlib.Path(RUNNER[-1]).glob("**/*.pyc")))

    def test_what_the_command_has_of_the_caller(self):
        values = {
            "HOME": "/a;false",
            "TMPDIR": "[",
            "XDG_CACHE_HOME": "",
            "CCACHE_REMOTE_STORAGE": "redis://u:secret@h\n",
        }
        others = {"HOMES": "/nowhere", "MYHOME": "/nowhere"}
        script = "import json, os, sys; json.dump(dict(os.environ), open(sys.argv[1], 'w'))"
        python = [sys.executable, "-I", "-S", "-c", script, str(self.folder / "got")]
        pairs = [f"{name}={value}" for name, value in {**values, **others}.items()]
        result = run_command(["env", *pairs, *self.words(["env", "-i", "PATH=/bin", *python])])
        self.assertEqual(result.returncode, 0, result.stdout)
        got = json.loads((self.folder / "got").read_text())
        self.assertEqual({name: got.get(name) for name in values}, values)
        self.assertNotIn("/nowhere", got.values())
        self.assertNotIn("secret", self.log_text())

    def test_a_server_left_behind_does_not_hold_it_up(self):
        begin = time.monotonic()
        result = self.run_phase(f"sleep 30 & echo $! > '{self.folder}/pid'")
        self.assertLess(time.monotonic() - begin, 15)
        self.assertEqual(result.returncode, 0)
        run_command(["kill", "-9", (self.folder / "pid").read_text().strip()])
