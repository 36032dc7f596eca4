#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs PyTorch's own tests, from its source tree, with a wheel of ours, and says what became of each.

    run_tests.py --wheel dist/torch-2.6.0+cpu-cp311-cp311-manylinux_2_35_x86_64.whl --source <PyTorch's source tree>
                 --python python3.11 --work <folder> [--file test_torch.py ...] [--jobs N] [--shards N] [--timeout S]

--wheel         the wheel; a pattern that matches one file will do
--source        PyTorch's source tree of the same release: its test/ and tools/ are copied, it is not written to
--python        the interpreter that the wheel is for; it must be able to make a virtual environment
--work          everything is written below this folder; some 900 MB for a wheel
--file          a file below test/; may be given several times. Default: test_torch.py, test_nn.py, test_autograd.py,
                test_linalg.py and test_jit.py
--jobs          how many tests run at once, in processes of their own (1)
--shards        in how many parts each file is run (one for every 400 tests begun)
--timeout       seconds that a shard may take (3600). The test that it hangs in counts as crashed, the rest is run
--requirements  what pip installs besides (requirements-<release>.txt beside this script)
--known-failures  tests that fail, and why (known_failures-<release>.txt beside this script)

The wheel, its dependencies and the requirements go into a new virtual environment. The environment of the caller is
handed on, so pip's settings and variables such as LD_PRELOAD hold; PYTHONHASHSEED is 0, and with several jobs
OMP_WAIT_POLICY is PASSIVE unless it is set. Each shard is a pytest of its own; when it crashes, the test is named and
the rest of the shard is run. What is done is not done again: start the same command again after
an interruption. Another wheel, requirements, Python or tests begin anew, in a folder of their own; another number of
shards begins the files anew.

<work>/result.json has what the table at the end says, each failure, and for what reasons tests were skipped.
<work>/tests-<key>/results/<file>/<n>-shards/ has a folder for each shard: log-<n>.txt and junit-<n>.xml of each
process, journal.jsonl with what became of each test.

In the table "run" leaves out what was skipped. "known" are those of the failed and crashed ones that the list of known
failures has: a line of it is the id of a test, or a pattern with *, and then the reason.

