# SPDX-License-Identifier: BSD-3-Clause
"""A wheel on the Python index, of which only the members that are asked for are read."""

import hashlib
import io
import re
import sys
import zipfile

from engine.sources import wheel_members
from engine.sources.remote_file import RemoteFile


class Digest:
    """A file that only hashes and counts what is written."""

    def __init__(self):
        self.hash, self.size = hashlib.sha256(), 0

    def write(self, block):
        self.hash.update(block)
        self.size += len(block)


class Wheel:
    """A wheel in pip's report, and its members, read from the index."""

    def __init__(self, entry):
        self.url, self.metadata = entry["download_info"]["url"], entry["metadata"]
        self.sha256 = entry["download_info"]["archive_info"]["hashes"]["sha256"]
        self.project, self.version = self.metadata["name"], self.metadata["version"].partition("+")[0]
        self.file = self.url.rpartition("/")[2].partition("#")[0].replace("%2B", "+")
        self.remote = RemoteFile(self.url)
        self.members = wheel_members.read_directory(self.remote.read, self.remote.size)

    def text(self, pattern):
        """The text of the one member that the pattern matches."""
        content = io.BytesIO()
        wheel_members.write_members(self.remote.read_blocks, wheel_members.choose(self.members, [pattern]), content)
        with zipfile.ZipFile(content) as file:
            return file.read(file.namelist()[0]).decode(errors="replace")

    def license_file(self):
        """That of its dist-info, or where it has none, such as cuSPARSELt's, another."""
        names = [member.name for member in self.members if re.search(r"/license([.]txt)?$", member.name, re.I)]
        if not names:
            sys.exit(f"{self.file} has no licence text\n  it cannot be passed on")
        return min(names, key=lambda name: (".dist-info/" not in name, len(name)))

    def libraries(self):
        return sorted(member.name for member in self.members if re.search(r"[.]so([.][0-9]+)*$", member.name))

    def candidate(self, **members):
        return {
            "version": self.version,
            "filename": self.file,
            "sha256": self.sha256,
            "size": self.remote.size,
            "license_file": self.license_file(),
            "python-index": {"project": self.project},
            **members,
        }

    def candidate_of(self, patterns, part, **members):
        """A candidate of some members; `part` is their name in the file's."""
        digest = Digest()
        wheel_members.write_members(self.remote.read_blocks, wheel_members.choose(self.members, patterns), digest)
        whole = self.candidate(**members)
        index = dict(whole["python-index"], file=self.file, members=patterns)
        name = re.sub(r"[.]whl$", f".{part}.whl", self.file)
        return {
            **whole,
            "filename": name,
            "sha256": digest.hash.hexdigest(),
            "size": digest.size,
            "python-index": index,
        }
