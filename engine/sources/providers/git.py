# SPDX-License-Identifier: BSD-3-Clause
"""Fetches one commit, without its history, from the repository under `git`, and the commits of the submodules that `complete`
names (True: of all below it), from the repositories that `.gitmodules` names. All of it becomes one git pack. The commit that
holds a submodule says which commit it has.

Errors: one reason, which names the submodule when it is one of those that cannot be fetched.
"""

import os
import re
import shutil
import time
from urllib.parse import urlsplit

from engine.sources import git
from engine.sources.git import GitError
from engine.sources.transfer import fault_in_words, is_unreachable, may_work_later
from engine.text import without_password

OPTIONS = "-c http.lowSpeedLimit=1000 -c http.lowSpeedTime=60 -c gc.auto=0 -c maintenance.auto=false"


def check_url(url, pinned):
    """Error: an address of a submodule that is neither https nor of the kind of the pinned one."""
    if urlsplit(url).scheme not in ("https", urlsplit(pinned).scheme):
        raise GitError(f"the address {url!r} in .gitmodules is not used: it is not https")


def asked_address(url):
    """The address that git asks, which the user's insteadOf may change."""
    return git.call("ls-remote", "--get-url", "--", url, plain=False).stdout.strip() or url


def unreachable(run, url):
    """Why the host of a repository cannot be reached, asked once in a run. git decides for itself: it may have a proxy, CAs
    and other addresses (insteadOf) of its own."""
    real = asked_address(url)
    host = re.match(r"https?://[^/\n]+", real)
    if not host:
        return ""

    def ask():
        done = git.call("ls-remote", "--quiet", "--", url, "HEAD", plain=False, timeout=60)
        return fault_in_words(real, done.stderr) if done.returncode and is_unreachable(done.stderr) else ""

    return run.once(f"git {host[0]}", ask)


def transfer(repository, *words):
    """What git says when it cannot fetch; asks again, twice, when the connection was lost."""
    fetch = ["fetch", "--quiet", "--no-tags", "--no-recurse-submodules"]
    for pause in (2, 8, None):
        done = git.call(*OPTIONS.split(), f"--git-dir={repository}", *fetch, *words, plain=False)
        if done.returncode == 0:
            return ""
        if pause is None or not may_work_later(done.stderr):
            return done.stderr
        time.sleep(pause)
    return ""


def fetch_commit(run, repository, url, commit):
    """Fetches one commit: alone where the server allows it, else with all branches and tags."""
    if git.has_commit(repository, commit):
        return
    reason = unreachable(run, url)
    if reason:
        raise GitError(reason)
    error = transfer(repository, "--depth=1", "--", url, commit)
    # Only for a server that refuses to do so: everything is a gigabyte of PyTorch.
    if re.search("unadvertised object|dumb http|shallow", error):
        everything = ["+refs/heads/*:refs/fetched/heads/*", "+refs/tags/*:refs/fetched/tags/*"]
        error = transfer(repository, "--", url, *everything)
    shown = without_password(url)
    if error and not re.search("not our ref|no such remote ref", error):
        fatal = re.search("(fatal|error): .*", error)
        why = fault_in_words(asked_address(url), error) or (fatal[0] if fatal else error.strip())
        raise GitError(f"{shown}: {why}")
    if not git.has_commit(repository, commit):
        raise GitError(f"{shown} has no commit {commit}")


def submodule_url(repository, commit, path, parent):
    """The address of a submodule, which may be written relative to the address of the repository that has it."""
    config = ["config", "--blob", f"{commit}:.gitmodules"]
    listed = git.plain(repository, *config, "--null", "--get-regexp", r"^submodule\..*\.path$")
    keys = dict(reversed(entry.split("\n", 1)) for entry in listed.split("\0") if entry)
    key = keys.get(path, "")[: -len("path")] + "url"
    url = git.call(f"--git-dir={repository}", *config, "--get", key, plain=True).stdout.rstrip("\n")
    if not url:
        raise GitError(".gitmodules has no address for it")
    if re.match(r"\.\.?/", url):
        scheme, _, place = parent.partition("://")
        url = f"{scheme}://{os.path.normpath(f'{place}/{url}')}"
    return url


def provide(run, name, candidate, download, place):
    pinned = candidate["git"]
    repository = run.path("git", name)

    def find(path, commit, holder):
        try:
            url = submodule_url(repository, *holder) if holder else pinned
            check_url(url, pinned)
            fetch_commit(run, repository, url, commit)
        except GitError as error:
            raise GitError(f"submodule {path}: {error}" if path else str(error)) from None
        return url

    try:
        git.init(repository)
        commits = git.walk(repository, candidate["commit"], candidate.get("complete", False), find)
        # Without history, also where all of it had to be fetched.
        git.write_shallow(repository, commits)
        with open(download.part, "wb") as part, open(os.path.join(repository, "shallow")) as wanted:
            git.plain(repository, "pack-objects", "--revs", "--stdout", "--quiet", stdin=wanted, stdout=part)
    except GitError as error:
        return str(error), ""
    finally:
        shutil.rmtree(repository, ignore_errors=True)
    return "", without_password(pinned)
