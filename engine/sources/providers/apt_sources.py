# SPDX-License-Identifier: BSD-3-Clause
"""A deb822 source list made of the machine's own apt sources.

Address and key are those of the machine's entry for its own release, or else of its first entry.
"""

import glob
import os
import re
from email.parser import HeaderParser


def one_line_entries(text):
    """deb [signed-by=<key> trusted=yes] <uri> <suite> <component>..."""
    for options, uri, suite in re.findall(r"^deb(?:-src)?\s+(?:\[([^]]*)\]\s+)?(\S+)\s+(\S+)", text, re.MULTILINE):
        option = dict(pair.split("=", 1) for pair in options.split() if "=" in pair)
        yield uri, [suite], option.get("signed-by"), option.get("trusted")


def deb822_entries(text):
    text = re.sub(r"^#.*\n", "", text, flags=re.MULTILINE)
    for stanza in re.split(r"\n[ \t]*\n", text):
        field = HeaderParser().parsestr(stanza.lstrip("\n"))
        used = "deb" in field.get("Types", "") and not field.get("Enabled", "").lower().startswith("no")
        if used and field.get("URIs"):
            yield field["URIs"].split()[0], field.get("Suites", "").split(), field["Signed-By"], field["Trusted"]


def machine_entries(etc):
    for pattern, entries in (
        ("sources.list.d/*.list", one_line_entries),
        ("sources.list", one_line_entries),
        ("sources.list.d/*.sources", deb822_entries),
    ):
        for path in sorted(glob.glob(os.path.join(etc, pattern))):
            with open(path, encoding="utf-8") as file:
                yield from entries(file.read())


def make_source_list(types, etc, os_release):
    """The text of the list, for `types` (deb-src or deb) of more releases than the machine uses; empty: it has no apt sources."""
    entries = list(machine_entries(etc))
    if not entries:
        return ""
    machine = {}
    if os.path.exists(os_release):
        with open(os_release, encoding="utf-8") as file:
            machine = dict(re.findall(r'^(\w+)="?([^"\n]*)', file.read(), re.MULTILINE))
    codename = machine.get("VERSION_CODENAME")
    uri, suites, signed_by, trusted = next((entry for entry in entries if codename in entry[1]), entries[0])
    components = "main"
    if machine.get("ID") == "debian":
        suites = list(dict.fromkeys([codename, "bookworm", "trixie", "forky", "sid", "experimental"]))
        components = "main contrib non-free"
    elif machine.get("ID") == "ubuntu":
        suites = [codename, codename + "-updates"]
        components = "main universe multiverse restricted"
    lines = [f"Types: {types}", f"URIs: {uri}", f"Suites: {' '.join(filter(None, suites))}"]
    if not suites[-1].endswith("/"):
        lines.append(f"Components: {components}")
    if signed_by is not None:
        # A key in the file begins on a line of its own; newer versions of Python's parser do not keep that.
        lines.append("Signed-By:" + ("\n " if "\n" in signed_by else " ") + signed_by.lstrip())
    if trusted:
        lines.append(f"Trusted: {trusted}")
    return "".join(line + "\n" for line in lines)
