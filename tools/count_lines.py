#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How large the project is, by parts, and which files of code are too long.

The last match in PARTS decides where a file belongs.
"""

import argparse
import re
import subprocess

CODE = r"(\.(cmake|cmake\.in|cpp|h|py|sh|c)|(?<![^/])CMakeLists\.txt|^bootstrap\.sh|^\.ci/run)$"
PARTS = [
    ("product", CODE),
    ("torchpkg (also in product)", r"^packaging/torchpkg/.*" + CODE),
    ("consumer project", r"^(packaging|backends/[^/]+)/consumer/.*" + CODE),
    ("tools and benchmarks", r"^tools/.*" + CODE),
    ("tests", r"^tests/.*" + CODE),
    ("generated presets", r"^(presets/[^/]+|CMakePresets)\.json$"),
    ("documentation", r"\.md$"),
]
LONGEST = 300


def files(commit):
    listing = subprocess.run(["git", "ls-tree", "-r", "--name-only", commit], capture_output=True, text=True)
    if listing.returncode:
        raise SystemExit(f"error: the files of {commit} cannot be listed: {listing.stderr.strip()}")
    return listing.stdout.splitlines()


def lines_of(commit, paths):
    """The number of lines of each of the files."""
    request = "".join(f"{commit}:{path}\n" for path in paths)
    output = subprocess.run(
        ["git", "cat-file", "--batch"], input=request.encode(), check=True, capture_output=True
    ).stdout
    position = 0
    for path in paths:
        header_end = output.index(b"\n", position)
        size = int(output[position:header_end].split()[2])
        yield path, output[header_end + 1 : header_end + 1 + size].count(b"\n")
        position = header_end + size + 2


def parts_of(path):
    """The rows in which a file counts."""
    matches = [name for name, pattern in PARTS if re.search(pattern, path)]
    return ["product", *matches[-1:]] if matches[-1:] == ["torchpkg (also in product)"] else matches[-1:]


def main():
    parser = argparse.ArgumentParser(
        description="Counts the lines of the project by parts, and names files of code over 300."
    )
    parser.add_argument("commit", nargs="?", default="HEAD", help="whose files are counted; by default HEAD")
    commit = parser.parse_args().commit
    sums = {name: [0, 0] for name, _ in PARTS}
    too_long = []
    wanted = [path for path in files(commit) if parts_of(path)]
    for path, lines in lines_of(commit, wanted):
        for name in parts_of(path):
            sums[name][0] += 1
            sums[name][1] += lines
        if lines > LONGEST and re.search(CODE, path):
            too_long.append((lines, path))
    for name, (count, lines) in sums.items():
        print(f"{name:28} {count:5} files {lines:7} lines")
    for lines, path in sorted(too_long, reverse=True):
        print(f"over {LONGEST} lines: {path} ({lines})")


if __name__ == "__main__":
    main()
