# SPDX-License-Identifier: BSD-3-Clause
"""Which licences a source file itself mentions, the comments in which it does, and which files hold a licence's text."""

import os
import re

LICENCE_FILE = re.compile(r"(LICEN[SC]E|COPYING|COPYRIGHT|NOTICE|THIRD-PARTY|UNLICENSE)([-._].*)?$", re.IGNORECASE)
SOURCE_CODE = re.compile(r"\.(py|cmake|sh|c|cc|cpp|h|hpp)$")

# (text in a file, family). A family is several licences between which a text does not distinguish.
MARKS = [
    (b"any person obtaining", "MIT"),
    (b"MIT License", "MIT"),
    (b"MIT license", "MIT"),
    (b"edistribution and use in source", "BSD"),
    (b"Apache License", "Apache-2.0"),
    (b"Boost Software License", "BSL-1.0"),
    (b"University of Illinois", "NCSA"),
    (b"GNU General Public", "GPL"),
    (b"GNU Lesser General", "LGPL"),
    (b"Mozilla Public", "MPL-2.0"),
    (b"Python Software", "PSF-2.0"),
    (b"HPND", "HPND"),
    (b"ermission to use, copy, modify", "ISC"),
    (b"provided 'as-is', without", "Zlib"),
    (b"CC0", "CC0-1.0"),
]
TAG = re.compile(rb"SPDX-License-Identifier:[ \t]*([^\r\n*]+)")
SPEAKING = [mark.decode() for mark, _ in MARKS] + ["opyright", "COPYRIGHT", "SPDX-License-Identifier", "icense"]


def is_licence_file(path):
    """By its name, or since it lies in LICENSES/, the folder of https://reuse.software."""
    folder, name = os.path.split(path)
    return os.path.basename(folder) == "LICENSES" or bool(LICENCE_FILE.match(name)) and not SOURCE_CODE.search(name)


def licensed_folder(path):
    """The folder that a licence file is about."""
    folder = os.path.dirname(path)
    return os.path.dirname(folder) if os.path.basename(folder) == "LICENSES" else folder


def concluded(expression):
    """An SPDX expression without its choices: of "A OR B" the first, which is the one that the project chooses."""
    while "(" in expression:
        expression = re.sub(r"\(([^()]*)\)", lambda group: concluded(group.group(1)), expression)
    return expression.split(" OR ")[0].strip()


def families_of(expression):
    """The families of the licences in an SPDX expression."""
    words = [word for word in re.findall(r"[A-Za-z0-9.+-]+", expression) if word.upper() not in ("AND", "OR")]
    names = [word for before, word in zip([""] + words, words) if before != "WITH" and word != "WITH"]
    families = set()
    for name in names:
        name = re.sub(r"-(only|or-later)$|\+$", "", name)
        families.add(re.sub(r"^(A?L?GPL|MIT|BSD)-.*", r"\1", name))
    if "HPND" in families:
        families.add("ISC")  # both begin with the same words
    if "NCSA" in families:
        families.add("MIT")
    return families


def stated(data):
    """The families that a file's bytes mention."""
    found = {family for mark, family in MARKS if mark in data and (family != "CC0-1.0" or b"Creative Commons" in data)}
    if b"SPDX-License-Identifier:" in data:
        for expression in TAG.findall(data):
            found |= families_of(expression.decode("utf-8", "replace"))
    return found


def comments(data):
    """The comments in which a file mentions licence or copyright, word for word."""
    blocks, inside, joined = [], False, False
    for line in data.decode("utf-8", "replace").splitlines():
        start = line.lstrip()[:2]
        if inside or start in ("/*", "//"):
            if not inside and (start == "/*" or not joined):
                blocks.append([])
            blocks[-1].append(line)
            joined = not inside and start == "//"
            inside = (inside or start == "/*") and "*/" not in line
        else:
            joined = False
    texts = ("\n".join(block) for block in blocks)
    return "\n\n".join(text for text in texts if any(word in text for word in SPEAKING))
