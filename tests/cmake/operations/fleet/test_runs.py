# SPDX-License-Identifier: BSD-3-Clause
"""What a fleet runs, and when it goes on where it ended."""

import fcntl
import functools
import os
import tarfile
import time
from unittest import mock

from box import BoxTest

import fleet
import preset_run
import schedule
import service

from engine import selection

# Makes two files, one of which passes a check; a preset that is named in `fails` fails, one in `interrupts` is interrupted. `--preset <name> -N` says what is
# in the file `resolved`; a folder named in `built` is the build folder.
CMAKE = """\
#!/bin/sh
cd '{box}'
[ "$3" != -N ] || {{ cat resolved; exit; }}
folder=$(cat built 2>/dev/null || echo "$PWD/build/$3")
echo "$3" >>ran.txt && echo "done: x, new; 1 checks passed"
mkdir -p "$folder/steps/a" dist && [ ! -e makes_nothing ] || exit 0
for end in whl whl.intoto.json.sig whl.checks.json; do
  file=$PWD/dist/$3.$end && echo $3 >"$file"
  [ $end != whl.checks.json ] || echo '{{"passed": 41}}' >"$file"
  outputs="${{outputs:+$outputs, }}\\"$file\\": \\"$(sha256sum "$file" | cut -c1-64 | tr -d '\\\\')\\""
done
echo "{{\\"inputs\\": {{}}, \\"outputs\\": {{$outputs}}}}" >"$folder/steps/a/deliver.json"
echo "$TSB_JOBS" >jobs_of_$3
[ ! -e together ] || for _ in 1 2 3 4 5 6 7 8; do sleep 0.1; ls -d jobs_of_* >begun_with_$3; done
[ ! -e interrupts/$3 ] || {{ kill -$(cat interrupts/$3) $PPID; while sleep 0.05; do :; done; }}
if [ -e fails/$3 ]; then printf 'CMake Error at x:\\n  it does not link\\n  as it is\\n\\nninja: build stopped\\n' && exit 1; fi
"""
ONE, TWO = "official-cpu-libtorch-shared", "official-cpu-libtorch-shared-without-deps"


