# SPDX-License-Identifier: BSD-3-Clause
"""Where the gate looks: at a package's unpacked sources, before it is built, or at the record of what was really linked.

Both answer the same questions; paths are relative to the package's source tree.
"""

import os
import re

import stated_licences
from components import below


class SourceTree:
    whole = True  # a file that is not there is in no version of it

    def __init__(self, folder):
        self.folder = folder

    def read(self, path):
        with open(os.path.join(self.folder, path), "rb") as stream:
            return stream.read()

    def has_licence_file(self, path, files):
        """Whether it is one that the record will have of these files."""
        named = stated_licences.is_licence_file(path) and os.path.isfile(os.path.join(self.folder, path))
        return named and any(below(file, stated_licences.licensed_folder(path)) for file in files)

    def files(self, component):
        """The files that a nested component's patterns name, by pattern. Not all files of a folder need to go in."""
        return {pattern: self.matching(component, pattern) for pattern in component.files}

    def matching(self, component, pattern):
        start = os.path.join(component.root, re.split(r"[*?[]", pattern)[0])
        if start == os.path.join(component.root, pattern) and not pattern.endswith("/"):
            return [start] if os.path.isfile(os.path.join(self.folder, start)) else []
        found = []
        for folder, _, names in os.walk(os.path.join(self.folder, os.path.dirname(start))):
            found += [os.path.relpath(os.path.join(folder, name), self.folder) for name in names]
        return sorted(path for path in found if component.matches(path, pattern))

    def stated(self, path):
        return stated_licences.stated(self.read(path))

    def notice(self, path):
        data = self.read(path)
        return stated_licences.comments(data) if stated_licences.stated(data) else ""


class Linked:
    whole = False

    def __init__(self, record):
        self.record = record

    def has_licence_file(self, path, _files):
        return path in self.record["licence_files"]

    def files(self, component):
        used = {path for path, _ in component.linked + component.shipped}
        return {
            pattern: sorted(path for path in used if component.matches(path, pattern)) for pattern in component.files
        }

    def stated(self, path):
        return set(self.record["stated"].get(path, []))

    def notice(self, path):
        return self.record["notices"].get(path, "")
