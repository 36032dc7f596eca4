# SPDX-License-Identifier: BSD-3-Clause
"""The version that a header defines. The doctor and the hooks of backends ask for it."""

import re


def header_version(header, *macros):
    """ "9.1.0", the numbers of these macros up to the first one that is missing; empty without any, or where the file is
    missing or may not be read."""
    try:
        with open(header, encoding="utf-8", errors="replace") as stream:
            text = stream.read()
    except OSError:
        return ""
    numbers = []
    for macro in macros:
        found = re.search(rf"^ *# *define +{macro} +(\d+)", text, re.MULTILINE)
        if not found:
            break
        numbers.append(found[1])
    return ".".join(numbers)
