# SPDX-License-Identifier: BSD-3-Clause
"""git, called in two ways.

With the user's configuration, where git talks to a server (proxy, certificates, other addresses, passwords are the user's) or
looks at the user's own checkout. Without any, where content is made of a repository: no filter, line ending or hook of a
machine has a say in what is built.

A commit is kept in the cache as one git pack with the objects of that commit, and of the commits of the submodules that are
taken with it, without history. A pack proves itself: every object in it is named by the hash of its content, and the commit
names everything below it. `complete` says which submodules are taken: False none, True all, or a list of their paths from
the top of the source.
"""

import os
import re
import shutil
import subprocess

from archive import Target
from text import Failure, first_line

COMMIT = re.compile("[0-9a-f]{40}|[0-9a-f]{64}")
# What tells git how to talk to a server, what to say about it, and where it is installed. Every other variable of git, of
# which each version has more, belongs to the caller's repository, runs something, or changes what is made of a commit.
KEPT = re.compile("GIT_(CONFIG|SSH|SSL_|PROXY_|HTTP_|TRACE|CURL_VERBOSE$|EXEC_PATH$)")
# GIT_ALLOW_PROTOCOL keeps a repository from naming a program as its address (ext::); ssh is for a user's insteadOf.
ALWAYS = {
    "LC_ALL": "C",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ASKPASS": "false",
    "SSH_ASKPASS": "false",
    "GIT_ALLOW_PROTOCOL": "https:http:file:ssh:git",
}
GIT = ["git", "-c", f"core.hooksPath={os.devnull}"]
NO_CONFIGURATION = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_ATTR_NOSYSTEM": "1"}


class GitError(Exception):
    pass


def environment(plain):
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_") or KEPT.match(name)}
    if plain:
        kept = {name: value for name, value in kept.items() if not name.startswith("GIT_CONFIG")}
        kept.update(NO_CONFIGURATION, HOME=os.devnull, XDG_CONFIG_HOME=os.devnull)
    return {**kept, **ALWAYS}


def call(*words, plain, timeout=None, **streams):
    """The finished process, with its output as text unless `streams` say otherwise."""
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, **streams}
    command = [*GIT, *words]
    try:
        return subprocess.run(
            command,
            env=environment(plain),
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="surrogateescape",
            timeout=timeout,
            **streams,
        )
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 1, "", "timed out")
    except FileNotFoundError:
        raise GitError("git is not installed") from None


def plain(repository, *words, **streams):
    """Output of a git command without any configuration, in a bare repository."""
    done = call(f"--git-dir={repository}", *words, plain=True, **streams)
    if done.returncode:
        raise GitError(first_line(done.stderr) or f"git {words[0]} failed")
    return (done.stdout or "").rstrip("\n")


def in_checkout(folder, *words):
    """Asks the repository of a user's checkout, never one around it, and leaves nothing behind: no lock, no refreshed
    index. git refuses for a folder of another user's. The caller looks at the exit status."""
    around = os.path.dirname(os.path.abspath(folder))
    allowed = {**environment(False), "GIT_CEILING_DIRECTORIES": around}
    words = ["-C", folder, "--no-optional-locks", "-c", "core.fsmonitor=false", *words]
    return subprocess.run(
        ["git", *words], env=allowed, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", errors="replace"
    )


def init(repository):
    shutil.rmtree(repository, ignore_errors=True)
    done = call("init", "--quiet", "--bare", "--template=", "--", repository, plain=True)
    if done.returncode:
        raise GitError(first_line(done.stderr))


def open_pack(pack, repository):
    """Makes a bare repository of an open pack. Error: it is not whole."""
    init(repository)
    try:
        plain(repository, "index-pack", "--stdin", stdin=pack, stdout=subprocess.DEVNULL)
    except GitError as error:
        raise GitError(f"not a whole git pack ({error})") from None


def has_commit(repository, commit):
    return call(f"--git-dir={repository}", "cat-file", "-e", commit + "^{commit}", plain=True).returncode == 0


def check_path(path):
    """Error: a submodule's path that leaves its tree, or that a terminal or git would take for something else."""
    parts = path.split("/")
    if re.search(r"[\0-\x1f\x7f]", path) or any(part.lower() in ("", ".", "..", ".git") for part in parts):
        raise GitError(f"a submodule has the path {path!r}")


