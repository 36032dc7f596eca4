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

from engine.text import first_line

# What tells git how to talk to a server, what to say about it, and where it is installed. Every other variable of git, of
# which each version has more, belongs to the caller's repository, runs something, or changes what is made of a commit.
KEPT = re.compile("GIT_(CONFIG|SSH|SSL_|PROXY_|HTTP_|TRACE|CURL_VERBOSE$|EXEC_PATH$)")
# GIT_ALLOW_PROTOCOL: ssh is for a user's insteadOf.
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


def call(*words, plain, timeout=None, more=(), **streams):
    """The finished process, with its output as text unless `streams` say otherwise. `more`: variables of the environment."""
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, **streams}
    options = {"stderr": subprocess.PIPE, "encoding": "utf-8", "errors": "surrogateescape", "timeout": timeout}
    try:
        return subprocess.run([*GIT, *words], env={**environment(plain), **dict(more)}, **options, **streams)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(words, 1, "", "timed out")
    except FileNotFoundError:
        raise GitError("git is not installed") from None


def plain(repository, *words, **streams):
    """Output of a git command without any configuration, in a bare repository."""
    done = call(f"--git-dir={repository}", *words, plain=True, **streams)
    if done.returncode:
        raise GitError(first_line(done.stderr) or f"git {words[0]} failed")
    return (done.stdout or "").rstrip("\n")


def in_checkout(folder, *words):
    """Asks the repository of a user's checkout, never one around it. Nothing is left behind (no lock, no refreshed index), and
    nothing is fetched, which a partial clone would do. git refuses for a folder of another user's. The caller looks at the
    exit status."""
    around = os.path.dirname(os.path.abspath(folder))
    more = {"GIT_CEILING_DIRECTORIES": around, "GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none"}
    return call("-C", folder, "--no-optional-locks", "-c", "core.fsmonitor=false", *words, plain=False, more=more)


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


def submodules(repository, commit):
    """(path, commit) of each in a commit."""
    listed = plain(repository, "ls-tree", "-r", "-z", commit).split("\0")
    links = (re.match(r"160000 commit (\w+)\t(.*)", line, re.DOTALL) for line in listed)
    return [(link[2], link[1]) for link in links if link]


def walk(repository, commit, complete, find):
    """The commit and those of the submodules that are taken, from the top down.

    `find(path, commit, holder)` is called for each before it is looked at: `path` from the top, empty there; `holder` is None at
    the top, else (the commit that holds it, its path in that, what `find` returned for that).

    Error: that of `find`; a path in `complete` is not a submodule.
    """
    todo, commits, paths = [("", commit, None)], [], set()
    while todo:
        at, commit, holder = todo.pop(0)
        found = find(at, commit, holder)
        commits.append(commit)
        paths.add(at)
        for path, link in submodules(repository, commit) if complete else ():
            below = os.path.join(at, path)
            if complete is True or below in complete:
                todo.append((below, link, (commit, path, found)))
    missing = [path for path in complete if path not in paths] if isinstance(complete, list) else []
    if missing:
        raise GitError(f"it has no submodule {', '.join(missing)}, which its pin names")
    return list(dict.fromkeys(commits))


def write_shallow(repository, commits):
    """So that git does not look for the history, which is left out on purpose."""
    with open(os.path.join(repository, "shallow"), "w") as file:
        file.writelines(commit + "\n" for commit in commits)


def fault_of_pack(pack, commit, complete, repository):
    """Why an open pack does not hold the whole commit, or an empty string. The repository is made for it, and removed."""

    def find(_, commit, holder):
        if not has_commit(repository, commit):
            raise GitError(f"commit {commit} is not in it")

    try:
        open_pack(pack, repository)
        commits = walk(repository, commit, complete, find)
        write_shallow(repository, commits)
        if call(f"--git-dir={repository}", "rev-list", "--objects", "--quiet", *commits, plain=True).returncode:
            return "objects are missing from it"
    except GitError as error:
        return str(error)
    finally:
        shutil.rmtree(repository, ignore_errors=True)
    return ""


def write_tree(repository, commit, folder):
    """Writes the files of a commit, and of the commits of its submodules that are in the repository, as in a clone."""
    os.makedirs(folder, exist_ok=True)
    with_files = ["-c", "core.bare=false", "-c", "core.autocrlf=false", f"--work-tree={folder}"]
    plain(repository, *with_files, "read-tree", commit)
    plain(repository, *with_files, "checkout-index", "--all", "--force")
    for path, link in submodules(repository, commit):
        place = os.path.join(folder, path)
        os.makedirs(place, exist_ok=True)
        if has_commit(repository, link):
            write_tree(repository, link, place)
