# SPDX-License-Identifier: BSD-3-Clause
"""engine/one_run/journal.py: what a run leaves about its steps, its memory, its compiler cache."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT))

from engine.one_run.journal import read_journal  # noqa: E402

WORK = "x = bytearray(90 << 20); n = sum(i for i in range(3000000))"
COMMAND = f"""
echo "tsb_progress: demo build"; {sys.executable} -c '{WORK}'
echo "tsb_progress: demo stage"; sleep 0.3; echo "log $CCACHE_STATSLOG"
"""


class Journal(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "steps").mkdir()
        (self.folder / "steps/plan.txt").write_text("5 demo build\n5 demo stage\n")

    def run_command(self, text, **variables):
        words = [sys.executable, "-I", "-S", "-B", str(ROOT / "engine"), "--keep", "one_run.run"]
        kept = {name: value for name, value in os.environ.items() if name != "CCACHE_STATSLOG"}
        return subprocess.run(
            [*words, "--folder", str(self.folder), "sh", "-c", text],
            stdout=subprocess.PIPE,
            text=True,
            env=kept | variables,
        )

    def test_steps_memory_and_the_end(self):
        done = self.run_command(COMMAND)
        (run,) = (self.folder / "runs").iterdir()
        self.assertIn(f"log {run}/ccache.log", done.stdout)
        entries = read_journal(run)
        self.assertEqual(entries[0]["command"], "sh")  # without its words, which may have passwords
        build, stage = (entry for entry in entries if "step" in entry)
        self.assertEqual([build["step"], stage["step"]], ["demo build", "demo stage"])
        self.assertGreater(build["cpu"], stage["cpu"])
        self.assertGreater(stage["end"] - stage["begin"], 0.25)  # it sleeps for 0.3 s
        self.assertEqual(stage["begin"], build["end"])
        self.assertIn("free", next(entry for entry in entries if "at" in entry))
        self.assertEqual(entries[-1]["code"], 0)
        self.assertGreater(entries[-1]["largest"], 90)
        self.assertGreaterEqual(entries[-1]["cpu"], build["cpu"])

    def test_a_failure_is_in_it_and_the_users_own_log_stays(self):
        done = self.run_command(
            "echo 'tsb_progress: demo build'; echo log $CCACHE_STATSLOG; exit 7", CCACHE_STATSLOG="/x"
        )
        self.assertIn("log /x\n", done.stdout)
        (run,) = (self.folder / "runs").iterdir()
        self.assertEqual([(entry.get("step"), entry.get("code")) for entry in read_journal(run)[-2:]],
                         [("demo build", None), (None, 7)])  # fmt: skip

    def test_a_command_without_a_step_leaves_nothing_and_the_plan_is_taken_once(self):
        (self.folder / "plan").mkdir()
        (self.folder / "plan/plan.json").write_text("{}")
        (self.folder / "plan/run.json").write_text("[]")
        self.run_command("echo hello")
        self.assertFalse((self.folder / "runs").exists())
        self.run_command(COMMAND)
        self.assertFalse((self.folder / "plan/plan.json").exists())
        self.assertEqual([file.read_text() for file in self.folder.glob("runs/*/plan.json")], ["{}"])
        self.assertTrue((self.folder / "plan/run.json").exists())
        self.assertEqual([file.read_text() for file in self.folder.glob("runs/*/run.json")], ["[]"])

    def test_half_a_line_is_left_out(self):
        (self.folder / "journal.jsonl").write_text('{"a": 1}\n{"b"')
        self.assertEqual(read_journal(self.folder), [{"a": 1}])


if __name__ == "__main__":
    unittest.main()
