# SPDX-License-Identifier: BSD-3-Clause
"""Puts the pins of a release, and what additions add to them, into one folder, which everything else reads.

    merge_pins.py [--patches=<folder>] <folder to write> [<folder that the release is from> [<folder of an addition to that>...]...]
                  <folder of the release> [<folder of an addition>...]

Written are sources.json, components.json and patches/, which has links, so that the patch that is named in a message,
or edited, is the user's own. A file that is the same already is left alone. An addition's candidates, patches,
submodules and components come after the release's, for as long as no newer release has other candidates for the source.
It may bring sources of its own; what it says about a source that the release does not have is left out, and named.
`--patches` is the user's TSB_PATCHES, whose patches come last.
"""

import copy
import json
import pathlib

from engine.failure import Failure
from engine.model import data, inherit, own_patches
from engine.partial_file import write_changed
from engine.sources.pins import check, check_components, read
from engine.text import say

LISTS = ("candidates", "patches", "submodules")


def as_list(value):
    return value if isinstance(value, list) else [value]


def add_sources(sources, more, file):
    """Adds to the sources of a release what an addition's file says. Error: it changes what the release says."""
    for name, pin in more.items():
        if name not in sources:
            if "license" in pin:
                sources[name] = pin
            else:
                say(f"{file}: source {name} has no effect: the release has no such source")
            continue
        changed = sorted(set(pin) - set(LISTS))
        if changed:
            raise Failure(
                f"{file}: source {name}: an addition may not set '{changed[0]}'"
                f"\n  remove it: an addition may add {', '.join(LISTS)} (releases/README.md)"
            )
        for member in filter(pin.get, LISTS):  # in one order, since the file's hash is an input of fetch
            sources[name][member] = sources[name].get(member, []) + pin[member]


def patches_of(folder):
    """{name below patches/: path} of what is there. In a copy of a build's pins, the user's own are in folders."""
    top = folder / "patches"
    return {str(patch.relative_to(top)): patch for patch in sorted(top.glob("**/*")) if not patch.is_dir()}


def check_patches(sources, patches, names):
    """Error: a patch that is not there. Warning: one that no pin names."""
    unused = set(patches)
    for name, pin in sources.items():
        for patch in pin.get("patches", []):
            if patch["file"] not in patches:
                beside = [file for file, own in names.items() if patch in (own.get(name) or {}).get("patches", ())]
                raise Failure(
                    f"source {name}: there is no patches/{patch['file']} beside {beside[-1]}"
                    "\n  put it there, or correct 'file' in the pin"
                )
            unused.discard(patch["file"])
    for name in sorted(unused):
        say(f"{patches[name]} has no effect: no pin names it")


def still_added(folder, more, components, own):
    """What an addition has, without what is for pins that a newer release names anew or does not have."""
    lost = {name for name in more if name in own and (own[name] is None or "candidates" in own[name])}
    components = {name: entry for name, entry in components.items() if as_list(entry)[0].get("in") not in lost}
    return folder, {name: pin for name, pin in more.items() if name not in lost}, components


def collect(folders):
    """({folder of a release: its sources}, {file: its components}, [(folder of an addition, its sources, its
    components)], pins, components or None), the last two of the releases alone, of which the folders after the first
    have a release.json."""
    releases, of_components, held, pins, components = {}, {}, [], {}, None
    for folder in folders:
        file, nested = folder / "sources.json", folder / "components.json"
        is_release = not pins or (folder / "release.json").exists()
        own = read(file) if is_release or file.exists() else {"sources": {}}  # an addition may have other files alone
        more = data.read(nested, {}) if nested.exists() else {}
        if not is_release:
            held.append((folder, own["sources"], more.get("components", {})))
            continue
        releases[folder] = copy.deepcopy(own["sources"])  # without what additions add
        pins = inherit.merge(pins, own, file) if pins else own
        components = inherit.merge(components, more, nested) if components else more or components
        of_components[nested] = more.get("components", {})
        held = [still_added(*one, own["sources"]) for one in held]
    return releases, of_components, held, pins, components


def merge(folders):
    """(pins, components or None, {name of a patch: its path}). Error: a file that cannot be used."""
    releases, of_components, held, pins, components = collect(folders)
    newest = list(releases)[-1]
    older = folders[: folders.index(newest)]
    names = {folder / "sources.json": sources for folder, sources in releases.items()}
    patches = {name: patch for folder in releases for name, patch in patches_of(folder).items()}
    for folder, more, nested in held:
        file = folder / "sources.json"
        names[file] = more
        add_sources(pins["sources"], more, file)
        if nested:
            of_components[folder / "components.json"] = nested
            components = components or {"components": {}}
        for name, entry in nested.items():
            known = components["components"]
            known[name] = as_list(known[name]) + as_list(entry) if name in known else entry
        for name, patch in patches_of(folder).items():
            if name in patches:
                raise Failure(f"{patch} has the name of {patches[name]}\n  give it another one")
            patches[name] = patch
    check(pins, names)
    used = {patch["file"] for pin in pins["sources"].values() for patch in pin.get("patches", [])}
    # What only an older release uses stays behind.
    patches = {name: patch for name, patch in patches.items() if name in used or not {*patch.parents} & {*older}}
    check_patches(pins["sources"], patches, names)
    if components:
        check_components(components["components"], pins["sources"], of_components)
    return pins, components, patches


def main(first, *words):
    words = [first, *words]
    own = [word.removeprefix("--patches=") for word in words if word.startswith("--patches=")]
    folder, *folders = (pathlib.Path(word) for word in words if not word.startswith("--patches="))
    pins, components, patches = merge(folders)
    for place in filter(None, own):
        for _, patch in own_patches.of_pins(pins["sources"]):  # of a copy of a build's pins
            del patches[patch["file"]]
        patches.update(own_patches.add(place, pins["sources"]))
    for link, path in sorted((folder / "patches" / name, path) for name, path in patches.items()):
        if link.exists() and not link.is_symlink():
            where = f"{link} is not a link to {path} any more"
            raise Failure(f"{where}\n  move what you changed there into that file, and remove {link.parent}")
    contents = {}
    for name, value in (("sources.json", pins), ("components.json", components)):
        if value is not None:
            contents[name] = json.dumps(value, indent=2, ensure_ascii=False) + "\n"
    stale = [path for path in folder.glob("patches/**/*") if path.is_symlink()]  # and no file of a user's
    for path in [*stale, *(folder / name for name in {"components.json"} - set(contents))]:
        path.unlink(missing_ok=True)
    for name, content in contents.items():
        write_changed(folder / name, content)
    (folder / "patches").mkdir(exist_ok=True)
    for name, path in patches.items():
        (folder / "patches" / name).parent.mkdir(exist_ok=True)
        (folder / "patches" / name).symlink_to(path.absolute())
