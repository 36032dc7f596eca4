# SPDX-License-Identifier: BSD-3-Clause
"""Fills share/licenses: one folder per component, with the texts that stand in its own files."""
import os
import shutil

from components import Fault


def write_text(folder, name, text):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, name), "w", encoding="utf-8", newline="\n") as stream:
        stream.write(text if text.endswith("\n") else text + "\n")


def copy_collected(component, target):
    """What the package's stage phase collected for a source."""
    folder = os.path.join(component.package.folder, "licenses", component.name)
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    os.makedirs(target, exist_ok=True)
    for name in names:
        shutil.copyfile(os.path.join(folder, name), os.path.join(target, name))
    return names


def copy_beside(component, target):
    """Licence files that were not collected: of a source that came inside another, or of an uncommon name."""
    record = component.package.record
    if record is None:
        return []
    names = []
    for path, text in record["licence_files"].items():
        name = os.path.basename(path)
        if os.path.dirname(path) == component.root and not os.path.exists(os.path.join(target, name)):
            write_text(target, name, text)
            names.append(name)
    return names


def notices_of(component):
    """What the files say themselves; files that say the same stand above one text."""
    paths_of = {}
    for path in sorted({path for path, _ in component.linked + component.shipped}):
        text = component.package.record["notices"].get(path)
        if text:
            paths_of.setdefault(text, []).append(path)
    return ["%s:\n\n%s\n" % ("\n".join(paths), text) for text, paths in paths_of.items()]


def write_nested(component, target, texts_folder, declare_in):
    record = component.package.record
    for name in component.license_files:
        path = os.path.join(component.root, name)
        if path not in record["licence_files"]:
            raise Fault(
                "component %s: its licence file %s is not in the tree of package %s"
                % (component.name, path, component.package.name),
                "correct 'license_files' in %s" % declare_in,
            )
        write_text(target, os.path.basename(path), record["licence_files"][path])
    notices = notices_of(component)
    if notices and not component.license_files:
        write_text(target, "NOTICE", ("\n" + "-" * 80 + "\n").join(notices))
    for name in component.texts:
        try:
            shutil.copyfile(os.path.join(texts_folder, name + ".txt"), os.path.join(target, name + ".txt"))
        except OSError as error:
            raise Fault(
                "component %s: there is no text %s.txt: %s" % (component.name, name, error.strerror),
                "put the licence's text into third_party/licenses/%s.txt" % name,
            )
    return component.license_files or notices or component.texts


def fill(components, folder, texts_folder, declare_in):
    for component in components:
        target = os.path.join(folder, component.name)
        shutil.rmtree(target, ignore_errors=True)
        os.makedirs(target)
        if component.kind == "nested":
            found = write_nested(component, target, texts_folder, declare_in)
        else:
            found = copy_collected(component, target) + copy_beside(component, target)
        if not found:
            where = declare_in if component.kind == "nested" else "the pins, or LICENSE_FILES of its package"
            raise Fault(
                "there is no licence text for %s, which is in the artifact" % component.name,
                "name its licence file in %s" % where,
            )


def extracted_texts(components, folder):
    """{LicenseRef: text} of the licences that the SPDX list does not have."""
    texts = {}
    for component in components:
        if component.license.startswith("LicenseRef-") and component.license not in texts:
            path = os.path.join(folder, component.name)
            name = sorted(os.listdir(path))[0]
            with open(os.path.join(path, name), encoding="utf-8", errors="replace") as stream:
                texts[component.license] = stream.read()
    return texts
