# SPDX-License-Identifier: BSD-3-Clause
"""What a line of a log says about why a command failed."""

import re

from ninja import parse_status
from text import lines_of

# More counts before less: that something failed ("collect2: error", "make: *** [x] Error 1"); what failed ("x.c:1:
# error: ...", "undefined reference to ...", "ImportError: ..."); "CMake Error at ..."; that a step of Ninja's failed.
NONE, SUMMARY, TOOL, CMAKE, STEP = range(5)


def any_of(*parts):
    return re.compile("|".join(map(re.escape, parts)))


SOURCE = re.compile(r"\.(?:c|cc|cpp|cxx|cu|S|s|asm|f|f90|F|py|cmake)$")
PYTHON_ERROR = re.compile(r"(?:[\w.]+Error|[\w.]*Exception)(?=:|$)", re.ASCII)
# The report of tsb_fail.cmake, which has explained the failure before.
EXPLAINED = re.compile(r"CMake Error at .*tsb_fail\.cmake:\d+ \(message\):$")
# A line of source code in a compiler's message: "   12 |   int i = foo();".
EXCERPT = re.compile(r" [ 0-9+]*\|")
# As a word of its own: `error:`, `Error :`, `fatal   :`.
ERROR_WORD = re.compile(r"(?:^|(?<=[ :)]))(?:[eE]rror|[eE]RROR|fatal) *:")
# "note: ... error: ..." quotes one; so does a program's own text behind its own words.
QUOTES = any_of("note: ", "warning: ", '"', "'")
LINKER = any_of(
    "undefined reference to ",
    "multiple definition of ",
    ": cannot find ",
    "undefined symbol: ",
    "No space left on device",
    "No rule to make target",
)
# git says "fatal" to whoever asks it for a version in an unpacked archive.
SUMMARIES = re.compile(
    "collect2: error: |fatal: |.*(?:linker command failed|subcommand failed|: command not found|: not found"
    "|: No such file or directory|: Permission denied|errors occurred!)"
)
LEADS = any_of(
    ": In ",
    ": in function ",
    ": At global scope:",
    "required from ",
    "required by ",
    "Assembler mes",
    "at top level",
    "In file included from",
    "In substitution of",
    "In module ",
)
ELSEWHERE = any_of(
    " warning: ",
    " warning #",
    ": Leaving directory '",
    ": Entering directory '",
    " being treated as errors",
    " generated.",
)
# g++'s and clang's "x.cc:1:2:", nvcc's "x.cu(1):"
PLACE = re.compile("(?:In file included from | {17}from )*([^:(]*)[:(](.)")
# also "x86_64-linux-gnu-gcc" and "clang++-16"
COMPILER = re.compile(r"(?:^|-)(?:cc|c\+\+|gcc|g\+\+|clang|nvcc|ar|ld|gfortran)[-+.0-9]*$")
COLOUR = re.compile("\033\\[[^mKHJ]*[mKHJ]?|\r")

# One of these is in every line that counts, with the most that such a line can count: searched for in a long log.
SIGNS = {"FAILED: ": STEP, "CMake Error": CMAKE}
SIGNS.update(dict.fromkeys(["rror:", "rror :", "rror\n", "RROR", "fatal", "Exception", ": *** ", "stopped"], TOOL))
SIGNS.update(dict.fromkeys(["undefined ", "multiple definition of ", ": cannot find ", " not found", " denied"], TOOL))
SIGNS.update(dict.fromkeys(["No space left", "No rule", "No such file", " failed", "errors occurred!"], TOOL))


def rank_of(line):
    if line.startswith("FAILED: "):
        return STEP
    if line.startswith(("CMake Error at ", "CMake Error: ", "CMake Error in ", "CMake Error (")):
        return CMAKE
    if line.startswith("-- ") or EXCERPT.match(line):
        return NONE
    if LINKER.search(line):
        return TOOL
    before, stars, _ = line.partition(": *** ")
    if line.startswith("ninja: build stopped") or (stars and "make" in before):
        return SUMMARY
    word = ERROR_WORD.search(line)
    if SUMMARIES.match(line):
        return TOOL if word and "fatal error:" in line else SUMMARY
    if word and not QUOTES.search(line, 0, word.start()):
        return TOOL
    return TOOL if PYTHON_ERROR.match(line) else NONE


def leads_to_error(line):
    """Whether a line stands before an error to say how the compiler got there: "In file included from"."""
    return line.startswith("                 from ") or LEADS.search(line)


def begins_something_else(line):
    """Whether a line is not part of the error that stands before it."""
    if line.startswith(("ninja: ", "-- ", "CMake ")):
        return True
    # What belongs to the notes of an error leads nowhere else.
    if " note: " in line or EXCERPT.match(line):
        return False
    return (
        rank_of(line) != NONE
        or ELSEWHERE.search(line)
        or leads_to_error(line)
        or parse_status(line)
        or is_compile(line)
    )


def file_in(line):
    """The name of the file, without its folder, that a compiler's line is about; empty: of none."""
    match = PLACE.match(line)
    if not match:
        return ""
    path, after = match.groups()
    if after not in "0123456789" and not SOURCE.search(path) and not path.endswith(".o"):
        return ""
    return path.rsplit("/", 1)[-1]


def is_compile(line):
    """Whether a line is the command of a compiler, assembler or linker."""
    if " -c " not in line and " -o " not in line:
        return False
    # A compiler cache may come first.
    return any(COMPILER.search(word.rsplit("/", 1)[-1]) for word in line.split(" ")[:3])


def plain_lines(log):
    """The lines of a log without colours and carriage returns."""
    return lines_of(COLOUR.sub("", log))