Exit code 0: nothing failed, or only what is known. 1: something else failed or crashed. 2: it could not be run, the
error says why. 130: interrupted.
"""
import argparse
import collections
import fcntl
import glob
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
FILES = ("test_torch.py", "test_nn.py", "test_autograd.py", "test_linalg.py", "test_jit.py")
OUTCOMES = ("passed", "failed", "skipped", "xfailed", "crashed")
TESTS_OF_A_SHARD = 400
PROGRESS_SECONDS = 30
# As PyTorch's pytest.ini has it, whose addopts are not taken: it switches plugins off that we want.
PYTEST = ("-m", "pytest", "-p", "no:cacheprovider", "-o", "addopts=", "-p", "no:warnings", "-p", "shard_plugin",
          "--assert=plain", "--tb=native", "--capture=sys", "-rEfX", "--rootdir", ".")


class Problem(Exception):
    """What is wrong, and what to do, a line each."""


def say(text):
    print(text, flush=True)


def run(command, log, **options):
    """Runs a command that is to end well; its output goes into the file log. Its exit code."""
    os.makedirs(os.path.dirname(log), exist_ok=True)
    with open(log, "wb") as stream:
        options.update(stdin=subprocess.DEVNULL, stdout=stream, stderr=subprocess.STDOUT)
        return subprocess.run(command, **options).returncode


def last_lines(path, count=15):
    with open(path, errors="replace") as stream:
        return "".join("  | " + line.rstrip("\n") + "\n" for line in stream.readlines()[-count:])


def hash_of_file(path):
    result = hashlib.sha256()
    with open(path, "rb") as stream:
        for block in iter(lambda: stream.read(1 << 20), b""):
            result.update(block)
    return result.hexdigest()


def hash_of_folders(root, names):
    result = hashlib.sha256()
    for name in names:
        for folder, folders, files in os.walk(os.path.join(root, name)):
            folders[:] = sorted(folder for folder in folders if folder != "__pycache__")
            for file in sorted(files):
                path = os.path.join(folder, file)
                if os.path.isfile(path):
                    result.update((os.path.relpath(path, root) + "\0" + hash_of_file(path) + "\0").encode())
    return result.hexdigest()


def hash_of_key(key):
    return hashlib.sha256(json.dumps(key).encode()).hexdigest()[:12]


def text_of_time(seconds):
    if seconds < 120:
        return "%d s" % seconds
    minutes = round(seconds / 60)
    return "%d min" % minutes if minutes < 120 else "%d h %d min" % divmod(minutes, 60)


# What is given, and whether it fits together.


def find_wheel(pattern):
    """Path, version and Python tag of the wheel."""
    found = [pattern] if os.path.isfile(pattern) else sorted(glob.glob(pattern))
    if not found:
        raise Problem("there is no wheel %s" % pattern, "build one with a preset cpu-wheel-py..., or correct the path")
    if len(found) > 1:
        raise Problem("%d wheels match %s" % (len(found), pattern), "name one of them: " + " ".join(found))
    parts = re.match(r"torch-([^-]+)(?:-\d[^-]*)?-([^-]+)-[^-]+-[^-]+\.whl$", os.path.basename(found[0]))
    if not parts:
        raise Problem("%s is not named as a wheel of torch is" % found[0], "give --wheel the file as it was built")
    return os.path.abspath(found[0]), parts.group(1), parts.group(2)


def look_at_python(python, wheel, tag):
    """The interpreter's version in words, when the wheel is for it."""
    program = "import json, sys; print(json.dumps([sys.implementation.name, *sys.version_info[:3]]))"
    try:
        answer = subprocess.run([python, "-c", program], stdout=subprocess.PIPE, check=True).stdout
        implementation, major, minor, micro = json.loads(answer)
    except (OSError, ValueError, subprocess.CalledProcessError):
        raise Problem("%s is no Python that runs" % python, "give --python the interpreter that the wheel is for")
    mine = {"%s%d%d" % ("cp" if implementation == "cpython" else implementation, major, minor), "py%d" % major}
    if not mine & set(tag.split(".")):
        raise Problem(
            "%s is for %s, and %s is %s %d.%d" % (os.path.basename(wheel), tag, python, implementation, major, minor),
            "give --python the interpreter that the wheel is for",
        )
    if subprocess.run([python, "-c", "import ensurepip, venv"], stderr=subprocess.DEVNULL).returncode:
        raise Problem("%s cannot make a virtual environment" % python, "install its module venv (python3-venv)")
    return "%s %d.%d.%d" % (implementation, major, minor, micro)


def release_of(version):
    return re.match(r"\d+(\.\d+)*", version).group()


def look_at_source(source, version):
    for name in ("test", "tools", "version.txt"):
        if not os.path.exists(os.path.join(source, name)):
            raise Problem(
                "%s has no %s" % (source, name),
                "give --source the whole source tree of PyTorch %s" % release_of(version),
            )
    with open(os.path.join(source, "version.txt")) as stream:
        theirs = stream.read().strip()
    # The tree of a release says 2.6.0a0: what comes after the numbers is decided when it is built.
    if release_of(theirs) != release_of(version):
        raise Problem(
            "the wheel is of PyTorch %s, and %s of %s" % (version, source, theirs),
            "give --source the source tree of PyTorch %s" % release_of(version),
        )


def list_for(option, given, release):
    """The file given, or the one of this release beside the script."""
    path = given or os.path.join(HERE, "%s-%s.txt" % (option.replace("-", "_"), release))
    if not os.path.isfile(path):
        raise Problem("there is no %s" % path, "write one, as there is for another release, or correct --%s" % option)
    return path


class KnownFailure:
    def __init__(self, pattern, reason):
        self.pattern, self.reason = pattern, reason
        # Only * is special: ids have brackets.
        self.expression = re.compile(re.escape(pattern).replace(r"\*", ".*"))
        self.seen = 0

    @classmethod
    def read(cls, path):
        result = []
        with open(path) as stream:
            for number, line in enumerate(stream, 1):
                if line.strip() and not line.startswith("#"):
                    pattern, *reason = line.strip().split(None, 1)
                    if not reason:
                        what = "%s, line %d has no reason" % (path, number)
                        raise Problem(what, "write why the test fails, after its id and a blank")
                    result.append(cls(pattern, reason[0]))
        return result


