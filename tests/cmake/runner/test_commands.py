# SPDX-License-Identifier: BSD-3-Clause
"""What the runner does with a command: log, progress, exit code, and a failure explained."""

import json
import pathlib
import subprocess
import sys

from fixture import LOGS, RUNNER, RunnerTest, run_command

from command_line import parse  # isort: skip
from supervise import TICK_SECONDS  # isort: skip


class Commands(RunnerTest):
    def test_success_is_passed_on_and_the_log_kept(self):
        result = self.run_phase("echo out; echo err >&2")
        self.assertEqual(result.returncode, 0)
        self.assertIn("\nout\nerr\n", self.log_text())
        self.assertIn("demo build done in", result.stdout)
        self.run_phase("true")
        self.assertIn("err", self.log.with_name("build.log.1").read_text())

    def test_output_is_plain_when_it_is_not_a_terminal(self):
        ninja = self.ninja("rule s\n command = sleep 0.2; touch $out\nbuild a: s\nbuild b: s\nbuild c: s\n")
        result = self.run_phase(ninja, "--interval", 0)
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertIn("demo build 2/3 66%", result.stdout)
        self.assertNotRegex(result.stdout, "[\r\033]")

    def test_a_build_does_not_end_because_nobody_can_see_it(self):
        for where in ">/dev/full 2>&1", ">&- 2>&-", "2>&1 | true":
            for command, code in ("true", 0), ("exit 3", 3):
                words = ["sh", "-c", f'("$@"; echo $? >code) {where}', "sh", *self.words(["sh", "-c", command])]
                subprocess.run(words, cwd=self.folder, check=True)
                self.assertEqual((self.folder / "code").read_text(), f"{code}\n", where)

    def test_a_log_that_is_no_file_stays_what_it_is(self):
        self.log.mkdir(parents=True)
        result = self.run_phase("true")
        self.assertEqual(result.returncode, 4)
        self.assertIn("is there already and is not a file\nremedy: choose another name\n", result.stdout)

    def test_on_a_terminal_one_line_is_rewritten(self):
        terminal = [sys.executable, "-c", "import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)"]
        script = 'for i in 1 2 3; do echo "[$i/3] step $i"; sleep 0.3; done'
        result = run_command([*terminal, *self.words(["sh", "-c", script])])
        self.assertEqual(result.returncode, 0, result.stdout)
        # Which steps are seen, and for how long, depends on how busy the machine is.
        self.assertRegex(result.stdout, "\033\\[Kdemo build [1-3]/3 ")
        self.assertRegex(result.stdout, "\033\\[Kdemo build done in [0-9ms]+\n$")

    def test_a_silent_command_is_reported_at_least_every_15_seconds(self):
        result = self.run_phase("sleep 2", "--interval", 0.5)
        self.assertRegex(result.stdout, "^demo build\n(demo build [0-9]+s\n){2,}demo build done in ")
        words = self.words(["true"])[len(RUNNER) :]
        self.assertLess(parse(words).interval + TICK_SECONDS, 15)

    def test_the_commands_words_are_passed_unchanged(self):
        words = ["--", "", "[a,b]", "--log", "a;b", "{}", "%%", "run", "ä"]
        self.run_phase(["sh", "-c", 'for word; do echo "<$word>"; done', "sh", *words])
        self.assertIn("\n" + "".join(f"<{word}>\n" for word in words), self.log_text())

    def test_the_log_is_what_the_command_printed_byte_by_byte(self):
        result = self.run_phase("printf 'x.c:1: error: \\377\\n'; printf unfinished; exit 1")
        self.assertTrue(self.log.read_bytes().endswith(b"\nx.c:1: error: \xff\nunfinished"))
        self.assertEqual(result.returncode, 1)

    def test_a_failure_shows_the_end_of_the_log_and_its_path(self):
        result = self.run_phase("for i in 1 2 3 4 5; do echo line $i; done; exit 7", "--tail", 3)
        self.assertEqual(result.returncode, 7)
        message = f"demo build failed (exit 7)\nline 3\nline 4\nline 5\nlog: {self.log}\n"
        self.assertIn(message, result.stdout)
        self.assertNotIn("line 2", result.stdout)

    def test_a_failure_shows_the_log_from_the_first_failed_step_on(self):
        rule = "rule bad\n command = for i in 1 2 3 4 5 6 7 8 9; do echo $$i; done; false\nbuild x.o: bad\n"
        result = self.run_phase(self.ninja(rule), "--tail", 3)
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stdout, "\nFAILED: .*x.o *\nfor i in .*\n1\n\\.\\.\\.\nninja: build stopped")

    def test_a_failure_shows_its_first_error_in_full(self):
        script = f"cat '{LOGS}/cmake-configure.log'; echo 'CMake Error: another'; exit 1"
        result = self.run_phase(script, "--tail", 3)
        self.assertIn(
            "demo build failed (exit 1)\nCMake Error at third/CMakeLists.txt:5 (message):\n"
            f"  Cannot find six\n1 more error is in the log\nlog: {self.log}\n",
            result.stdout,
        )
        self.assertNotIn("USE_FEATURE", result.stdout)

    def test_a_long_log_takes_little_memory(self):
        limited = ["sh", "-c", 'ulimit -d 100000; exec "$@"', "sh"]
        script = "echo x.c:1: error: no; yes | head -c 20M; exit 3"
        result = run_command([*limited, *self.words(["sh", "-c", script])])
        self.assertIn("demo build failed (exit 3)\nx.c:1: error: no\ny\ny\n", result.stdout)

    def test_a_log_that_the_command_removes(self):
        remove = f"rm '{self.log}'; echo x.c:1: error: no; exit "
        for code in 0, 3:
            result = self.run_phase(remove + str(code))
            self.assertEqual(result.returncode, code, result.stdout)
        self.assertIn("demo build failed (exit 3)\nx.c:1: error: no\nlog: ", result.stdout)

    def test_a_warning_that_the_source_makes_an_error_has_a_remedy(self):
        for name, variable in {"pragma.cpp": "CXX", "pragma.c": "CC"}.items():
            result = self.run_phase(f"sed 's/pragma[.]cpp/{name}/g' '{LOGS}/gcc-pragma.log'; exit 1")
            self.assertIn("control reaches end of non-void function", result.stdout)
            self.assertIn(
                f"package demo treats the warning return-type as an error in /tmp/demo/unit/{name}\n"
                f"remedy: add a patch that removes the pragma, or use another compiler: {variable}=...\n",
                result.stdout,
            )

    def test_what_cannot_be_started_is_named(self):
        result = self.run_phase(["no-such-program"])
        self.assertEqual(result.returncode, 4)
        self.assertIn("demo build: no-such-program cannot be started: No such file", result.stdout)
        self.assertEqual(self.run_phase(["no-such-folder/ninja"]).returncode, 4)

    def test_wrong_use(self):
        for words, message in {
            (): "arguments are required: --package, --phase, --log",
            ("--package", "a", "--phase", "b", "--log", "c"): "there is no command to run: give it after --\n",
            ("--tail", "x"): "argument --tail: invalid int value: 'x'\n",
        }.items():
            result = run_command([*RUNNER, *words])
            self.assertEqual(result.returncode, 2)
            self.assertIn(message, result.stdout)

    def test_a_log_that_cannot_be_written_is_named(self):
        (self.folder / "logs").write_text("a file, not a folder")
        result = self.run_phase("true")
        self.assertEqual(result.returncode, 4)
        self.assertIn("logs cannot be made", result.stdout)

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

    def test_time_left_comes_from_ninjas_plan_and_log(self):
        (self.folder / "costs").write_text("0.2 cheap*\n4 *\n")
        ninja = self.ninja(
            "rule s\n command = sleep $t; touch $out\nbuild cheap1: s\n t = 0.1\nbuild cheap2: s\n t = 0.1\n"
            "build dear1: s | cheap1 cheap2\n t = 2\nbuild dear2: s | dear1\n t = 2\n"
        )
        result = self.run_phase(ninja, "--interval", 0, "--step-costs", self.folder / "costs")
        self.assertEqual(result.returncode, 0, result.stdout)
        # Both cheap ones are half of the steps and a twentieth of the work.
        self.assertIn("demo build 2/4 4%", result.stdout)
        self.assertRegex(result.stdout, "demo build 3/4 52%  [1-9]s left")

    def test_step_costs_that_are_none(self):
        costs = self.folder / "costs"
        for text in "half a.o\n", "0.5\n", "0 a.o\n", "-1 a.o\n", "0.1 a.o b.o\n":
            costs.write_text(text)
            result = self.run_phase("true", "--step-costs", costs)
            self.assertEqual(result.returncode, 3, text)
            self.assertIn("costs: line 1 is not '<seconds> <pattern>': ", result.stdout)
            self.assertIn("tools/step_costs.py writes such lines", result.stdout)
        self.assertEqual(self.run_phase("true", "--step-costs", self.folder / "none").returncode, 4)

    def test_a_server_left_behind_does_not_hold_it_up(self):
        result = self.run_phase(f"sleep 30 & echo $! > '{self.folder}/pid'")
        self.assertEqual(result.returncode, 0)
        run_command(["kill", "-9", (self.folder / "pid").read_text().strip()])
        self.assertNotRegex(result.stdout, "(15|[23].)s")
