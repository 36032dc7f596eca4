# SPDX-License-Identifier: BSD-3-Clause
"""Records: JSON files that CMake has as variables (tsb_read_record.cmake says which). Beside each lie the commands that set
them, so that CMake takes no JSON apart."""

import hashlib
import json
import os

from engine.partial_file import write_changed


def text_of(value):
    if isinstance(value, bool):
        return "ON" if value else "OFF"
    return "" if value is None else str(value)


def commands(variable, value):
    """The lines that set a variable and those of its parts."""
    parts = []
    if isinstance(value, dict):
        parts, text = list(value.items()), ";".join(value)
    elif isinstance(value, list) and any(isinstance(item, (dict, list)) for item in value):
        parts, text = list(enumerate(value)), ";".join(map(str, range(len(value))))
    elif isinstance(value, list):
        text = ";".join(text_of(item).replace(";", "\\;") for item in value)
    else:
        text = text_of(value)
    # CMake drops the line break behind the bracket.
    yield f"set({variable} [=====[\n{text}]=====])"
    for name, part in parts:
        yield from commands(f"{variable}_{name}", part)


def write_record(path, value, prefix, mode=0o644):
    """Writes a record and its commands. One that is the same already keeps its time."""
    text = json.dumps(value, indent=1, ensure_ascii=False) + "\n"
    first, *lines = commands(prefix, value)
    first = first.replace(f"set({prefix} ", f"set({prefix}_members ", 1)
    digest = hashlib.sha256(text.encode()).hexdigest()
    for file, content in ((path, text), (f"{path}.{prefix}.cmake", "\n".join([f"# {digest}", first, *lines, ""]))):
        write_changed(file, content)
        if os.stat(file).st_mode & 0o777 != mode:
            os.chmod(file, mode)
