# SPDX-License-Identifier: BSD-3-Clause
"""No PYTHON... variable of the caller reaches a Python that the project runs."""

import os
import pathlib
import re
import subprocess
import sys

from box import ROOT, BoxTest, flat

from engine.failure import Failure
from engine.folders import load_module

SCRIPT = """
import json, os, subprocess, sys
import beside, module
child = [sys.executable, "-c", "import json, os; print([n for n in os.environ if n.startswith('PYTHON')])"]
subprocess.run(child, check=True)
print(beside.WORD, module.WORD, sys.argv[1:], "\\u00e9", flush=True)
"""
CALL = """
include("{root}/cmake/python/tsb_python_command.cmake")
tsb_python_command(command python3 "{script}" MODULES "{modules}")
execute_process(COMMAND ${{command}} "an argument" COMMAND_ERROR_IS_FATAL ANY)
"""
RUN = 'include("{root}/cmake/python/tsb_run_python.cmake")\ntsb_run_python("{script}" an argument)\n'
NO_SPACE = "error: script.py: [Errno 28] No space left on device "
FULL = "free some space (df -h shows a full disk, quota -s a quota), then run the same command again"
CALLED = re.compile(r'\bCOMMAND\s(?!\$\{clean\})[^)]*?"\$\{\w*(?i:python)\w*\}"([^)]*)')
ISOLATED = re.compile(r"-[IE]\b")
# Their commands get an environment of their own: from the runner of phases, and from packaging/run_consumer.py. Others
# get one from tsb_clean_environment.
WITHOUT_VARIABLES = re.compile(r"record_linked|consumer_check")


class PythonCommand(BoxTest):
    def setUp(self):
        super().setUp()
        shadows = self.write("shadows/json.py", "raise SystemExit('a shadow of a standard module')\n").parent
        startup = self.write("startup.py", "raise SystemExit('the startup file')\n")
        self.environment(
            PYTHONPATH=str(shadows),
            PYTHONHOME="/nowhere",
            PYTHONSAFEPATH="1",
            PYTHONSTARTUP=str(startup),
            PYTHONPLATLIBDIR="nolib",
            PYTHONWARNINGS="error",
            PYTHONOPTIMIZE="2",
            PYTHONINSPECT="1",
            PYTHONIOENCODING="ascii",
            LC_ALL="C",
        )

    def run_script(self, script):
        modules = self.write("modules/module.py", "WORD = 'of a module'\n").parent
        call = self.write("call.cmake", CALL.format(root=ROOT, script=script, modules=modules))
        expected = ["[]", "from beside of a module ['an argument'] \u00e9"]
        self.run_program(0, "cmake", "-P", call, says=expected, stdin=subprocess.DEVNULL, encoding="utf-8")

    def test_a_module_of_an_addition(self):
        """One that was written for folders of modules, before there was the package engine."""
        hook = self.write("hooks/artifact.py", "from fault import Fault\n")
        with self.assertRaisesRegex(Failure, f"{hook}: No module named 'fault'\n.*from engine.failure import Failure"):
            load_module(hook)

    def test_a_script(self):
        self.write("scripts/beside.py", "WORD = 'from beside'\n")
        self.run_script(self.write("scripts/script.py", SCRIPT))
        self.assertFalse((self.box / "scripts/__pycache__").exists())

    def test_a_module(self):
        """A script can import two of the project's folders. The others, such as packaging/, hide no library. Processes that a
        script starts, which read it again, find the same."""
        library = self.write("library/packaging/__init__.py", "").parent.parent
        script = """
import multiprocessing
import engine.text, backends.cuda, packaging
def child(queue):
    queue.put(engine.text.counted(2, "child"))
def main():
    print(packaging.__file__)
    start = multiprocessing.get_context("spawn")
    queue = start.Queue()
    process = start.Process(target=child, args=(queue,))
    process.start()
    print(queue.get(timeout=60))
    process.join()
"""
        runner = [sys.executable, "-I", "-S", "-B", ROOT / "engine"]
        guarded = script + "if __name__ == '__main__':\n    main()\n"
        names = script + "RUN = \"run_name='__main__'\"\n"
        for text in (script, guarded, names):
            with self.subTest(text):
                words = ["--modules", library, self.write("script.py", text)]
                self.run_program(0, *runner, *words, says=[f"{library}/packaging/__init__.py 2 child"])
                self.assertEqual(self.text.count("child"), 1)
        self.run_program(0, *runner, "presets", "tests-fast", says=["tests-fast"])

    def test_a_check_of_an_addition(self):
        """What lies beside it goes before the project's own."""
        self.write("backends/cuda/device_code.py", "WORD = 'of the addition'")
        self.write("backends/mine/doctor/detail/help.py", "WORD = 'helps'")
        text = "from backends.cuda.device_code import WORD\nfrom backends.mine.doctor.detail.help import WORD as HELP"
        check = self.write("backends/mine/doctor/check.py", text)
        script = f"from engine.folders import load_module\nmodule = load_module({str(check)!r})\n"
        script = self.write("script.py", script + "print(module.WORD, module.HELP)")
        self.run_program(0, sys.executable, "-I", "-B", ROOT / "engine", script, says=["of the addition helps"])

    def test_that_is_killed(self):
        """What it says does not explain that."""
        self.write("settings.json", {"python": sys.executable})
        for text, says in (
            ("import os\nos.kill(os.getpid(), 9)", "script.py failed unexpectedly: Subprocess killed"),
            ("raise SystemExit(1)", "script.py failed unexpectedly: 1 read the messages above"),
            ("from engine.failure import Failure\ndef main(): raise Failure('a', 'b')", "error: a b"),
            ("def main():\n    with open('/dev/full', 'w') as file: file.write('a')", NO_SPACE + FULL),
            ("import shutil\ndef main(): raise shutil.Error('No space left on device')", FULL),
        ):
            with self.subTest(text):
                script = os.path.relpath(self.write("script.py", text), ROOT / "packaging")
                include = f'include("{ROOT}/cmake/python/tsb_call_python.cmake")\n'
                call = self.write("call.cmake", f'{include}tsb_call_python("{self.box}" "{script}")\n')
                self.run_program(1, "cmake", "-P", call, says=[says])

    def test_while_configuring(self):
        """A script that nobody can run needs another Python; an exception in one is a fault of the script."""
        for text, says in (
            (
                "import sys\nsys.exit('no')",
                "no python3 runs {}: /usr/bin/python3: 1 no python3: 1 no ./bootstrap.sh installs it",
            ),
            ("import sys\nsys.stderr.write('no')\nsys.exit(3)", "no"),
            ("1 / 0", "{} failed, a fault in it: report it /usr/bin/python3: 1 Traceback"),
        ):
            with self.subTest(text):
                script = self.write("script.py", text)
                call = self.write("call.cmake", RUN.format(root=ROOT, script=script))
                done = subprocess.run(["cmake", "-P", call], capture_output=True, text=True)
                self.assertIn(says.format(script), flat(done.stderr))
                self.assertEqual("bootstrap" in done.stderr, "bootstrap" in says)

    def test_every_call_is_isolated(self):
        for folder in ("backends", "cmake", "packaging", "superbuild"):
            for file in pathlib.Path(ROOT, folder).rglob("*.cmake"):
                if WITHOUT_VARIABLES.search(str(file)):
                    continue
                for call in CALLED.findall(file.read_text()):
                    with self.subTest(os.path.relpath(file, ROOT)):
                        self.assertRegex(call, ISOLATED)