# The virtual environment and the tests.


def copy_tests(place, options):
    """The tests lie in <place>/tree/test then, and the plugin in <place>/plugin."""
    tree = os.path.join(place, "tree")
    if not os.path.isdir(tree):
        # Beside each other and without torch/: nothing of it is to be imported instead of the wheel's.
        shutil.rmtree(tree + ".part", ignore_errors=True)
        os.makedirs(tree + ".part")
        for name in ("test", "tools"):
            shutil.copytree(
                os.path.join(options.source, name), os.path.join(tree + ".part", name), symlinks=True,
                ignore=shutil.ignore_patterns("__pycache__"),
            )
        if os.path.isfile(os.path.join(options.source, "pytest.ini")):
            shutil.copy(os.path.join(options.source, "pytest.ini"), tree + ".part")
        os.rename(tree + ".part", tree)
    plugin = os.path.join(place, "plugin")
    os.makedirs(plugin, exist_ok=True)
    shutil.copy(os.path.join(HERE, "shard_plugin.py"), plugin)


def install(venv, options, wheel, version):
    """The interpreter of the environment."""
    python = os.path.join(venv, "bin", "python")
    ready = os.path.join(venv, "ready")
    if not os.path.exists(ready):
        say("installing %s" % os.path.basename(wheel))
        shutil.rmtree(venv, ignore_errors=True)
        log = venv + "-install.txt"
        if run([options.python, "-m", "venv", venv], log):
            sys.stderr.write(last_lines(log))
            what = "%s cannot make a virtual environment: %s" % (options.python, log)
            raise Problem(what, "see the end of the log above")
        pip = [python, "-m", "pip", "--disable-pip-version-check", "--no-input", "install"]
        if run([*pip, wheel, "-r", options.requirements], log):
            sys.stderr.write(last_lines(log))
            raise Problem(
                "pip could not install the wheel and what the tests need: %s" % log,
                "see the end of the log above; pip's index can be set with PIP_INDEX_URL or PIP_FIND_LINKS",
            )
        open(ready, "w").close()
    log = venv + "-import.txt"
    program = "import torch; assert str(torch.__version__) == %r and torch.__file__.startswith(%r), torch.__file__"
    program %= version, venv
    if run([python, "-c", program], log, cwd=venv):
        sys.stderr.write(last_lines(log))
        raise Problem(
            "torch %s cannot be imported from %s: %s" % (version, venv, log),
            "see the end of the log above; an AssertionError means that another torch is on PYTHONPATH",
        )
    return python


def read_journal(path):
    """What became of each test, the tests that began and did not end, the seconds of all processes together."""
    done, running, seconds = {}, {}, 0.0
    if os.path.exists(path):
        with open(path) as stream:
            for line in stream:
                try:
                    entry = json.loads(line)
                except ValueError:
                    continue  # what was being written when the process was killed
                if "process" in entry:
                    running, seconds = {}, seconds + entry["seconds"]
                elif "outcome" in entry:
                    running.pop(entry["id"], None)
                    done[entry["id"]] = entry
                else:
                    running[entry["id"]] = None
    return done, list(running), seconds


def append(path, *entries):
    # A line that was being written when the process was killed has no end; the next one is not to be lost with it.
    text = "\n" + "".join(json.dumps(entry) + "\n" for entry in entries)
    with open(path, "a") as stream:
        stream.write(text)


