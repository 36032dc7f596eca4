# SPDX-License-Identifier: BSD-3-Clause
"""Applies patches to a tree that is made anew for each run, so that a run that fails may leave some of them in it.

`.tsb-patches` in the tree lists what was applied, for the manifest. No archive or commit may bring one, and that in a folder
of the user's, who may name a copy of such a tree, is not taken (tree.py). The pins' members of a patch are described in
releases/README.md.
"""

import os
import re
import subprocess

from partial_file import write_text
from text import Failure, say
from tree import PATCH_LIST, digest_of

COMPARE = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<=": lambda a, b: a <= b,
    ">=": lambda a, b: a >= b,
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
}


def numbers(version):
    """1.10.0 as (1, 10), so that it is equal to 1.10; what follows the numbers does not count."""
    parts = [int(part) for part in re.match(r"[0-9.]*", version)[0].split(".") if part]
    while parts and parts[-1] == 0:
        parts.pop()
    return parts


def applies(file, constraint, version):
    """Whether a version fulfils constraints such as ">=3.8,<4"."""
    for part in filter(None, constraint.split(",")):
        match = re.fullmatch(r"\s*(==|!=|<=|>=|<|>)([0-9][0-9.]*)\s*", part)
        if not match:
            raise Failure(f"{file}: applies_to '{constraint}' is not of the form '>=1.2,<2'")
        if not version:
            raise Failure(f"{file}: applies_to is '{constraint}', but there is no --version")
        if not COMPARE[match[1]](numbers(version), numbers(match[2])):
            return False
    return True


def is_wanted(patch, tree):
    """Whether the tree has what a patch is for."""
    where = patch.get("only_where")
    if not where:
        return True
    try:
        with open(os.path.join(tree, where["file"]), encoding="utf-8", errors="replace") as file:
            return where["has"] in file.read()
    except FileNotFoundError:
        return False


def select(patches, folder, version, tree):
    """The files of the patches that are for this version and this tree."""
    selected = []
    for number, patch in enumerate(patches):
        if not patch.get("file"):
            raise Failure(f"patch number {number} names no file")
        if not patch.get("reason", "").strip():
            raise Failure(f"{patch['file']} has no reason: write into the pins why the source needs it")
        path = os.path.join(folder, patch["file"])
        if not os.path.exists(path):
            raise Failure(f"there is no patch {path}")
        if applies(patch["file"], patch.get("applies_to", ""), version) and is_wanted(patch, tree):
            selected.append(path)
    return selected


def paths_of(patch):
    """The paths that a patch names, relative to the tree."""
    with open(patch, encoding="utf-8", errors="surrogateescape") as file:
        named = [re.match(r"(?:---|\+\+\+) ([^\t\n]*)", line) for line in file]
    paths = [match[1].strip().partition("/")[2] for match in named if match and match[1].strip() != "/dev/null"]
    for path in paths:
        if path.startswith("/") or ".." in path.split("/"):
            raise Failure(f"{patch} leaves the tree: {path}")
    return list(dict.fromkeys(paths))


def run_patch(folder, patch, *options):
    """No fuzz: a hunk whose surroundings differ is not the one that was meant."""
    command = ["patch", "--strip=1", "--force", "--fuzz=0", "--no-backup-if-mismatch", "--remove-empty-files"]
    try:
        return subprocess.run(
            [*command, "--reject-file=-", f"--input={patch}", *options],
            cwd=folder,
            env={**os.environ, "LC_ALL": "C"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
    except FileNotFoundError:
        raise Failure("the tool 'patch' is not installed") from None


def what_failed(output, paths):
    """What patch says, without the words that only help who is there to answer."""
    current, said = "", []
    for line in output.splitlines():
        file = re.match(r"(?:checking|patching) file '?([^']*)'?", line)
        hunk = re.match(r"Hunk #[0-9]+ FAILED at [0-9]+", line)
        if file:
            current = file[1]
        elif hunk:
            said.append(f"{current}: {hunk[0]}")
        elif re.search("can't find file|Reversed|malformed|No file to patch", line):
            said.append(f"{current} {line}".strip())
    if any("can't find file" in line for line in said):
        said.append(f"it is for {', '.join(paths)}")
    return "".join(f"\n  {line}" for line in said)


def apply(patch, tree, folder):
    """Applies one patch. One whose change is there already counts as applied."""
    paths = paths_of(patch)
    done = run_patch(tree, patch, "--forward", "--dry-run")
    if done.returncode == 0:
        done = run_patch(tree, patch, "--forward")
    elif run_patch(tree, patch, "--reverse", "--dry-run").returncode == 0:
        say(f"patch: {os.path.basename(patch)} is in {folder} already")
        return
    if done.returncode:
        after = (
            "\n  Make its change there by hand (a patch that is in already counts as applied), or leave it out of a copy of"
            "\n  the pins and name that as TSB_PINS_FILE."
        )
        raise Failure(
            f"{patch} does not apply to {folder}:{what_failed(done.stdout, paths)}{after if folder != tree else ''}"
        )


def patch_tree(tree, patches, patch_folder, version, folder):
    """`folder`: the user's folder that the tree is a copy of, or the tree. Error: the patch, file and hunk."""
    selected = select(patches, patch_folder, version, tree)
    for patch in selected:
        apply(patch, tree, folder)
    record = "".join(f"{digest_of(patch)}  {os.path.basename(patch)}\n" for patch in selected)
    write_text(os.path.join(tree, PATCH_LIST), record)  # by a rename, so through no link
