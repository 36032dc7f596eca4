# SPDX-License-Identifier: BSD-3-Clause
"""A package's unpacked sources, before it is built. Paths are relative to its source tree."""

import os
import re

from engine.sbom import stated_licences
from engine.sbom.components import below


class SourceTree:
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

    def has_notice(self, path):
        data = self.read(path)
        return bool(stated_licences.stated(data) and stated_licences.comments(data))
