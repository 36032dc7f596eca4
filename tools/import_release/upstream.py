# SPDX-License-Identifier: BSD-3-Clause
"""What PyTorch's own tree says: its version, submodules and options. A tree is a folder, a git checkout or a tarball."""

import configparser
import hashlib
import os
import re
import subprocess
import tarfile

STATUS = re.compile(r"^[ +U-]?([0-9a-f]{40}) (\S+)")  # a line of `git submodule status`
# A comment, a quoted text, a bracket or a word of CMake's language.
TOKEN = re.compile(r'#[^\n]*|"((?:[^"\\]|\\.)*)"|([()])|([^\s()"#]+)', re.S)


class Problem(Exception):
    """What is wrong, and what to do, a line each."""


class Tree:
    def __init__(self, path):
        self.path = path
        if not os.path.exists(path):
            raise Problem("there is no %s" % path, "name PyTorch's source tree or its tarball")
        self.archive = None if os.path.isdir(path) else self._open(path)
        if self.read("CMakeLists.txt") is None:
            raise Problem("%s has no CMakeLists.txt" % path, "name PyTorch's source tree or its tarball")

    @staticmethod
    def _open(path):
        try:
            return tarfile.open(path)
        except tarfile.TarError:
            raise Problem(
                "%s is neither a folder nor a tarball" % path, "name PyTorch's source tree or its tarball"
            ) from None

    def read(self, name):
        """The text of a file, None when it is not there. A tarball has one folder at its top."""
        if self.archive is None:
            file = os.path.join(self.path, name)
            if not os.path.isfile(file):
                return None
            with open(file, encoding="utf-8", errors="replace") as stream:
                return stream.read()
        for member in self.archive:
            if member.isfile() and member.name.removeprefix("./").partition("/")[2] == name:
                return self.archive.extractfile(member).read().decode("utf-8", "replace")
        return None

    def git(self, *command):
        """What git prints for the checkout, nothing when this is not one."""
        if self.archive is not None or not os.path.exists(os.path.join(self.path, ".git")):
            return ""
        result = subprocess.run(["git", "-C", self.path, *command], capture_output=True, text=True)
        if result.returncode != 0:
            raise Problem(
                "git %s failed in %s: %s" % (command[0], self.path, result.stderr.strip()), "see git's message"
            )
        return result.stdout

    def candidate(self, version):
        """The pin of PyTorch itself: only what can be seen here."""
        if self.archive is not None:
            with open(self.path, "rb") as stream:
                content = stream.read()
            file = os.path.basename(self.path)
            sha256 = hashlib.sha256(content).hexdigest()
            return {"version": version, "filename": file, "sha256": sha256, "size": len(content), "strip": 1}
        commit = self.git("rev-parse", "HEAD").strip()
        url = "https://github.com/pytorch/pytorch.git"
        return {"version": version, "commit": commit, "git": url, "complete": False} if commit else None


def submodules(tree, status_file):
    """{path: {"url", "commit"}} by .gitmodules; the commits by git, or by a file with what `git submodule status` printed."""
    text = tree.read(".gitmodules")
    result = {}
    if text is not None:
        parser = configparser.ConfigParser(interpolation=None, strict=False)
        parser.read_string(re.sub(r"^[ \t]+", "", text, flags=re.M))
        for section in parser.sections():
            result[parser[section]["path"]] = {"url": parser[section].get("url", ""), "commit": ""}
    status = tree.git("submodule", "status", "--recursive")
    if status_file:
        with open(status_file) as stream:
            status = stream.read()
    for line in status.splitlines():
        match = STATUS.match(line)
        if not match:
            raise Problem(
                "'%s' is not a line of `git submodule status`" % line,
                "write the list with: git submodule status --recursive",
            )
        if line.startswith("+"):
            raise Problem("%s is not at the commit that the tree records" % match.group(2), "run: git submodule update")
        result.setdefault(match.group(2), {"url": ""})["commit"] = match.group(1)
    return result


def options(text):
    """{name: default} of the options in a CMakeLists.txt. A dependent one is "ON if USE_CUDA, else OFF"."""
    tokens = [match for match in TOKEN.finditer(text) if not match.group().startswith("#")]
    values = [match.group(1) if match.group(1) is not None else match.group() for match in tokens]
    result = {}
    for at, (match, value) in enumerate(zip(tokens, values)):
        command = value.lower()
        if command not in ("option", "cmake_dependent_option") or match.group(1) is not None or values[at + 1] != "(":
            continue
        arguments = values[at + 2 : values.index(")", at)]
        name, default = arguments[0], (arguments[2] if len(arguments) > 2 else "OFF")
        if command == "cmake_dependent_option":
            default = "%s if %s, else %s" % (default, " ".join(arguments[3].split()), arguments[4])
        # It may stand in two branches.
        result[name] = default if result.get(name, default) == default else "%s; or %s" % (result[name], default)
    return result
