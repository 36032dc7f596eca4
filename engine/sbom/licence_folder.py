# SPDX-License-Identifier: BSD-3-Clause
"""The licence texts of sources and components: where they lie in a tree, and share/licenses, one folder per component."""

import glob
import os
import re
import shutil

from engine.sbom import stated_licences


def write_text(folder, name, text):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, name), "w", encoding="utf-8", newline="\n") as stream:
        stream.write(text if text.endswith("\n") else text + "\n")


def files_in(folder, pattern):
    paths = glob.glob(os.path.join(glob.escape(folder), pattern))
    return sorted(path for path in paths if os.path.isfile(path))


def texts_of_source(component, tree, patterns):
    """(the licence files of a source in an unpacked tree, the patterns that name none).

    Those that the package names; otherwise what lies in the source's uppermost folder; otherwise what LICENSES/ has for
    the licence that was chosen, as https://reuse.software lays it out.
    """
    folder = os.path.join(tree, component.root)
    if patterns:
        named = {pattern: files_in(folder, pattern) for pattern in patterns}
        return [path for paths in named.values() for path in paths], [name for name in patterns if not named[name]]
    texts = [path for path in files_in(folder, "*") if stated_licences.is_licence_file(os.path.basename(path))]
    if component.text_above:
        texts += files_in(tree, glob.escape(component.text_above))
    if not texts and component.license:
        names = set(re.findall(r"[A-Za-z0-9.+-]+", stated_licences.concluded(component.license))) - {"AND", "WITH"}
        found = {name: files_in(folder, "LICENSES/%s.txt" % glob.escape(name)) for name in sorted(names)}
        texts = [path for paths in found.values() for path in paths] if all(found.values()) else []
    return texts, []


def collect(component, texts, folder):
    """Keeps the texts of a source with the built package, for the artifacts."""
    target = os.path.join(folder, component.name)
    os.makedirs(target, exist_ok=True)
    for path in texts:
        shutil.copyfile(path, os.path.join(target, os.path.basename(path)))


def collected(component):
    """The texts of a source that collect() kept."""
    folder = os.path.join(component.package.folder, "licenses", component.name)
    return files_in(folder, "*")


def notices_of(component):
    """What the files say themselves; files that say the same share one text."""
    paths_of = {}
    for path in sorted({path for path, _ in component.linked + component.shipped}):
        text = component.package.record["notices"].get(path)
        if text:
            paths_of.setdefault(text, []).append(path)
    return ["%s:\n\n%s\n" % ("\n".join(paths), text) for text, paths in paths_of.items()]


def write_nested(component, target, texts_folder):
    record = component.package.record
    for name in component.license_files:
        text = record["licence_files"].get(
            os.path.join(component.root, name)
        )  # warned about in a folder of the builder's
        if text is not None:
            write_text(target, os.path.basename(name), text)
    notices = notices_of(component)
    if notices and not component.license_files:
        write_text(target, "NOTICE", ("\n" + "-" * 80 + "\n").join(notices))
    for name in filter(lambda name: os.path.isfile(os.path.join(texts_folder, name + ".txt")), component.texts):
        shutil.copyfile(os.path.join(texts_folder, name + ".txt"), os.path.join(target, name + ".txt"))


def fill(components, folder, texts_folder):
    """share/licenses. The gate has made sure that each text is there."""
    for component in components:
        target = os.path.join(folder, component.name)
        shutil.rmtree(target, ignore_errors=True)
        os.makedirs(target)
        if component.kind == "nested":
            write_nested(component, target, texts_folder)
        for path in collected(component) if component.kind != "nested" else []:
            shutil.copyfile(path, os.path.join(target, os.path.basename(path)))


def extracted_texts(components, folder):
    """{LicenseRef: text} of the licences that the SPDX list does not have."""
    texts = {}
    for component in components:
        name = stated_licences.concluded(component.license)
        if name.startswith("LicenseRef-") and name not in texts:
            texts[name] = "The source has no licence text."  # warned about in a folder of the builder's
            for path in files_in(os.path.join(folder, component.name), "*")[:1]:
                with open(path, encoding="utf-8", errors="replace") as stream:
                    texts[name] = stream.read()
    return texts
