# SPDX-License-Identifier: BSD-3-Clause
"""What tests in Python share: a folder of each test's own, and programs that say something."""

import contextlib
import hashlib
import io
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile
from unittest import mock

from engine import failure

ROOT = pathlib.Path(__file__).resolve().parents[2]
os.environ.pop("PYTHONPATH", None)  # of this process alone


def need(tool):
    """Without this tool the whole file is skipped."""
    if not shutil.which(tool):
        print(f"SKIP: {tool} is not installed", flush=True)
        raise unittest.SkipTest(f"{tool} is not installed")


def sha256(file):
    return hashlib.sha256(file.read_bytes()).hexdigest()


def wheel_files(name, version, files, more="", tag="py3-none-any"):
    """All that is in a wheel with these files; `more`: further lines of METADATA."""
    info = f"{name}-{version}.dist-info"
    files = {
        **files,
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{more}",
        f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: {tag}\n",
    }
    return {**files, f"{info}/RECORD": "".join(f"{path},,\n" for path in [*files, f"{info}/RECORD"])}


def make_wheel(file, files, more=""):
    """The wheel with that name; its path."""
    name, version, tag = file.name.removesuffix(".whl").split("-", 2)
    file.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, text in wheel_files(name, version, files, more, tag.partition(".")[0]).items():
            wheel.writestr(path, text)
    return file


def flat(text):
    """Lines are broken anywhere."""
    return " ".join(text.split())


class BoxTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="a folder ")
        self.addCleanup(folder.cleanup)
        self.box = pathlib.Path(folder.name).resolve()

    def environment(self, **variables):
        """Sets them until the test's end; None removes one."""
        patcher = mock.patch.dict(os.environ, {name: value for name, value in variables.items() if value is not None})
        patcher.start()
        self.addCleanup(patcher.stop)
        for name, value in variables.items():
            if value is None:
                os.environ.pop(name, None)

    def write(self, path, content="", mode=0o644):
        """Text, bytes, or what becomes JSON."""
        file = self.box / path
        file.parent.mkdir(parents=True, exist_ok=True)
        if not isinstance(content, (str, bytes)):
            content = json.dumps(content, default=str)
        file.write_bytes(content if isinstance(content, bytes) else os.fsencode(content))
        file.chmod(mode)
        return file

    def results(self, file, *tests):
        """CTest's report of tests: the verdict, the name, what it has said."""
        text = ""
        for verdict, name, said in tests:
            status = {"ok": "run", "skip": "notrun", "FAIL": "fail"}[verdict]
            note = '<skipped message="SKIP_RETURN_CODE=77"/>' if verdict == "skip" else ""
            text += f'<testcase name="{name}" status="{status}">{note}<system-out>{said}\n</system-out></testcase>'
        return self.write(file, f"<testsuite>{text}</testsuite>")

    def files(self, folder):
        """All files in a folder of the box."""
        folder = self.box / folder
        return {str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir()}

    def run_program(self, ends, *command, says=(), **options):
        """Ends with this status and says these words, but no frames of Python; `text` becomes all that it says."""
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
        self.has_ended(ends, done.returncode, done.stdout, says)

    def run_main(self, ends, main, *words, says=()):
        """A script's function main, in this process: starting a Python takes longer than what most of them do."""
        said = io.StringIO()
        with mock.patch.dict(os.environ), mock.patch("sys.argv", [str(word) for word in words]):
            with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
                try:
                    status = failure.run(main)
                except SystemExit as ended:
                    status = ended.code
        self.has_ended(ends, status, said.getvalue(), says)

    def has_ended(self, ends, status, text, says):
        self.text = text
        self.assertNotRegex(text, r"(?m)^Traceback \(most recent")  # in a log that is quoted they may be
        self.assertEqual(status or 0, ends, text)
        for part in says:
            self.assertIn(flat(part), flat(self.text))

    def run_python(self, ends, script, *words, **options):
        """A script of the project, or a module of engine."""
        script = ROOT / script if script.endswith(".py") else script
        self.run_program(ends, sys.executable, "-B", ROOT / "engine", script, *words, **options)


class RepositoryTest(BoxTest):
    """Repositories in the box, made without anybody's configuration."""

    def setUp(self):
        super().setUp()
        self.environment(GIT_CONFIG_GLOBAL=os.devnull, GIT_CONFIG_NOSYSTEM="1")

    def git(self, folder, *words):
        settings = ("user.name=a", "user.email=a@example.org", "protocol.file.allow=always", "core.eol=lf")
        options = [part for setting in (*settings, f"core.hooksPath={os.devnull}") for part in ("-c", setting)]
        done = subprocess.run(["git", *options, *words], cwd=self.box / folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, f"git {words}: {done.stderr}")
        return done.stdout.strip()

    def repository(self, name, files, submodules=()):
        """A commit, or one more of them, with these files and submodules: (path, url, commit)."""
        folder = self.box / name
        folder.mkdir(parents=True, exist_ok=True)
        self.git(folder, "init", "--quiet", "--template=", "--initial-branch=main")
        for path, text in files.items():
            self.write(folder / path, text)
        for path, url, _ in submodules:
            with open(folder / ".gitmodules", "a") as modules:
                quoted = f'"{url}"' if ";" in url else url  # as git does it
                modules.write(f'[submodule "{path}"]\n\tpath = {path}\n\turl = {quoted}\n')
        self.git(folder, "add", "--all")
        for path, _, commit in submodules:
            self.git(folder, "update-index", "--add", "--cacheinfo", f"160000,{commit},{path}")
        self.git(folder, "commit", "--quiet", "--allow-empty", "-m", "one")
        return self.git(folder, "rev-parse", "HEAD")
