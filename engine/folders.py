# SPDX-License-Identifier: BSD-3-Clause
"""Finds what is added by its name alone, such as releases and backends; in CMake tsb_find_data does."""

import importlib.util
import os
import pathlib
import re
import sys

from engine.failure import Failure

PROJECT = pathlib.Path(__file__).resolve().parents[1]


def cache_folder():
    """What several build folders share, as cmake/settings finds it."""
    return pathlib.Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "torch-superbuild")


def natural(text):
    """A key that sorts 2.9 before 2.10."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", text)]


def load_module(file):
    """A Python file that is found by its path, such as a backend's hooks/artifact.py."""
    file = pathlib.Path(file)
    # What lies beside a backend's in TSB_ADDITIONS is found as backends.<kind>..., before the project's.
    data = next((str(folder.parent) for folder in file.parents if folder.name == "backends"), str(PROJECT))
    if data not in sys.path:
        sys.path.insert(-1, data)
    spec = importlib.util.spec_from_file_location(file.stem, file)
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except ModuleNotFoundError as error:
        raise Failure(
            f"{file}: {error}", "of this project it may import from engine: from engine.failure import Failure"
        ) from None
    return module


class Folders:
    def __init__(self, additions=None):
        """`additions`: the folder TSB_ADDITIONS, whose data goes before the project's own."""
        self.folders = [PROJECT / pathlib.Path(additions).expanduser()] if additions else []  # as CMake reads it
        self.folders += [PROJECT, *sorted(PROJECT.glob("additions/*"))]

    def find(self, path):
        """The first file or folder of this name, below one of the folders of data; None when there is none."""
        return next((folder / path for folder in self.folders if (folder / path).exists()), None)

    def names(self, folder):
        """What is in a folder of data, the highest version first; a README is not among it."""
        found = {path.name for base in self.folders for path in (base / folder).glob("*") if path.suffix != ".md"}
        return sorted(found, key=natural, reverse=True)

    def of_backends(self, file):
        """The files of this name, one for each backend that has it."""
        found = (self.find(f"backends/{kind}/{file}") for kind in sorted(self.names("backends")))
        return [path for path in found if path]
