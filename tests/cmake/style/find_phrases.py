# SPDX-License-Identifier: BSD-3-Clause
"""Exits with 1 and names the phrases of a list (argument) that files have, whose paths are on standard input."""

import re
import sys

WORD = "[A-Za-z0-9_/-]"


def main(file):
    rules = []
    with open(file, encoding="utf-8") as stream:
        for line in stream:
            if not line.startswith("#"):
                phrase, arrow, instead = line.rstrip("\n").rpartition(" -> ")
                if not arrow:
                    sys.exit(f"{file}: this line is not a phrase, ' -> ' and a suggestion: {line}")
                rules.append((re.compile(f"(?<!{WORD})({phrase})(?!{WORD})"), instead))
    found = []
    for path in sys.stdin.read().splitlines():
        with open(path, encoding="utf-8", errors="replace") as stream:
            # One line, without the marks of comments.
            text = re.sub(r"\n[ \t]*(#+|//+|[*])?[ \t]*", " ", f" {stream.read()} ")
        for phrase, instead in rules:
            if instead == "allowed":
                text = phrase.sub("...", text)
            else:
                found += [
                    f"  {path}: '{text[match.start() - 1 :][:60]}...': {instead}" for match in phrase.finditer(text)
                ]
    if found:
        print("these phrases are not plain English; write what is suggested behind them:", *found, sep="\n")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