def entries(repository, commit):
    """(mode, object, size, path) of all that a commit's tree has, as git says it: a small tree may have more files than fit into
    memory."""
    command = [*GIT, f"--git-dir={repository}", "ls-tree", "-r", "-l", "-z", commit]
    with subprocess.Popen(
        command, env=environment(True), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        try:
            rest = b""
            for block in iter(lambda: process.stdout.read1(1 << 16), b""):
                *lines, rest = (rest + block).split(b"\0")
                for line in map(os.fsdecode, lines):
                    about, _, path = line.partition("\t")
                    mode, _, name, size = about.split()
                    yield mode, name, int(size) if size.isdigit() else 0, path
            if process.wait():
                raise GitError(f"the files of commit {commit} cannot be listed")
        finally:
            process.kill()


def links(repository, commit, target, at=""):
    """The submodules of a commit that lies at `at` below the top: (path, commit). Error: with its files the target has more
    than an archive may have."""
    found = []
    try:
        for mode, name, size, path in entries(repository, commit):
            target.expect(os.path.join(at, path), size)
            if mode == "160000":
                check_path(path)
                found.append((path, name))
    except Failure as failure:
        raise GitError(str(failure)) from None
    return found


def taken_links(repository, commit, path, complete, target):
    """Those that are taken, of a commit that lies at `path` in the source (empty at the top): (path from the top, path in
    its own repository, commit)."""
    if not complete:
        return []
    found = [(os.path.join(path, below), below, link) for below, link in links(repository, commit, target, path)]
    return [link for link in found if complete is True or link[0] in complete]


def taken_commits(repository, commit, complete, target):
    """The commit and those of the submodules that are taken.

    Error: one is not in the repository; a path in `complete` is not a submodule.
    """
    todo, commits, paths = [("", commit)], [], set()
    while todo:
        path, commit = todo.pop(0)
        if not has_commit(repository, commit):
            raise GitError(f"commit {commit} is not in it")
        commits.append(commit)
        paths.add(path)
        todo += [(below, link) for below, _, link in taken_links(repository, commit, path, complete, target)]
    missing = [path for path in complete if path not in paths] if isinstance(complete, list) else []
    if missing:
        raise GitError(f"it has no submodule {', '.join(missing)}, which its pin names")
    return list(dict.fromkeys(commits))


def write_shallow(repository, commits):
    """So that git does not look for the history, which is left out on purpose."""
    with open(os.path.join(repository, "shallow"), "w") as file:
        file.writelines(commit + "\n" for commit in commits)


def fault_of_pack(pack, commit, complete):
    """Why a pack does not hold the whole commit, or an empty string."""
    repository = pack + ".verify"
    try:
        with open(pack, "rb") as file:
            open_pack(file, repository)
        commits = taken_commits(repository, commit, complete, Target(repository, os.path.getsize(pack)))
        write_shallow(repository, commits)
        if call(f"--git-dir={repository}", "rev-list", "--objects", "--quiet", *commits, plain=True).returncode:
            return "objects are missing from it"
    except GitError as error:
        return str(error)
    finally:
        shutil.rmtree(repository, ignore_errors=True)
    return ""


def write_tree(repository, commit, folder, target, at=""):
    """Writes the files of a commit, and of the commits of its submodules that are in the repository, as a clone would have
    them."""
    submodules = links(repository, commit, target, at)
    os.makedirs(folder, exist_ok=True)
    index = os.path.join(repository, "index")
    if os.path.exists(index):
        os.remove(index)
    tree = ["-c", "core.bare=false", "-c", "core.autocrlf=false", f"--work-tree={folder}"]
    plain(repository, *tree, "read-tree", commit)
    plain(repository, *tree, "checkout-index", "--all", "--force")
    for path, link in submodules:
        place = os.path.join(os.path.realpath(folder), path)
        # A forged tree may have a name twice, once for a link.
        if os.path.realpath(place) != place:
            raise GitError(f"the submodule {path!r} is behind a link")
        os.makedirs(place, exist_ok=True)
        if has_commit(repository, link):
            write_tree(repository, link, place, target, os.path.join(at, path))