class Shard:
    def __init__(self, runner, file, number, count, tests):
        self.runner, self.file, self.tests = runner, file, tests
        self.name = "%s, shard %d of %d" % (file, number, count)
        self.folder = os.path.join(runner.results, file.replace("/", "."), "%d-shards" % count, "%d" % number)
        self.journal = os.path.join(self.folder, "journal.jsonl")
        os.makedirs(self.folder, exist_ok=True)

    def results(self):
        """{id: what became of it}, seconds"""
        done, _, seconds = read_journal(self.journal)
        return {test: done[test] for test in self.tests if test in done}, seconds

    def left(self):
        done = self.results()[0]
        return [test for test in self.tests if test not in done]

    def run(self):
        left = self.left()
        while left:
            self.run_process(left)
            before, left = left, self.left()
            if len(left) == len(before):
                append(self.journal, *(crash(test, "pytest ended without having run it") for test in left))
                return

    def run_process(self, tests):
        """One pytest, for as many of these tests as it gets done. What it was running when it died has crashed."""
        number = 1
        while os.path.exists(os.path.join(self.folder, "log-%d.txt" % number)):
            number += 1
        only = os.path.join(self.folder, "tests.txt")
        write_lines(only, tests)
        append(self.journal, {"process": number, "seconds": 0})
        junit = os.path.join(self.folder, "junit-%d.xml" % number)
        arguments = [self.file, "--tsb-only", only, "--tsb-journal", self.journal, "--junit-xml", junit]
        if self.runner.options.jobs > 1:
            arguments += ["-n", str(self.runner.options.jobs)]
        start = time.monotonic()
        process = self.runner.start_pytest(arguments, os.path.join(self.folder, "log-%d.txt" % number))
        timeout, since, late, ended = self.runner.options.timeout, {}, False, False
        try:
            said = start
            while process.poll() is None:
                time.sleep(0.2)
                now = time.monotonic()
                if now - said >= min(PROGRESS_SECONDS, timeout / 4):
                    said = now
                    running = read_journal(self.journal)[1]
                    since = {test: since.get(test, now) for test in running}
                    self.runner.progress(self.name)
                if now - start > timeout:
                    late = True
                    break
            ended = not late
        finally:
            end_group(process)
            seconds = time.monotonic() - start
            running = read_journal(self.journal)[1]
            entries = []
            if late:
                # A shard that is merely long has hardly spent half of its time in one test; that one is put back.
                hung = [test for test in running if start + seconds - since.get(test, start + seconds) > timeout / 2]
                if not hung and len(self.left()) == len(tests):
                    hung = running
                how = "it was running when the %d s of its shard were over" % timeout
                entries = [crash(test, how) for test in hung]
            elif ended:
                how = "pytest ended with %s while it ran" % how_it_ended(process.returncode)
                entries = [crash(test, how) for test in running]
            append(self.journal, *entries, {"process": number, "seconds": round(seconds, 1)})


def crash(test, message):
    return {"id": test, "outcome": "crashed", "seconds": 0.0, "message": message}


def how_it_ended(code):
    if code >= 0:
        return "exit code %d" % code
    try:
        return signal.Signals(-code).name
    except ValueError:
        return "signal %d" % -code


