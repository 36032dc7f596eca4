# SPDX-License-Identifier: BSD-3-Clause
"""Makes a tree of libraries independent of the machine: copies what its ELF files need, makes the names agree, sets
every RPATH relative to $ORIGIN, and clears the mark by which a library asks for an executable stack. Needs patchelf.
bundle_tree.py asks for it.

Members of the report: `bundled`, for each copy its `name` (as it was asked for), `from` (the file's name), `sha256` and
`file` (its name now), `unchanged` if it has the original's bytes; `host_libraries`, what the host must have, with the
versions of its symbols; `platform`, the newest versions that are needed of its C and C++ libraries; `elsewhere`, what is
needed of other packages.
"""

import concurrent.futures
import dataclasses
import fnmatch
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys

from engine.build_folder import read_json
from engine.failure import Failure
from engine.host_platform import host_platform
from engine.system_package import loader_cache

# The C library's parts and its loader, and the compiler's libraries; Request.toolkits has those of drivers.
ON_EVERY_HOST = """libc.so.6 libm.so.6 libmvec.so.1 libdl.so.2 libpthread.so.0 librt.so.1 libutil.so.1 libresolv.so.2
libanl.so.1 ld-linux*.so* ld64.so.* libgcc_s.so.1 libstdc++.so.6""".split()
# What wheels may leave to the host besides (PEP 600), and libraries out of wheels do: cuDNN. The report names it.
OF_MANYLINUX = ("libz.so.1",)
# Never renamed: two of them in one process start two teams of threads.
OPENMP_RUNTIME = re.compile(r"lib(gomp|omp|iomp|iomp5)(\.so|-)")
STANDARD_FOLDERS = "/lib/{0} /usr/lib/{0} /usr/{0}/lib /lib64 /usr/lib64 /usr/local/lib64 /usr/local/lib /lib /usr/lib"


@dataclasses.dataclass
class Request:
    torchpkg: str  # the program, whose command `scan` reads the ELF files
    root: str  # the tree
    report: str  # where to write what was done
    lib: str = "lib"  # the folder in the tree for libraries, such as torch/lib
    search: list = ()  # folders to look into before the system's
    only: bool = False  # and nowhere else: nothing of this machine gets in
    needed_by: list = ()  # libraries outside the tree whose needs count as if they lay inside; they are not changed
    unchanged: list = ()  # folders: libraries in them stay as they are, if they look for others beside themselves first
    also: list = ()  # libraries that are opened by name, brought in as if something needed them
    loader: str = ""  # one of the tree, which every program loads: it needs what others open by name and would not find
    elsewhere: list = ()  # [pattern, folder]: another package has them, in a folder relative to root; RPATHs lead there
    toolkits: list = ()  # libraries.json of backends: what comes with a driver, how libraries of a toolkit are opened
    rename: bool = False  # call copies <name>-<8 hex of sha256>.so.N, but not OpenMP runtimes and those of a toolkit
    rpath_only: bool = False  # copy nothing, only set the RPATHs, for an artifact without deps
    soname_version: str = ""  # lib/libx.so becomes libx.so.<version> for all that need it; linkers get a link
    linked: list = None  # libraries; the report gets the member `linked`, what these need


def matches(name, patterns):
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)


def kind_of(path):
    """The kind of machine that an ELF file is for: its class, byte order and machine. None for another file."""
    try:
        with open(path, "rb") as file:
            head = file.read(20)
    except OSError:
        return None
    return head[4:6] + head[18:20] if head[:4] == b"\x7fELF" else None


def patchelf(path, *options):
    """Changes a file in place."""
    os.chmod(path, os.stat(path).st_mode | 0o200)
    command = ["patchelf", *options, path]
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    except FileNotFoundError:
        raise Failure("patchelf is not on the PATH", "install patchelf") from None
    if done.returncode:
        what = f"{' '.join(command)} failed: {' '.join(done.stdout.split())}"
        raise Failure(what, "check that patchelf is at least 0.14 and that the disk is not full")


class Elf:
    """What `torchpkg scan` says about a file, at the path where it will lie. `source`: what is copied there."""

    def __init__(self, facts, path=None, source=None, outside=False):
        self.path, self.source, self.outside = path or facts["path"], source, outside
        self.kind, self.machine = kind_of(facts["path"]), facts["machine"]
        self.soname, self.needed, self.versions = facts["soname"], facts["needed"], facts["needed_versions"]
        self.rpath = None if facts["runpath"] is not None else facts["rpath"] or ""  # a RUNPATH has to become an RPATH
        folders = facts["runpath"] or facts["rpath"] or ""
        self.first_folder = folders.split(":")[0].replace("{ORIGIN}", "ORIGIN").rstrip("/")
        self.marks_stack = facts["executable_stack_at"] is not None


