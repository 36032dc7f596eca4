# SPDX-License-Identifier: BSD-3-Clause
"""Which package of the distribution has a library of this machine."""

import dataclasses
import functools
import os
import pathlib
import re
import subprocess


@dataclasses.dataclass
class SystemPackage:
    name: str = ""  # empty when the library is not there, or no package owns it
    version: str = ""
    license: pathlib.Path = None  # the file with the text, if the package brings one


def said(*command):
    """What a program prints; empty when it fails or is not there."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    except FileNotFoundError:
        return ""
    return done.stdout if done.returncode == 0 else ""


@functools.lru_cache(None)
def loader_cache():
    """Names and paths. A line of ldconfig, which is not on the path of Debian's users:
    `libz.so.1 (libc6,x86-64) => /lib/x86_64-linux-gnu/libz.so.1`."""
    program = next((path for path in ("/sbin/ldconfig", "/usr/sbin/ldconfig") if os.path.exists(path)), "ldconfig")
    return re.findall(r"^\s*(\S+) .*?=> (.*)$", said(program, "-p"), re.MULTILINE)


def library_of_machine(file, target):
    """The library of this name; for an artifact of another processor below /usr/<triplet>. None if there is none."""
    folders = dict.fromkeys(os.path.dirname(path) for _, path in loader_cache())
    if target.get("cross"):
        folders = ["/usr/%s/lib" % target["triplet"]]
    paths = [os.path.join(folder, file) for folder in folders]
    return next((os.path.realpath(path) for path in paths if os.path.exists(path)), None)


def system_package(file, target):
    """`target` is the artifact's. The bundle's report names files without their folder, since it goes into the artifact."""
    path = library_of_machine(file, target)
    return package_of(path) if path else SystemPackage()


def package_of(path):
    """`path` as the distribution's database knows it: absolute, without symbolic links."""
    # Debian's libraries moved from /lib to /usr/lib; its database may know either.
    for name in (path, re.sub("^/usr/lib/", "/lib/", path)):
        owner = said("dpkg-query", "--search", name).partition(":")[0]
        copyright = pathlib.Path("/usr/share/doc", owner, "copyright")
        if owner and copyright.exists():
            return SystemPackage(owner, said("dpkg-query", "--show", "--showformat=${Version}", owner), copyright)
    owner, _, version = said("rpm", "-qf", "--queryformat", "%{NAME} %{VERSION}-%{RELEASE}", path).partition(" ")
    texts = sorted(pathlib.Path("/usr/share/licenses", owner).glob("*")) if version else []
    return SystemPackage(owner, version, texts[0] if texts else None) if version else SystemPackage()