def end_group(process):
    """Ends what is left of a process and of all it started."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
        except ProcessLookupError:
            break
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            pass
    process.wait()


def write_lines(path, lines):
    with open(path + ".part", "w") as stream:
        stream.writelines(line + "\n" for line in lines)
    os.rename(path + ".part", path)


class Runner:
    def __init__(self, options, place, python, lock):
        self.options, self.python, self.lock = options, python, lock
        self.results = os.path.join(place, "results")
        self.folder = os.path.join(place, "tree", "test")
        self.shards, self.collected, self.uncollected, self.interrupted = [], set(), {}, False
        self.start = self.done_before = None
        plugin = os.path.join(place, "plugin")
        # Tests are generated in loops over sets; the workers of xdist must all find them in the same order.
        self.environment = dict(os.environ, PYTHONHASHSEED="0")
        if options.jobs > 1:
            # Each has threads for all cores, which would keep the cores busy waiting for each other.
            self.environment.setdefault("OMP_WAIT_POLICY", "PASSIVE")
        self.environment["PYTHONPATH"] = os.pathsep.join(filter(None, (plugin, os.environ.get("PYTHONPATH"))))

    def start_pytest(self, arguments, log):
        with open(log, "wb") as stream:
            # In a group of its own, to be ended as a whole. It holds the lock as well: should this process be killed,
            # nothing else is begun in this folder before it has ended.
            return subprocess.Popen(
                [self.python, *PYTEST, *arguments], cwd=self.folder, env=self.environment, start_new_session=True,
                stdin=subprocess.DEVNULL, stdout=stream, stderr=subprocess.STDOUT, pass_fds=[self.lock.fileno()],
            )

    def collect(self, file):
        folder = os.path.join(self.results, file.replace("/", "."))
        path = os.path.join(folder, "tests.txt")
        if not os.path.exists(path):
            say("%s: collecting" % file)
            os.makedirs(folder, exist_ok=True)
            log = os.path.join(folder, "collect.txt")
            process = self.start_pytest([file, "--collect-only", "-q", "--tsb-list", path + ".part"], log)
            try:
                code = process.wait(self.options.timeout)
            except subprocess.TimeoutExpired:
                code = -signal.SIGKILL
            finally:
                end_group(process)
            # 5: there are none.
            if code not in (0, 5):
                sys.stderr.write(last_lines(log))
                say("%s: cannot be collected: %s" % (file, log))
                how = "it could not be collected, pytest ended with %s: %s"
                self.uncollected[file] = how % (how_it_ended(code), log)
                return
            os.rename(path + ".part", path)
        with open(path) as stream:
            tests = stream.read().splitlines()
        if not tests:
            log = os.path.join(folder, "collect.txt")
            self.uncollected[file] = "it has no tests, or is skipped as a whole: %s" % log
        count = min(self.options.shards or -(-len(tests) // TESTS_OF_A_SHARD), len(tests))
        for number in range(count):
            # Every count-th: the long ones stand beside each other.
            self.shards.append(Shard(self, file, number + 1, count, tests[number::count]))

    def counts(self):
        """Tests, those done, those of them that failed or crashed."""
        done = [entry["outcome"] for shard in self.shards for entry in shard.results()[0].values()]
        return sum(len(shard.tests) for shard in self.shards), len(done), done.count("failed") + done.count("crashed")

    def progress(self, what):
        every, done, failed = self.counts()
        took = time.monotonic() - self.start
        rest = ""
        if done > self.done_before and done < every:
            rest = ", some %s left" % text_of_time(took / (done - self.done_before) * (every - done))
        say("%s: %d of %d tests, %d failed, %s%s" % (what, done, every, failed, text_of_time(took), rest))

    def run(self):
        for file in self.options.file:
            self.collect(file)
            self.collected.add(file)
        self.start, self.done_before = time.monotonic(), self.counts()[1]
        if self.done_before:
            say("%d of %d tests were done before" % (self.done_before, self.counts()[0]))
        for shard in self.shards:
            if shard.left():
                shard.run()
                self.progress(shard.name)


# What came out.


def report(runner, known, facts, path):
    """Prints the table, writes the JSON file; whether all that failed is known."""
    rows, failures, passes, reasons = [], [], [], collections.Counter()
    for file in runner.options.file:
        row = dict.fromkeys(("run", *OUTCOMES, "known", "left"), 0)
        row.update(file=file, seconds=0.0)
        entries = []
        for shard in runner.shards:
            if shard.file == file:
                done, seconds = shard.results()
                entries += [done[test] for test in shard.tests if test in done]
                row["seconds"] += seconds
                row["left"] += len(shard.tests) - len(done)
        if file in runner.uncollected:
            entries.append(crash(file, runner.uncollected[file]))
        for entry in entries:
            bad = entry["outcome"] in ("failed", "crashed")
            matching = [one for one in known if one.expression.fullmatch(entry["id"])]
            for one in matching:
                one.seen += 1
            row[entry["outcome"]] += 1
            row["run"] += entry["outcome"] != "skipped"
            if entry["outcome"] == "skipped":
                reasons[entry["message"]] += 1
            if bad:
                row["known"] += bool(matching)
                failures.append(dict(entry, known=matching[0].reason if matching else None))
            elif matching and entry["outcome"] == "passed":
                passes.append({"id": entry["id"], "reason": matching[0].reason})
        row["seconds"] = round(row["seconds"], 1)
        if file not in runner.collected:
            row["left"] = None  # interrupted before it was known how many there are
        rows.append(row)
    # Of a file that was run to its end.
    complete = {row["file"] for row in rows if row["left"] == 0} - set(runner.uncollected)
    unused = [one.pattern for one in known if not one.seen and one.pattern.partition("::")[0] in complete]

    for entry in failures:
        what = "known" if entry["known"] else entry["outcome"].upper()
        say("%-7s %s: %s" % (what, entry["id"], entry["known"] or entry["message"][:200]))
    for one in passes:
        say("PASSES  %s, a known failure: %s" % (one["id"], one["reason"]))
    for pattern in unused:
        say("UNUSED  %s is a known failure, but there is no such test" % pattern)
    columns = ("run", *OUTCOMES, "known", "left", "seconds")
    width = max(len(row["file"]) for row in rows)
    say(" ".join(["file".ljust(width), *(column.rjust(8) for column in columns)]))
    for row in rows:
        cells = ["?" if row[column] is None else "%d" % round(row[column]) for column in columns]
        say(" ".join([row["file"].ljust(width), *(cell.rjust(8) for cell in cells)]))
    result = dict(facts, files=rows, failures=failures, known_that_pass=passes, known_without_test=unused)
    result["skipped"] = dict(reasons.most_common())
    write_lines(path, json.dumps(result, indent=1).splitlines())
    return all(entry["known"] for entry in failures)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("wheel", "source", "python", "work"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--file", action="append")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--shards", type=int)
    parser.add_argument("--timeout", type=int, default=3600)
    parser.add_argument("--requirements")
    parser.add_argument("--known-failures")
    options = parser.parse_args()
    for name in ("jobs", "shards", "timeout"):
        if getattr(options, name) is not None and getattr(options, name) < 1:
            parser.error("--%s must be at least 1" % name)
    options.file = list(dict.fromkeys(options.file or FILES))
    return options


def work(options):
    wheel, version, tag = find_wheel(options.wheel)
    python_version = look_at_python(options.python, wheel, tag)
    look_at_source(options.source, version)
    options.requirements = list_for("requirements", options.requirements, release_of(version))
    known = KnownFailure.read(list_for("known-failures", options.known_failures, release_of(version)))
    for file in options.file:
        if not os.path.isfile(os.path.join(options.source, "test", file)):
            raise Problem("there is no file %s in %s" % (file, os.path.join(options.source, "test")), "correct --file")

    key = {
        "wheel": hash_of_file(wheel),
        "requirements": hash_of_file(options.requirements),
        "python": python_version,
    }
    folder = os.path.abspath(options.work)
    venv = os.path.join(folder, "venv-" + hash_of_key(key))
    key["tests"] = hash_of_folders(options.source, ("test", "tools"))
    place = os.path.join(folder, "tests-" + hash_of_key(key))
    os.makedirs(place, exist_ok=True)
    with open(os.path.join(folder, "lock"), "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Problem("another run is working in %s" % folder, "wait for it, or end it with what it has started")
        copy_tests(place, options)
        runner = Runner(options, place, install(venv, options, wheel, version), lock)
        try:
            runner.run()
        except KeyboardInterrupt:
            runner.interrupted = True
        facts = {"wheel": os.path.basename(wheel), "version": version, "python": python_version}
        facts.update(hashes=key, results=runner.results, complete=not runner.interrupted)
        path = os.path.join(folder, "result.json")
        good = report(runner, known, facts, path)
    if runner.interrupted:
        say("interrupted: the same command goes on from here")
        return 130
    if not good:
        say("not all that failed is known: mend it, or write it into the list of known failures with its reason")
    say("written: %s; logs: %s" % (path, runner.results))
    return 0 if good else 1


def main():
    # Whoever ends this process ends what it started.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        return work(arguments())
    except Problem as problem:
        sys.stderr.write("error: %s\n  %s\n" % problem.args)
        return 2
    except KeyboardInterrupt:
        say("interrupted: the same command goes on from here")
        return 130


if __name__ == "__main__":
    sys.exit(main())
