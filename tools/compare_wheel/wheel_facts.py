# SPDX-License-Identifier: BSD-3-Clause
"""What can be compared of a wheel, by kind: {"METADATA": {"Version": "9.9.0", ...}, "file": {...}, ...}. Needs packaging and
pyelftools."""

import collections
import configparser
import email
import fnmatch
import io
import re
import shutil
import subprocess
import tempfile
import zipfile

from elftools.elf.elffile import ELFFile
from packaging.requirements import Requirement
from packaging.utils import InvalidWheelFilename, canonicalize_name, parse_wheel_filename

from engine.elf_needs import needs_of
from engine.failure import Failure
from engine.folders import natural
from engine.sources.remote_file import RemoteFile

BLOCK = 1 << 20  # what is asked of a server at once
ELF = re.compile(r".*[.]so([.][0-9]+)*|.*/bin/[^/]+")
NEW_ABI = re.compile(r"(c10|at|torch)::.*(__cxx11::|\[abi:cxx11\])")
LISTS = {"Classifier", "Dynamic", "License-File", "Platform", "Project-URL", "Provides-Extra"}
OTHERWISE = {
    f"dist-info/{name}" for name in ("METADATA", "WHEEL", "RECORD", "entry_points.txt")
}  # compared, not as files


class Remote(io.RawIOBase):
    """A file on a server, for zipfile. What follows is read from the same answer."""

    def __init__(self, url):
        self.file, self.at, self.blocks, self.rest = RemoteFile(url), 0, None, b""

    def readable(self):
        return True

    def seekable(self):
        return True

    def seek(self, offset, whence=io.SEEK_SET):
        at = offset + (0, self.at, self.file.size)[whence]
        if at != self.at:
            self.at, self.blocks, self.rest = at, None, b""
        return at

    def readinto(self, block):
        self.blocks = self.blocks or self.file.read_blocks(self.at, self.file.size)
        content = self.rest or next(self.blocks, b"")
        size = min(len(block), len(content))
        block[:size], self.rest, self.at = content[:size], content[size:], self.at + size
        return size


class Wheel:
    """One in a file, or at an address, of which only what is asked for is read."""

    def __init__(self, name, place):
        self.name = name
        try:
            self.project, version, _, (self.tag, *_) = parse_wheel_filename(name)
            self.zip = zipfile.ZipFile(io.BufferedReader(Remote(place), BLOCK) if "://" in str(place) else place)
        except (OSError, zipfile.BadZipFile, InvalidWheelFilename) as error:
            raise Failure(f"{place} cannot be read as a wheel: {error}", "name another file") from None
        self.version = str(version)
        self.members = {member.filename: member for member in self.zip.infolist() if not member.is_dir()}
        self.metadata = email.message_from_string(self.text("*.dist-info/METADATA"))

    def text(self, pattern):
        """The text of the first member that the pattern matches; empty without one."""
        name = next(iter(fnmatch.filter(self.members, pattern)), None)
        return self.zip.read(name).decode(errors="replace") if name else ""

    def elf_files(self):
        return {name for name in self.members if ELF.fullmatch(name) and self.zip.open(name).read(4) == b"\x7fELF"}


def of_metadata(metadata):
    """{"Version": "9.9.0", "Requires-Dist: sympy": ">=1.13.3", ...}; extras are with the requirement that they have."""
    found = {"Description": metadata.get_payload().strip()}
    for field, value in metadata.items():
        if field == "Requires-Dist":
            one = Requirement(value)
            item = f"{field}: {canonicalize_name(one.name)}"
            found[item] = ", ".join(filter(None, (found.get(item), str(one)[len(one.name) :])))
        elif field in LISTS:
            found[f"{field}: {value}"] = ""
        else:
            found[field] = value
    return found


def of_entry_points(wheel):
    parser = configparser.ConfigParser(delimiters="=", interpolation=None)
    parser.optionxform = str
    parser.read_string(wheel.text("*.dist-info/entry_points.txt"))
    return {f"{name}: {key}": value for name in parser.sections() for key, value in parser[name].items()}


def kind_of(path):
    if "/share/cmake/" in path:
        return "CMake package"
    return {"py": "Python file", "pyi": "Python file", "h": "header", "hpp": "header"}.get(
        path.rpartition(".")[2], "file"
    )


def of_library(wheel, path, found):
    with tempfile.TemporaryFile() as file:
        shutil.copyfileobj(wheel.zip.open(path), file, BLOCK)
        needs, symbols = needs_of(path, file), ELFFile(file).get_section_by_name(".dynsym")
        names = {
            "STB_GLOBAL": [],
            "STB_WEAK": [],
            "STB_LOOS": [],
        }  # the last is GNU_UNIQUE, of templates as the weak ones
        for symbol in symbols.iter_symbols() if symbols else ():
            if symbol["st_shndx"] != "SHN_UNDEF" and symbol["st_info"]["bind"] in names:
                names[symbol["st_info"]["bind"]].append(symbol.name)
    for library in needs.libraries if needs else ():
        found["needed library"][f"{path} needs {library}"] = ""
    for version in sorted((version for _, version in needs.versions if "_" in version), key=natural) if needs else ():
        family, _, number = version.rpartition("_")
        found["symbol version"][f"{path} needs {family}"] = number  # the highest is the last
    strong, weak = demangled(names["STB_GLOBAL"]), demangled(names["STB_WEAK"] + names["STB_LOOS"])
    found["exported name"].update((f"{path} has {without_abi(name)}", "") for name in strong)
    found["weak name"].update((f"{path} has weak {without_abi(name)}", "") for name in weak)
    if any(NEW_ABI.match(name) for name in strong):
        found["tag"]["C++ ABI"] = "new"


def demangled(names):
    try:
        done = subprocess.run(["c++filt"], input="\n".join(names), text=True, stdout=subprocess.PIPE, check=True)
    except FileNotFoundError:
        raise Failure("there is no c++filt, which says the names of C++", "install binutils") from None
    return done.stdout.splitlines()


def without_abi(name):
    """With the new C++ ABI most names are others; that it is another one is a difference of its own."""
    return name.replace("std::__cxx11::", "std::").replace("[abi:cxx11]", "")


def of_wheel(wheel, libraries):
    """`libraries`: which of its ELF files are looked into."""
    found = collections.defaultdict(dict)
    found["METADATA"] = of_metadata(wheel.metadata)
    found["entry point"] = of_entry_points(wheel)
    found["tag"] = {"Tag": str(wheel.tag), "C++ ABI": "old, or not seen"}
    for name, member in wheel.members.items():
        folder, _, path = name.partition(".dist-info/")
        path = f"dist-info/{path}" if path else folder
        if path not in OTHERWISE:
            found[kind_of(path)][path] = "" if name in libraries else (member.CRC, member.file_size)
    for path in sorted(libraries):
        of_library(wheel, path, found)
    return found