class Runs(BoxTest):
    def setUp(self):
        super().setUp()
        self.write("bin/cmake", CMAKE.format(box=self.box), 0o755)
        services = dict.fromkeys(("GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT", "GITLAB_CI"))
        self.environment(PATH=f"{self.box}/bin:{os.environ['PATH']}", **services)
        self.patch(preset_run, "ROOT", self.box)
        self.patch(schedule, "ROOT", self.box)
        self.patch(fleet, "machine", lambda: (2, 20000))
        self.patch(fleet, "checkout_hash", lambda: "that of the checkout")
        self.patch(selection.preset_files, "build_folder", self.build_folder)
        self.write("resolved", 'TSB_BACKEND="cpu"')

    def build_folder(self, name, _presets):
        built = self.box / "built"
        return built.read_text() if built.exists() else str(self.box / "build" / name)

    def patch(self, module, name, value):
        patcher = mock.patch.object(module, name, value)
        patcher.start()
        self.addCleanup(patcher.stop)

    def fleet(self, *words, ends=0, ran=(), says=()):
        (self.box / "ran.txt").unlink(missing_ok=True)
        self.run_main(ends, fleet.main, "fleet", *words, f"{ONE}*", says=says)
        file = self.box / "ran.txt"
        self.assertEqual(file.read_text().split() if file.exists() else [], list(ran))

    def test_what_is_done_is_not_done_again(self):
        self.fleet(
            ran=[ONE, TWO],
            says=[
                "fleet: 2 presets",
                f"2 of 2: {TWO}",
                f"fleet: {ONE} is done after ",
                f" s: {ONE}.whl 1 kB",
                "41 passed",
            ],
        )
        self.assertFalse((self.box / "build" / ONE).exists())
        self.fleet(says=[f"1 of 2: {ONE} is already done"])
        self.fleet("--again", "--keep", ran=[ONE, TWO])
        self.assertTrue((self.box / "build" / ONE).exists())
        for end in "whl", "whl.intoto.json.sig":
            (self.box / f"dist/{TWO}.{end}").unlink()
            self.fleet(ran=[TWO])
        self.environment(TSB_DEBUG_INFO="none")
        self.fleet(ran=[ONE, TWO])
        # Another file of the same size; what CMake makes of the preset, such as its environment; the checkout.
        wheel = self.box / f"dist/{TWO}.whl"
        wheel.write_text(wheel.read_text().upper())
        self.fleet(ran=[TWO])
        self.write("resolved", 'Preset environment variables:\n\n  TSB_VERSION_SUFFIX="b"')
        self.fleet(ran=[ONE, TWO])
        self.fleet()
        self.patch(fleet, "checkout_hash", lambda: "another")
        self.fleet(ran=[ONE, TWO])
        # What is in the folders and files that settings name: here, in the environment and in a preset, where one may have
        # its type; and what a file of pins has beside it.
        pins = self.write("own/pins.json", "one")
        self.environment(TSB_ADDITIONS="more", TSB_PATCHES="patches", TSB_STORE=str(self.box / "bin"))
        self.write("resolved", f'Preset CMake variables:\n\n  TSB_LOCAL_a="a"\n  TSB_PINS_FILE:FILEPATH="{pins}"')
        self.write("a/file")
        self.write("patches/README")
        self.write("own/others.json")
        own = ("own/pins.json", "own/components.json", "own/patches/x.patch", "own/patches/pytorch/y.patch")
        for change in ("more/a", "more/b", "patches/pytorch/1.patch", "a/file", *own):
            self.write(change, change)
            preset_run.content_hash.cache_clear()
            self.fleet(ran=[ONE, TWO])
            self.fleet()
        # The compilers.
        for version in "12", "13":
            self.write("bin/c++", f"#!/bin/sh\necho {version}\n", 0o755)
            preset_run.programs.cache_clear()
            self.fleet(ran=[ONE, TWO])
            self.fleet()
        # One with an option; of a toolkit that a setting or CUDA's own variable names; that of a preset; not in a container,
        # whose image has its own.
        self.write("bin/mycc", '#!/bin/sh\necho "$*"\n', 0o755)
        self.write("cuda/bin/nvcc", "#!/bin/sh\necho 12.4\n", 0o755)
        self.write("my tools/python", "#!/bin/sh\necho 3.12\n", 0o755)
        asked = preset_run.programs((str(self.box / "cuda"),), ("mycc -m64", "my tools/python"))
        for one in ("-m64 --version\n", "3.12\n", "13\n", "12.4\n"):
            self.assertIn(one, asked)
        self.write("resolved", 'Preset CMake variables:\n\n  CMAKE_CXX_COMPILER:FILEPATH="mycxx"')
        self.write("another/bin/nvcc", "#!/bin/sh\necho 11.8\n", 0o755)
        another = dict.fromkeys(("TSB_CUDA_HOME", "CUDA_HOME"), str(self.box / "another"))
        for variable in another:
            self.environment(**another | {variable: str(self.box / "cuda")})
            for image, differs in ("", True), ("0123", False):
                for program in "cuda/bin/nvcc", "bin/mycxx":
                    run = preset_run.Run(mock.Mock(configure=ONE), image)
                    before = run.key("")
                    self.write(program, f"#!/bin/sh\necho {variable} {image}\n", 0o755)
                    preset_run.programs.cache_clear()
                    self.assertEqual(run.key("") != before, differs, program)
        # A library in a folder that a setting names.
        self.environment(TSB_CUDNN_HOME="libraries")
        run = preset_run.Run(mock.Mock(configure=ONE))
        seen = {run.key("")}
        for place in "include/cudnn_version.h", "nvidia/cudnn/include/cudnn_version.h":
            self.write(f"libraries/{place}", "9.1")
            preset_run.library_hash.cache_clear()
            seen.add(run.key(""))
        self.assertEqual(len(seen), 3)
        # A preset that CMake cannot read any more: nobody knows what it would make.
        (self.box / "resolved").unlink()
        for _ in range(2):
            self.fleet(ran=[ONE, TWO])

    def test_own_build_folders(self):
        """The preset says which one it is. One that is not below build/ is the user's, and stays."""
        for folder, stays in ("build/other", False), ("elsewhere/mine", True), ("build", True):
            self.write("built", str(self.box / folder))
            self.fleet("--again", ran=[ONE, TWO], says=[f"{ONE}.whl 1 kB"])
            self.assertEqual((self.box / folder).exists(), stays)

    def test_no_file(self):
        self.write("makes_nothing")
        says = [f"fleet: {ONE} has failed: it made no file: has it a step with the target check? (", f"{ONE}.log)"]
        self.fleet(ends=1, ran=[ONE, TWO], says=says)
        self.fleet(ends=1, ran=[ONE, TWO])

    def test_it_goes_on_after_a_failure(self):
        self.write(f"fails/{ONE}")
        self.fleet(ends=1, ran=[ONE, TWO], says=[f"{ONE} has failed: it does not link as it is (", f"{ONE}.log)"])
        self.assertTrue((self.box / "build" / ONE).exists())
        self.fleet("--table", ends=1, says=["failed", "done"])
        self.run_main(1, fleet.main, "fleet", "--table", says=[f"{ONE} ", f"{TWO} ", "failed", "done"])
        self.assertEqual(len(self.text.splitlines()), 3, "those that ran")
        (self.box / f"fails/{ONE}").unlink()
        logs = self.box / "logs.tar.gz"
        self.fleet("--logs", str(logs), ran=[ONE], says=[f"the logs of the fleet are in {logs}"])
        with tarfile.open(logs) as archive:
            self.assertIn(f"fleet/{TWO}.log", archive.getnames())

    def test_reasons(self):
        """Whole, with the remedy, and without what CMake, CTest, Ninja and buildah write around it."""
        ninja = ["FAILED: check", "cd /build && cmake -P x", "ninja: build stopped: x"]
        ninja += 2 * ["subprocess exited with status 1"] + ["Error: exit status 1"]
        long = "a consumer of " + "x" * 200 + " does not work"
        cmake = [
            "CMake Error at CMakeLists.txt:12 (message):",
            "  too old",
            "",
            "  update it",
            "Call Stack (most recent",
        ]
        packing = ["CMake Error at a/pack.cmake:10 (message):", "  packing failed: see the message above"]
        phase = [
            "-- a",
            "pytorch build failed (exit 1)",
            "c++ -c a.cpp",
            "a.cpp:1: error: x",
            "log: l.txt",
            "remedy: none",
        ]
        for reason, lines in (
            (f"{long} see above", [f"error: {long}", "       see above", *ninja]),
            ("it is full free space", ["1: error: it is full", "1:        free space", "1/1 Test #1: a ...***Failed"]),
            ("too old update it", [*cmake, "  CMakeLists.txt:9 (f)", "-- Configuring incomplete, errors occurred!"]),
            ("no room", ["error: no room", *packing]),
            ("packing failed: see the message above", packing),
            ("pytorch build failed (exit 1) c++ -c a.cpp a.cpp:1: error: x", [*phase, *ninja]),
            ("error of none", ["a", "error of none"]),
            ("its log is empty", []),
        ):
            self.assertEqual(preset_run.reason(lines), reason)

    def test_what_github_is_told(self):
        """The logs in groups, in which no line is a command; the failure; a summary; what was made."""
        summary, output = self.box / "summary", self.box / "output"
        self.environment(GITHUB_ACTIONS="true", GITHUB_STEP_SUMMARY=str(summary), GITHUB_OUTPUT=str(output))
        self.write(f"fails/{ONE}")
        self.fleet(ends=1, ran=[ONE, TWO])
        group = (
            r"::group::%s\n::stop-commands::(\w+)\n(?s:.)*done: x, new; 1 checks passed\n(?s:.)*::\1::\n::endgroup::\n"
        )
        self.assertRegex(self.text, group % ONE + f"::error title={ONE}::it does not link")
        self.assertRegex(self.text, group % TWO + rf"fleet: {TWO} is done after \d+ s: {TWO}.whl 1 kB\n")
        rows = summary.read_text().splitlines()
        self.assertEqual(rows[:2], ["| preset | state | time | checks | made |", "| --- | --- | --- | --- | --- |"])
        self.assertRegex(rows[3], rf"^\| {TWO} \| done \| \d+ s \| 41 passed \| {TWO}.whl 1 kB \|$")
        self.assertEqual(output.read_text(), f'artifacts=["{TWO}.whl"]\n')

    def test_the_artifacts_of_a_fleet(self):
        self.environment(GITHUB_OUTPUT=str(self.box / "output"))
        names = "a.zip", "a.cdx.json", "debug-a.zip", "debug-a.zip.intoto.json", "linux-64/b.conda", "c.whl"
        service.report([["a title"]], [f"/x/dist/{name}" for name in names])
        self.assertEqual((self.box / "output").read_text(), 'artifacts=["a.zip", "c.whl", "linux-64/b.conda"]\n')

    def test_what_gitlab_is_told(self):
        self.environment(GITLAB_CI="true")
        self.fleet(ran=[ONE, TWO])
        start = r"\x1b\[0Ksection_start:\d+:(\w+)\[collapsed=true\]\r\x1b\[0K%s\n(?s:.)*"
        self.assertRegex(self.text, start % ONE + r"\x1b\[0Ksection_end:\d+:\1\r")

    def test_an_interrupt(self):
        says = ["fleet: interrupted; run the same command to continue", "interrupted", "waiting"]
        for name in "INT", "TERM":
            self.write(f"interrupts/{ONE}", name)
            self.fleet(ends=130, ran=[ONE], says=says)
        (self.box / f"interrupts/{ONE}").unlink()
        self.fleet(ran=[ONE, TWO])

    def test_several_at_once(self):
        names = "cpu-libtorch-shared", "cpu-libtorch-shared-openblas"
        self.write("together")
        self.patch(fleet, "machine", lambda: (9, 20000))
        self.run_main(0, fleet.main, "fleet", *names, says=["1 of 2: cpu-libtorch-shared, with 4 of 9 jobs"])
        for name, jobs in zip(names, ("4", "5")):
            self.assertEqual((self.box / f"jobs_of_{name}").read_text(), f"{jobs}\n")
            self.assertEqual((self.box / f"begun_with_{name}").read_text().split(), [f"jobs_of_{one}" for one in names])
        self.write(f"interrupts/{names[0]}", "0")  # no signal, but it runs until it gets one
        self.write(f"interrupts/{names[1]}", "INT")
        self.run_main(130, fleet.main, "fleet", "--again", "--at-once", "2", *names)
        self.assertRegex(self.text, r"(?s)shared +interrupted.*openblas +interrupted")
        self.run_main(2, fleet.main, "fleet", "--at-once", "0", *names, says=["--at-once must be at least 1"])

    def test_another_fleet(self):
        """What it runs is waited for, and not run again when it has made it."""
        self.fleet(ran=[ONE, TWO])
        done = (self.box / f"build/fleet/{ONE}.json").read_text()
        for ends, ran in (done, [TWO]), ('{"state": "failed"}', [TWO, ONE]):
            self.write(f"build/fleet/{ONE}.json", {"state": "running", "key": "x"})
            (self.box / f"dist/{TWO}.whl").unlink()
            with open(self.box / f"build/fleet/{ONE}.lock") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                self.fleet("--table", says=["running"])
                with mock.patch("time.sleep", functools.partial(self.end_the_other, lock, ends, time.sleep)):
                    says = [f"1 of 2: {ONE} waits for another fleet, which is running it", f"{TWO} is done after"]
                    self.fleet(ran=ran, says=says)

    def end_the_other(self, lock, ends, sleep, seconds):
        self.write(f"build/fleet/{ONE}.json", ends)
        fcntl.flock(lock, fcntl.LOCK_UN)
        sleep(seconds)

    def test_a_killed_run_is_run_again(self):
        self.write(f"build/fleet/{ONE}.json", {"state": "running", "key": "x"})
        self.fleet("--table", says=["killed"])
        self.write(f"build/fleet/{TWO}.json", "{")
        self.fleet(ran=[ONE, TWO])

    def test_wrong_use(self):
        self.run_main(2, fleet.main, "fleet", "cpu-nothing", says=["is called cpu-nothing\n"])
        self.run_main(2, fleet.main, "fleet", says=["name a preset, or a pattern of names"])
        self.run_main(2, fleet.main, "fleet", "tests", says=["is called tests\n", "./bootstrap.sh list shows all"])
        self.run_main(2, fleet.main, "fleet", ONE, "TSB_JOBS=4", says=["settings from the environment: TSB_JOBS=4 "])
        self.run_main(2, fleet.main, "fleet", "--logs", "/none/a.tar.gz", ONE, says=["there is no such folder"])
        self.environment(TSB_PACKAGES="sleef;mkl")
        self.run_main(2, fleet.main, "fleet", ONE, says=["make no file", "TSB_PACKAGES='sleef;mkl' ./bootstrap.sh <"])
        self.run_main(0, fleet.main, "fleet", "--table", says=["preset  state"])
