# SPDX-License-Identifier: BSD-3-Clause
"""What PyTorch's own tree says: its version, submodules, options and pins. A tree is a folder, a git checkout or a tarball."""

import configparser
import fnmatch
import glob
import hashlib
import os
import re
import subprocess
import tarfile

from engine.failure import Failure

# A line of `git submodule status`: the commit, the path, and the tag of the commit; or in its place the address. Or one
# that says which submodule there is no more.
STATUS = re.compile(r"^[ +U-]?([0-9a-f]{40}|gone) (\S+)(?: +\(\D*(\d+(?:\.\d+)+)\)| +(https?://\S+)|.*)$")
# Files with the version of a source, in trees that have no submodule of it. NCCL's name a tag, such as v2.27.5-1. Eigen
# has one, too, and is not used.
PIN_FILES = {"nccl": ".ci/docker/ci_commit_pins/nccl*.txt"}


class NoTree:
    """Nothing is known of the tree."""

    def read(self, name):
        return None

    def holds(self, path):
        return False

    def git(self, *command, below=""):
        return ""

    def tag(self, below):
        return ""

    def own_pin(self):
        return {}

    def pinned_versions(self):
        return {}


class Tree:
    """PyTorch's source. Error: the path is neither a source folder nor its tarball."""

    def __init__(self, path):
        self.path = path
        if not os.path.exists(path):
            raise Failure("there is no %s" % path, "name PyTorch's source tree or its tarball")
        self.archive = None if os.path.isdir(path) else self._open(path)
        # A tarball has one folder at its top.
        self.members = {
            member.name.removeprefix("./").partition("/")[2]: member for member in self.archive or () if member.isfile()
        }
        if self.read("CMakeLists.txt") is None:
            raise Failure("%s has no CMakeLists.txt" % path, "name PyTorch's source tree or its tarball")

    @staticmethod
    def _open(path):
        try:
            return tarfile.open(path)
        except tarfile.TarError:
            raise Failure(
                "%s is neither a folder nor a tarball" % path, "name PyTorch's source tree or its tarball"
            ) from None

    def read(self, name):
        """The text of a file, None when it is not there."""
        if self.archive is not None:
            member = self.members.get(name)
            return member and self.archive.extractfile(member).read().decode("utf-8", "replace")
        file = os.path.join(self.path, name)
        if not os.path.isfile(file):
            return None
        with open(file, encoding="utf-8", errors="replace") as stream:
            return stream.read()

    def holds(self, path):
        """Whether there is such a file, or a folder with something in it."""
        if self.archive is None:
            file = os.path.join(self.path, path)
            return os.path.isfile(file) or (os.path.isdir(file) and bool(os.listdir(file)))
        return path in self.members or any(name.startswith(path.rstrip("/") + "/") for name in self.members)

    def matching(self, pattern):
        """The paths of files that match."""
        if self.archive is None:
            return sorted(glob.glob(pattern, root_dir=self.path))
        return sorted(fnmatch.filter(self.members, pattern))

    def git(self, *command, below=""):
        """What git prints in the checkout or a submodule of it, nothing when this is not one."""
        folder = os.path.join(self.path, below)
        if self.archive is not None or not os.path.exists(os.path.join(folder, ".git")):
            return ""
        result = subprocess.run(["git", "-C", folder, *command], capture_output=True, text=True)
        if result.returncode != 0:
            raise Failure("git %s failed in %s: %s" % (command[0], folder, result.stderr.strip()), "see git's message")
        return result.stdout

    def tag(self, below):
        """The version by which a submodule's commit is tagged, nothing without one."""
        numbers = re.findall(r"^\D*(\d+(?:\.\d+)+)$", self.git("tag", "--points-at", "HEAD", below=below), re.M)
        return numbers[0] if numbers else ""

    def own_pin(self):
        """The candidate of PyTorch itself: only what can be seen here."""
        if self.archive is not None:
            with open(self.path, "rb") as stream:
                content = stream.read()
            sha256 = hashlib.sha256(content).hexdigest()
            return {"filename": os.path.basename(self.path), "sha256": sha256, "size": len(content), "strip": 1}
        commit = self.git("rev-parse", "HEAD").strip()
        return {"commit": commit} if commit else {}

    def pinned_versions(self):
        """{source: [(file, version)]} by PIN_FILES."""
        found = {}
        for source, pattern in PIN_FILES.items():
            for file in self.matching(pattern):
                match = re.match(r"v?(\d+(?:\.\d+)+)", self.read(file).strip())
                found.setdefault(source, []).append((file, match.group(1) if match else self.read(file).strip()))
        return found


def named_submodules(tree, below=""):
    """(path, address) of each that a .gitmodules names, and of those inside them."""
    text = tree.read(os.path.join(below, ".gitmodules"))
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    parser.read_string(re.sub(r"^[ \t]+", "", text or "", flags=re.M))
    for section in parser.sections():
        path = os.path.join(below, parser[section]["path"])
        yield path, parser[section].get("url", "")
        yield from named_submodules(tree, path)


def submodules(tree, status_file):
    """({path: {"url", "commit", "version"}}, those that are gone): by .gitmodules and those of submodules; the commits
    by git, or by a file with what `git submodule status` printed, which may be of some alone and have lines with `gone`, or
    the address of one that .gitmodules does not name."""
    result = {path: {"url": url, "commit": "", "version": ""} for path, url in named_submodules(tree)}
    gone, status = set(), tree.git("submodule", "status", "--recursive")
    if status_file:
        try:
            with open(status_file, encoding="utf-8") as stream:
                status = "".join(line for line in stream if line.strip() and not line.startswith("#"))
        except OSError as error:
            raise Failure(
                "%s cannot be read: %s" % (status_file, error.strerror),
                "name a file with what `git submodule status --recursive` printed",
            ) from None
    for line in status.splitlines():
        match = STATUS.match(line)
        if not match:
            raise Failure(
                "'%s' is not a line of `git submodule status`" % line,
                "write the list with: git submodule status --recursive",
            )
        commit, path, version, url = match.groups()
        if line.startswith("+"):
            raise Failure("%s is not at the commit that the tree records" % path, "run: git submodule update")
        if commit == "gone":
            gone.add(path)
            continue
        known = result.setdefault(path, {"url": ""})
        # Upstream's own address goes first.
        known.update(commit=commit, version=version or "", url=known["url"] or url or "")
    return result, gone
