# SPDX-License-Identifier: BSD-3-Clause
"""python3 engine sources.patches <package.json> <source> <tree> [<the user's folder that it is a copy of>]

Applies the patches of a source to a tree that is made anew for each run, so that a run that fails may leave some of them in it.

`.tsb-patches` in the tree lists what was applied, for the manifest. That in a folder of the user's, who may name a copy of such
a tree, is not taken (tree.py). The pins' members of a patch are described in releases/README.md.
"""

import os
import re
import subprocess

from engine.build_folder import read_json
from engine.failure import Failure
from engine.partial_file import write_text
from engine.sources.tree import PATCH_LIST, digest_of
from engine.text import say


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


def select(patches, folder, tree):
    """The files of the patches that are for this tree."""
    selected = []
    for patch in patches:
        path = os.path.join(folder, patch["file"])
        if not os.path.exists(path):
            raise Failure(f"there is no patch {path}")
        if is_wanted(patch, tree):
            selected.append(os.path.realpath(path))  # in the pins of a build it is a link
    return selected


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


def what_failed(output):
    """What patch says, without the words that only help who is there to answer."""
    wanted = r"checking|Hunk.*FAILED|can't find|\|\+\+\+|Reversed|malformed"
    lines = [line for line in output.splitlines() if re.search(wanted, line)]
    after = lines[1:] + ["checking"]
    return "".join(f"\n  {line}" for line, next in zip(lines, after) if not line[:8] == next[:8] == "checking")


def apply(patch, tree, folder):
    """Applies one patch. One whose change is there already counts as applied."""
    done = run_patch(tree, patch, "--forward", "--dry-run")
    if done.returncode == 0:
        done = run_patch(tree, patch, "--forward")
    elif run_patch(tree, patch, "--reverse", "--dry-run").returncode == 0:
        say(f"patch: {os.path.basename(patch)} is in {folder} already")
        return
    if not done.stdout or "Only garbage" in done.stdout:
        raise Failure(f"{patch} has no change in it\n  it must be a unified diff, as diff -ruN a b makes it")
    if done.returncode:
        paths = (
            "\n  Its paths must begin with a/ and b/, and go on from the top of the source's tree."
            if "can't find file" in done.stdout
            else ""
        )
        after = (
            "\n  Make its change there by hand (a patch that is in already counts as applied), or leave it out of a copy of"
            "\n  the pins and name that as TSB_PINS_FILE."
        )
        raise Failure(
            f"{patch} does not apply to {folder}:{what_failed(done.stdout)}{paths}{after if folder != tree else ''}"
        )


def main(file, source, tree, folder=""):
    """Error: the patch, file and hunk."""
    package, tree = read_json(file), os.path.abspath(tree)
    selected = select(package["patches"][source], os.path.join(os.path.dirname(package["pins"]), "patches"), tree)
    for patch in selected:
        apply(patch, tree, folder or tree)
    record = "".join(f"{digest_of(patch)}  {os.path.basename(patch)}\n" for patch in selected)
    write_text(os.path.join(tree, PATCH_LIST), record)  # by a rename, so through no link
