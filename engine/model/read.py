# SPDX-License-Identifier: BSD-3-Clause
"""Reads a file of data. What is wrong with it is a Failure: it may be an addition of the user's, and a missing member
would be taken for an empty one."""

import json
import pathlib

from engine.failure import Failure

TYPES = {str: "STRING", list: "ARRAY", dict: "OBJECT", bool: "BOOLEAN", type(None): "NULL"}


def check_members(value, place, rules):
    for member, wanted in rules.items():
        name = member.rstrip("?")
        found = value
        for step in name.split("."):
            there = isinstance(found, dict) and step in found
            found = found[step] if there else None
        kind = TYPES.get(type(found), "NUMBER")
        if not there and name == member:
            raise Failure(f"  {place} has no member '{name}'\n  add it, of type {wanted}")
        if there and kind != wanted:
            raise Failure(f"  '{name}' in {place} is of type {kind}\n  it must be of type {wanted}")


def read(file, rules, in_lists=False):
    """The object in a file. `in_lists`: texts of it get into CMake's lists."""
    try:
        text = pathlib.Path(file).read_text(encoding="utf-8")
    except OSError:
        raise Failure(f"  {file} is missing, or is a folder\n  add the file") from None
    try:
        value = json.loads(text)
    except ValueError as error:
        raise Failure(f"  {file} is not valid JSON: {error}\n  correct it") from None
    if not isinstance(value, dict):
        raise Failure(f"  {file} is not a JSON object but of type {TYPES.get(type(value), 'NUMBER')}\n  correct it")
    if in_lists and ";" in text:
        raise Failure(
            f"  {file} contains a ';', which separates the elements of a CMake list\n  write lists as JSON arrays"
        )
    check(value, file, rules)
    return value


def check(value, file, rules):
    """Error: a member of another type, one that is missing, and one that is not among the rules, if there are any."""
    check_members(value, file, rules)
    for member in sorted(set(value) - {rule.rstrip("?").partition(".")[0] for rule in rules}) if rules else ():
        raise Failure(f"  {file} has a member '{member}', which nothing reads\n  correct its name, or remove it")
