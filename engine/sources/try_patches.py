# SPDX-License-Identifier: BSD-3-Clause
"""Tries the user's own patches (engine/model/own_patches.py) on what is on this machine already:

    python3 engine sources.try_patches <request of fetch>

fetch does the same with what it brings, before anything is compiled. They are applied to copies, so that a tree, and what
was built of it, stay as they were.
"""

import hashlib
import os
import pathlib
import re
import shutil

from engine.failure import Failure
from engine.model.own_patches import SETTING, of_pins
from engine.partial_file import write_text
from engine.sources.local import has_content
from engine.sources.patches import apply, run_patch, select, what_failed
from engine.sources.request import members, read_request
from engine.sources.run import Run, run_folder
from engine.sources.source import fetch_source
from engine.sources.tree import digest_of
from engine.sources.unpack import unpack_source
from engine.text import say


def place_of(run, pins, names, name):
    """(fetch's entry of what has the source, the source's folder in that, or nothing), as far as it is here."""
    if name in run.local:
        return {"status": "ok", "kind": "folder", "archive": run.local[name]}, ""
    for main in names:
        for member in members(pins, main):
            if member["name"] == name:
                entry, below = place_of(run, pins, names, main)
                place = os.path.join(below, member["path"])
                complete = entry.get("complete")
                is_inside = complete is True or (isinstance(complete, list) and member["path"] in complete)
                if entry.get("kind") == "folder":
                    is_inside = has_content(os.path.join(entry["archive"], place))
                if entry["status"] != "ok" or is_inside:
                    return entry, place
    return fetch_source(run, name, pins["sources"][name])[0], ""


def copy_touched(folder, patches, files, tree):
    """The files of a folder that patches name, which may be a small part of it."""
    for patch in patches:
        text = pathlib.Path(patch).read_text("utf-8", "replace")
        files = files + re.findall(r"(?m)^(?:(?:---|\+\+\+) [^/\s]+/+|(?:rename|copy) from )([^\t\n]+)", text)
    os.makedirs(tree)
    for file in {os.path.normpath(file) for file in files}:
        origin = os.path.join(folder, file)
        if not file.startswith("..") and os.path.isfile(origin):
            os.makedirs(os.path.dirname(os.path.join(tree, file)), exist_ok=True)
            shutil.copyfile(origin, os.path.join(tree, file))


def try_one(patch, name, tree, shown):
    """Applies a patch of the user's. Error: what does not fit, and where."""
    done = run_patch(tree, patch, "--forward", "--dry-run")
    if done.returncode == 0:
        done = run_patch(tree, patch, "--forward")
    elif run_patch(tree, patch, "--reverse", "--dry-run").returncode == 0:
        return
    if done.returncode:
        said = (
            what_failed(done.stdout)
            or "\n  it has no change in it: it must be a unified diff, as diff -ruN a b makes it"
        )
        raise Failure(
            f"{patch} does not apply to source {name}, {shown}:{said}\n  nothing was changed. Make the patch anew against "
            f"this source (docs/variants.md#patches), or remove it from {SETTING}"
        )


def try_source(run, pins, names, name, folder):
    """Tries the patches of a source, ours first. Error: one that does not apply."""
    entry, below = place_of(run, pins, names, name)
    if entry["status"] != "ok":
        return  # fetch says so
    patches = pins["sources"][name]["patches"]
    files = [os.path.realpath(os.path.join(folder, one["file"])) for one in patches]
    shown, tree = os.path.join(entry["archive"], below).rstrip("/"), os.path.join(run.folder, name)
    known = "".join(map(digest_of, files)) + entry.get("sha256", "") + entry.get("commit", "") + below
    known, stamp = hashlib.sha256(known.encode()).hexdigest(), pathlib.Path(run.work, f"patches-{name}.tried")
    if entry["kind"] == "folder":
        touched = [one["only_where"]["file"] for one in patches if "only_where" in one]
        copy_touched(os.path.join(entry["archive"], below), files, touched, tree)
    elif stamp.is_file() and stamp.read_text() == known:
        return
    else:
        say(f"trying the patches of {name} on {shown}")
        unpack_source(entry, tree)
        tree = os.path.join(tree, below)
    for patch in patches:
        for file in select([patch], folder, tree):
            if patch.get("source") == SETTING:
                try_one(file, name, tree, shown)
            else:
                apply(file, tree, shown)
    write_text(stamp, known)


def check(request, pins, names):
    """Tries the patches of these sources. Error: one that does not apply."""
    own = [name for name in dict(of_pins(pins["sources"])) if name in names]
    if own:
        with run_folder(request["work"], "trying-") as folder:
            run = Run({**request, "providers": []}, folder)
            for name in own:
                try_source(run, pins, names, name, os.path.join(os.path.dirname(request["pins"]), "patches"))


def main(file):
    check(*read_request(file))