def find_library(name, elf, folders, only):
    """The file that the loader would find, in these folders, and unless `only` in its cache or the standard folders, for the
    same kind of machine as `elf`; None if there is none."""
    standard = STANDARD_FOLDERS.format(elf.machine + "-linux-gnu").split()
    paths = [os.path.join(folder, name) for folder in folders]
    if not only:
        paths += [path for cached, path in loader_cache() if cached == name]
        paths += [os.path.join(folder, name) for folder in standard]
    return next((os.path.realpath(path) for path in paths if kind_of(path) == elf.kind), None)


class Bundler:
    def __init__(self, request):
        self.request = request
        self.root = os.path.abspath(request.root)
        self.lib = os.path.join(self.root, request.lib)
        self.on_every_host = list(ON_EVERY_HOST)
        self.toolkits = []  # patterns of a library's names, and the name by which others open it
        for facts in map(read_json, request.toolkits):
            self.on_every_host += facts.get("driver", [])
            for library in facts["libraries"]:
                self.toolkits.append(([name + ".so*" for name in library["files"]], library.get("opened_as")))
        self.elves, self.inside = [], set()
        self.new_names = {}  # as it is asked for: its name in the tree
        self.preloaded = []  # what the tree's `loader` has to need
        self.copied = {}  # name in the tree: what the report says about it

    def run(self):
        if not os.path.isdir(self.lib):
            raise Failure(f"there is no folder {self.lib} for libraries", "see which libraries were staged")
        self.elves = [Elf(facts) for facts in self.scan([self.root])]
        if self.request.soname_version:
            self.give_versions()
        for _, folders, files in os.walk(self.root):
            self.inside.update(folders, files)
        for elf in (Elf(facts, outside=True) for facts in self.scan(self.request.needed_by)):
            self.inside.update((os.path.basename(elf.path), elf.soname))
            self.elves.append(elf)
        if not self.request.rpath_only and self.elves:
            for name in self.request.also:
                self.bring_in(name, self.elves[0], "is opened by name")
            for elf in self.elves:  # the list grows: a copied library needs others
                for name in map(os.path.basename, elf.needed):
                    self.bring_in(name, elf, "is needed by " + os.path.relpath(elf.path, self.root))
        self.preloaded = list(self.found_nowhere())
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(self.edit, [elf for elf in self.elves if not elf.outside]))
        self.write_report()

    def scan(self, paths):
        """The ELF files among these and below them that the loader can load."""
        if not paths:
            return []
        done = subprocess.run([self.request.torchpkg, "scan", *paths], stdout=subprocess.PIPE)
        if done.returncode:
            raise Failure("torchpkg cannot read " + ", ".join(paths), "see its message above")
        return [facts for facts in json.loads(done.stdout)["files"] if facts["kind"] == "elf" and facts["dynamic"]]

    def give_versions(self):
        """Renames the libraries in lib/ that have no version."""
        for elf in self.elves:
            folder, name = os.path.split(elf.path)
            if folder == self.lib and name.startswith("lib") and name.endswith(".so"):
                self.new_names[name] = f"{name}.{self.request.soname_version}"
                os.rename(elf.path, os.path.join(folder, self.new_names[name]))
                os.symlink(self.new_names[name], elf.path)
                elf.path = os.path.join(folder, self.new_names[name])

    def is_elsewhere(self, name):
        return matches(name, [pattern for pattern, _ in self.request.elsewhere])

    def is_missing(self, name):
        """Whether it is neither in the tree nor on every host nor in another package."""
        inside = name in self.inside or name in self.new_names
        return not inside and not matches(name, self.on_every_host) and not self.is_elsewhere(name)

    def bring_in(self, name, elf, why):
        """Notes what to copy, for a file of the same kind of machine as `elf`."""
        if not self.is_missing(name):
            return
        found = find_library(name, elf, self.request.search, self.request.only)
        if not found and self.request.only and name in OF_MANYLINUX:
            return
        if not found and self.request.only:
            where = f"is not in {' or '.join(self.request.search)}"
            raise Failure(
                f"{name} {why} and {where}", "take it from where the others are: this machine's must not get in"
            )
        if not found:
            raise Failure(f"{name} {why} and was not found", "install the package that has it")
        with open(found, "rb") as content:
            sha256 = hashlib.sha256(content.read()).hexdigest()
        file = name if self.stays_as_it_is(elf) else self.name_in_tree(name, sha256)
        self.new_names[name] = file
        self.copied[file] = {"name": name, "from": os.path.basename(found), "sha256": sha256, "file": file}
        if file not in self.inside:
            self.inside.add(file)
            self.elves.append(Elf(self.scan([found])[0], os.path.join(self.lib, file), found))
            if self.stays_as_it_is(self.elves[-1]):
                self.copied[file]["unchanged"] = True

    def found_nowhere(self):
        """What a library of a toolkit opens by name, such as NVRTC its built-in functions, if it stays as it is and has no
        RPATH. The loader looks into no folder of the tree then, since the RPATH of whoever has opened that library does not
        count; what is loaded already it does find."""
        names = {os.path.basename(elf.path): elf for elf in self.elves if elf.source}
        for patterns, _ in self.toolkits:
            own = {name: elf for name, elf in names.items() if matches(name, patterns)}
            openers = [elf for name, elf in own.items() if name not in self.request.also]
            if any(self.stays_as_it_is(elf) and not elf.first_folder for elf in openers):
                yield from (name for name in self.request.also if name in own)

    def name_in_tree(self, name, sha256):
        for patterns, opened_as in self.toolkits:
            if matches(name, patterns):
                return opened_as or name  # those of a toolkit open each other by their names
        if not self.request.rename or OPENMP_RUNTIME.match(name):
            return name
        stem, so, rest = name.partition(".so")
        return f"{stem}-{sha256[:8]}{so}{rest}"

    def rpath_for(self, path):
        """From where a file lies to what lies elsewhere, to its own folder if that is below lib/, and to lib/."""
        folder = os.path.dirname(path)
        others = [os.path.relpath(os.path.join(self.root, other), folder) for _, other in self.request.elsewhere]
        entries = ["$ORIGIN/" + other for other in dict.fromkeys(others)]
        way = os.path.relpath(self.lib, folder)
        if not os.path.relpath(folder, self.lib).startswith(".."):
            entries.append("$ORIGIN")
        return ":".join(entries if way == "." else [*entries, "$ORIGIN/" + way])

    def needs_the_host_alone(self, elf):
        return all(matches(name, self.on_every_host) for name in elf.needed)

    def stays_as_it_is(self, elf):
        """What needs others, such as libz.so.1, gets them by the names that it asks for."""
        folders = map(os.path.realpath, self.request.unchanged)
        alone = elf.first_folder == "" and self.needs_the_host_alone(elf)
        finds_them = alone or elf.first_folder == "$ORIGIN"
        return finds_them and elf.source and os.path.dirname(elf.source) in folders

    def edit(self, elf):
        """Copies the file, if it has to be, and changes it. One kind of change at a time: several versions of patchelf
        mix up the strings when SONAME and RPATH are set in one call."""
        path, name = elf.path, os.path.basename(elf.path)
        if self.request.only and not elf.source and not elf.soname and self.needs_the_host_alone(elf):
            return  # a program beside PyTorch's own: NVIDIA's ptxas may be passed on unchanged only, patchelf breaks protoc
        set_rpath = ("--force-rpath", "--set-rpath", self.rpath_for(path))
        if elf.source:
            shutil.copy(elf.source, path)
            if self.stays_as_it_is(elf):
                return
            patchelf(path, "--set-soname", name)
            patchelf(path, *set_rpath)
        changed = [(old, self.new_names.get(os.path.basename(old), old)) for old in elf.needed]
        options = [word for old, new in changed if old != new for word in ("--replace-needed", old, new)]
        if options:
            patchelf(path, *options)
        if not elf.source and elf.soname and self.new_names.get(elf.soname) == name:
            patchelf(path, "--set-soname", name)
        if not elf.source and elf.rpath != set_rpath[-1]:
            patchelf(path, *set_rpath)
        if self.preloaded and os.path.basename(path) == self.request.loader:
            patchelf(path, *[word for needed in self.preloaded for word in ("--add-needed", needed)])
        if elf.marks_stack:
            # Assembly sources without a remark on the stack leave the mark; nothing here runs code on it, and hosts
            # refuse to load such a library (glibc 2.41, SELinux). patchelf can clear it only from 0.18 on.
            with open(path, "r+b") as file:
                file.seek(self.scan([path])[0]["executable_stack_at"])
                flags = file.read(1)[0]
                file.seek(-1, os.SEEK_CUR)
                file.write(bytes([flags & ~1]))  # PF_X

    def write_report(self):
        asked = {name: set() for name in self.request.also if self.request.rpath_only and name not in self.inside}
        elsewhere = {name for name in self.request.also if self.is_elsewhere(name)}
        for elf in self.elves:
            for name in map(os.path.basename, elf.needed):
                if self.is_missing(name):
                    asked.setdefault(name, set()).update(elf.versions.get(name, []))
                elif name not in self.inside and self.is_elsewhere(name):
                    elsewhere.add(name)
        copies = [copy for _, copy in sorted(self.copied.items())]
        hosts = [{"name": name, "symbol_versions": sorted(versions)} for name, versions in sorted(asked.items())]
        report = {"schema": 1, "bundled": copies, "host_libraries": hosts, "platform": host_platform(self.elves)}
        if self.request.elsewhere:
            report["elsewhere"] = sorted(elsewhere)
        if self.request.linked is not None:
            report["linked"] = sorted({name for facts in self.scan(self.request.linked) for name in facts["needed"]})
        with open(self.request.report, "w", encoding="utf-8") as file:
            file.write(json.dumps(report, indent=2, ensure_ascii=False) + "\n")
        for copy in copies:
            print(f"bundled {copy['file']} from {copy['from']}", file=sys.stderr)
