# SPDX-License-Identifier: BSD-3-Clause
"""A source that is a folder of the user's. Nobody pinned it, so its content says what it is: `tree_sha256` is the SHA-256 of
what `sha256sum` prints of its files (tree.py). The entry's `list` is the file with these lines, which unpack.py copies by.

`commit` is that of a git checkout in which nothing was changed, and empty for every other folder. `submodules` has a member
for each submodule in the pin whose place the folder has: its `path` and `commit` (empty: git does not tell it), or, for one
that is empty in a checkout, `checkout`: what to name to `git submodule update`. The others have to be fetched.
"""

import hashlib
import os
import re
import shutil

from engine.sources import git, tree
from engine.text import first_line, say


def gitmodules(folder):
    """The submodules that a folder's .gitmodules names, as paths below it."""
    try:
        with open(os.path.join(folder, ".gitmodules"), encoding="utf-8", errors="surrogateescape") as file:
            return [match[1] for match in (re.match(r"\s*path\s*=\s*(.*\S)", line) for line in file) if match]
    except OSError:
        return []


def without_filters(folder):
    """Options for git by which no filter runs that the configuration of a checkout, or of a submodule in it, names."""
    asked = ["config", "--show-scope", "--name-only", "--get-regexp", r"^filter\..*\.(clean|process|required)$"]
    said = git.in_checkout(folder, *asked)
    found = re.findall(r"^(?:local|worktree)\s+(.*)$", said.stdout, re.MULTILINE)
    if said.returncode > 1 or "=" in "".join(found):  # 1: there is none
        raise git.GitError(first_line(said.stderr) or "the name of a filter has a '=', by which -c cannot set it")
    options = [word for name in found for word in ("-c", name + ("=false" if name.endswith("required") else "="))]
    for below in gitmodules(folder):
        if os.path.lexists(os.path.join(folder, below, ".git")):
            options += without_filters(os.path.join(folder, below))
    return options


def state_of(folder):
    """What git says about a folder that is a checkout by itself: the commit, which lines of `git status` say what differs from
    it, and in a few words why there is no commit."""
    if not os.path.lexists(os.path.join(folder, ".git")):
        return "", [], ""
    # Whatever the repository's or the user's configuration leaves out: PyTorch's ignores changes in its submodules.
    if not shutil.which("git"):
        return "", [], "git is not installed"
    options = ["--porcelain", "--no-renames", "--untracked-files=normal", "--ignore-submodules=none"]
    try:
        status = git.in_checkout(folder, *without_filters(folder), "status", *options)
    except git.GitError as error:
        return "", [], f"git says: {error}"
    if status.returncode:
        owner = re.search("dubious ownership in repository at '(.*)'", status.stderr)
        if owner:
            remedy = f"git config --global --add safe.directory '{owner[1]}'"
            return "", [], f"git does not trust {owner[1]}, which belongs to another user: {remedy}"
        return "", [], f"git says: {first_line(status.stderr)}"
    head = git.in_checkout(folder, "rev-parse", "--verify", "--quiet", "HEAD")
    if head.returncode:
        return "", [], "it has no commit yet"
    return head.stdout.strip(), status.stdout.splitlines(), ""


def commit_of(folder):
    """The commit of a checkout in which nothing was changed, and else in a few words why there is none."""
    commit, changes, why = state_of(folder)
    if changes:
        more = f" and {len(changes) - 1} more" if len(changes) > 1 else ""
        return "", f"uncommitted changes: {changes[0][3:]}{more}"
    return commit, why


def has_content(place):
    return os.path.isdir(place) and any(not name.startswith(".") for name in os.listdir(place))


def submodules_of(pin, folder):
    """The entry's `submodules`."""
    outermost = gitmodules(folder)
    paths = [member["path"] for member in pin.get("submodules", [])]
    found = {}
    for member in pin.get("submodules", []):
        path = below = member["path"]
        # The checkout that the place is in: of the folder itself, of a submodule, or of one in that.
        checkout, commit, known = "", "", False
        while below:
            if below in outermost:
                checkout = below
            if not known and below != path and below in paths:
                known = True  # the repository is another source's
            elif not known and os.path.lexists(os.path.join(folder, below, ".git")):
                commit, known = commit_of(os.path.join(folder, below))[0], True
            below = os.path.dirname(below)
        if has_content(os.path.join(folder, path)):
            found[member["name"]] = {"path": path, "commit": commit}
        elif checkout:
            found[member["name"]] = {"checkout": checkout}
    return found


def hole_in(pin, folder):
    """What a folder of the source must have and has not, nothing if it is whole: a submodule that the pin takes along,
    which may lie elsewhere by the folder's own .gitmodules, or what `holds` names."""
    complete = pin["candidates"][0].get("complete") if pin["candidates"] else None
    named = gitmodules(folder)
    for below in complete if isinstance(complete, list) else ():
        moved = [path for path in named if os.path.basename(path) == os.path.basename(below)]
        below = moved[0] if below not in named and len(moved) == 1 else below
        place = os.path.join(folder, below)
        if not os.path.isdir(place) or not os.listdir(place):
            return below
    return next((name for name in pin.get("holds", ()) if not os.path.exists(os.path.join(folder, name))), "")


def fault_of(folder):
    if not os.path.exists(folder):
        return "does not exist"
    if not os.path.isdir(folder):
        return "is a file, not a folder"
    return "" if os.listdir(folder) else "is empty"


def local_source(run, name, pin, folder):
    """The entry of fetch's result."""
    fault = fault_of(folder)
    if fault:
        variable = "TSB_LOCAL_" + name.replace("-", "_")
        return {"status": "missing", "reason": f"local: {folder} {fault}: correct {variable}, or unset it"}
    hole = "" if pin.get("prebuilt") else hole_in(pin, folder)
    if hole:
        return {"status": "missing", "reason": f"local: {folder} has a hole: there is no {hole}: take a whole tree"}
    prebuilt = tree.prebuilt_files(folder, pin.get("prebuilt", []))
    try:
        files = list(map(os.fsencode, prebuilt)) or tree.files_of(folder)
        lines = tree.sums(folder, files)
    except OSError as error:
        place = os.fsdecode(error.filename or b"")
        reason = f"local: a file in {folder} cannot be read: {place}: {error.strerror}"
        return {"status": "missing", "reason": reason}
    sums = os.path.join(run.work, f"local-{name}.sums")
    with open(sums, "wb") as file:
        file.write(lines)
    commit, why = ("", "") if prebuilt else commit_of(folder)
    state = f" (commit {commit})" if commit else f" ({why})" if why else ""
    say(f"fetch: {name}: using {folder}{state}")
    return {
        "status": "ok",
        "provider": "local",
        "kind": "folder",
        "archive": folder,
        "sha256": "",
        "tree_sha256": hashlib.sha256(lines).hexdigest(),
        "list": sums,
        **({"files": prebuilt} if prebuilt else {}),
        "strip": 0,
        "complete": False,
        "commit": commit,
        "version": pin["candidates"][0]["version"] if pin["candidates"] else "",
        "license": pin["license"],
        "submodules": submodules_of(pin, folder),
    }
