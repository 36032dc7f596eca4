# SPDX-License-Identifier: BSD-3-Clause
"""The errors in the log of a failed command: of compilers, linkers, assemblers, nvcc, CMake, Python, make and Ninja."""

import re

from engine.runner.progress import parse_status
from engine.runner.text import plain

FAILED = "FAILED: "
MOST_LINES = 30
LONGEST_COMMAND = 240

# What counts as an error, the more the higher: that something failed; what failed; CMake's own, which come first in a
# configure, since probes print errors that are none. The first pattern that a line matches decides.
NONE, SUMMARY, TOOL, CMAKE = range(4)
KINDS = [
    (CMAKE, r"CMake Error(?: at |: | in | \()"),
    (NONE, r"-- | [ 0-9+]*\|"),  # CMake's status; a line of source in a compiler's message
    (TOOL, r".*(?:undefined reference to |multiple definition of |: cannot find |undefined symbol: )"),
    (TOOL, r".*(?:No space left on device|No rule to make target)"),
    (SUMMARY, r"ninja: build stopped|.*make.*: \*\*\* |collect2: error: "),
    (SUMMARY, r"fatal: "),  # git's, to whoever asks it for a version in an unpacked archive
    (TOOL, r"[^\"']*fatal error:"),
    (SUMMARY, r".*(?:linker command failed|subcommand failed|: (?:command )?not found|: No such file or directory)"),
    (SUMMARY, r".*(?:: Permission denied|errors occurred!)"),
    (TOOL, r"(?:(?!note: |warning: )[^\"'])*?(?:^|(?<=[ :)]))(?:[eE]rror|[eE]RROR|fatal) *:"),
    (TOOL, r"(?:[\w.]+Error|[\w.]*Exception)(?=:|$)"),  # Python's
]
KINDS = [(rank, re.compile(pattern)) for rank, pattern in KINDS]
# What a compiler or linker says before an error, of how it got there.
LEADS = re.compile(
    r" {17}from |.*(?:: In |: in function |: At global scope:|required from |required by |Assembler mes|at top level"
    r"|In file included from|In substitution of|In module )"
)
ELSEWHERE = re.compile(
    r"ninja: |-- |CMake |.*(?: warning: | warning #|: (?:Leaving|Entering) directory '"
    r"| being treated as errors| generated\.)"
)
COMMAND = re.compile(
    r"(?:\S+ )?(?:\S*/)?(?:[\w.]+-)*(?:cc|c\+\+|gcc|g\+\+|clang|nvcc|ar|ld|gfortran)[-+.0-9]* .*-[co] "
)
SOURCE = re.compile(r"\.(?:c|cc|cpp|cxx|cu|S|s|asm|f|f90|F|py|cmake)$")
# A unit of several sources, as CMake writes it, and the line in it that includes one: Unity/unity_<group>_cxx.cxx:7
UNIT = re.compile(r"(/\S.*/Unity/unity_(\S+)_(?:cxx[.]cxx|c[.]c|cu[.]cu)):(\d+)")
# In lower case.
LACK_OF_MEMORY = re.compile(
    "killed signal terminated program|fatal error: killed|out of memory allocating|cannot allocate memory"
    "|ld terminated with signal 9|memory exhausted|unable to execute command: killed|^killed$",
    re.MULTILINE,
)
LACK_OF_DISK = re.compile(r"No space left on device|Disk quota exceeded")
# `file:3:1: error`, nvcc's `file(3): error`
PLACED = re.compile(r"[^:]*[^:\s](?::\d+:|\(\d+\) ?:)")


def rank_of(line):
    return next((rank for rank, pattern in KINDS if pattern.match(line)), NONE)


def names_lack_of_memory(text):
    return bool(LACK_OF_MEMORY.search(text.lower()))


class FailedStep:
    """A step that failed, as Ninja reports it: `FAILED: <outputs>`, its command, what it said."""

    def __init__(self, lines):
        # Newer Ninjas put the exit code before the outputs: `[code=137] x.o`.
        code, outputs = re.match(r"(?:\[code=([^] ]*)[^ ]*)?(.*)", lines[0][len(FAILED) :]).groups()
        self.outputs = outputs.split()
        self.command = lines[1] if len(lines) > 1 else ""
        self.said = lines[2:]
        # A compiler whose part was killed says so. One that is killed itself cannot, and older Ninjas print no code.
        self.killed = code in ("137", "9") or names_lack_of_memory("\n".join(self.said))
        self.silent = not code and not any(self.said)


def failed_steps(log):
    steps, lines = [], None
    for line in log.split("\n"):
        if lines and len(lines) > 1 and (line.startswith((FAILED, "ninja: ")) or parse_status(line)):
            steps.append(FailedStep(lines))
            lines = None
        if line.startswith(FAILED):
            lines = []
        if lines is not None:
            lines.append(line)
    return [*steps, *([FailedStep(lines)] if lines else [])]


def place_of(lines, at):
    """The lines that belong to the error of line `at`: [begin, end)."""
    begin, end = at, at + 1
    if rank_of(lines[at]) == CMAKE:
        # CMake indents what belongs to a message, and prints blank lines between its parts.
        located = not lines[at].startswith("CMake Error: ")
        for i, line in enumerate(lines[at + 1 :], at + 1):
            if line and located and not line.startswith(("  ", "Call Stack")):
                break
            if rank_of(line) == CMAKE or line.startswith("-- ") or not (line or located):
                break
            end = i + 1 if line else end
        return begin, end
    if at and lines[at - 1].startswith("    ") and re.match(r"[\w.]+(?:Error|Exception)", lines[at]):
        while begin and lines[begin - 1].startswith("    "):
            begin -= 1
        return begin - (begin > 0 and lines[begin - 1].startswith('  File "')), end  # the innermost frame
    if lines[at].startswith("Error: "):  # gfortran: the place and the source are above
        while begin and (not lines[begin - 1] or lines[begin - 1].startswith(" ")):
            begin -= 1
        begin -= begin > 0 and lines[begin - 1].endswith(":")
    while begin and LEADS.match(lines[begin - 1]):
        begin -= 1
    while end < len(lines) and lines[end] and not begins_something_else(lines[end]):
        end += 1
    return begin, end


def begins_something_else(line):
    # What belongs to the notes of an error leads nowhere else.
    if " note: " in line or re.match(r" [ 0-9+]*\|", line):
        return False
    return bool(
        rank_of(line) or ELSEWHERE.match(line) or LEADS.match(line) or parse_status(line) or COMMAND.match(line)
    )


def text_of(lines, begin, at, end):
    """These lines; of too many before the error or in all the middle is left out."""
    shown = lines[begin:end]
    for first, too_many in (4, lambda: at - begin - 8), (MOST_LINES // 2, lambda: len(shown) - MOST_LINES):
        if (count := too_many()) > 0:
            shown[first : first + count] = [f"  ... ({count} more lines in the log)"]
    return re.sub(r"\n\s*\n(\s*\n)+", "\n\n", "\n".join(shown)).strip("\n") + "\n"


def shortened_command(command):
    """A command for the terminal: of a long one the program, the sources and the output."""
    words = command.removeprefix(": && ").removesuffix(" && :").split()
    if len(command) <= LONGEST_COMMAND:
        return " ".join(words)
    first_option = next((i for i, word in enumerate(words) if word.startswith("-")), len(words))
    rest = words[first_option:]
    kept = [w for i, w in enumerate(rest) if w in ("-c", "-o") or rest[i - 1] == "-o" or SOURCE.search(w)]
    return " ".join([*words[:first_option][:4], "...", *[word for word in kept if word[:2] != "-I"][:8]])


class LogErrors:
    """The first error of a log.

    first    with its explanation; empty: nothing looks like one
    command  the compile or link that said it, shortened; empty: unknown
    further  how many other errors the log has
    unit     where it is in a unit of several sources: (file, group, line)
    warning  "unused-variable" when the error is a warning made an error; `file` is what it is about
    """

    def __init__(self, log):
        self.first = self.command = self.warning = self.file = ""
        self.unit = ()
        self.further = 0
        # What was killed failed because of the others that ran beside it.
        steps = sorted(failed_steps(log), key=lambda step: step.killed)
        blocks = [([plain(line) for line in step.said], step.command) for step in steps]
        # CMake ran in Ninja's console, and spoke before that line.
        if any("build.ninja" in step.outputs for step in steps):
            blocks = []
        for lines, command in blocks or [(plain(log).split("\n"), "")]:
            ranks = [rank_of(line) for line in lines]
            best = max(ranks, default=NONE)
            if best and not self.first:
                self.describe(lines, ranks.index(best))
                self.command = shortened_command(command or self.command)
                self.further -= 1
            self.further += ranks.count(best) if best else 0
        self.further = max(self.further, 0)

    def describe(self, lines, at):
        begin, end = place_of(lines, at)
        self.first = text_of(lines, begin, at, end)
        if rank_of(lines[at]) == CMAKE:
            self.add_cause(lines, at)
        if PLACED.match(lines[at]) and not names_lack_of_memory(lines[at]) and not LACK_OF_DISK.search(lines[at]):
            # The compiler says how it got to a file when it comes to another one, not before each message.
            units = filter(None, map(UNIT.search, reversed(lines[: at + 1])))
            self.unit = next((unit.groups() for unit in units), ())
        # `[-Werror=name]` is gcc's way to say it, `[-Werror,-Wname]` clang's.
        promoted = re.search(r"\[-Werror(?:=|,-W)([^]]*)\]", lines[at])
        if promoted:
            self.warning, self.file = promoted[1], lines[at].partition(":")[0]
        # make prints a command before its output, the commands of other jobs between them.
        named = [name for name in re.findall(r"([^/\s:(]+)[:(]", "\n".join(lines[begin : at + 1])) if "." in name]
        for line in reversed(lines[:begin]):
            if COMMAND.match(line) and any(name in line for name in named):
                self.command = line
                break

    def add_cause(self, lines, at):
        """A script that CMake ran has said what is wrong, and CMake only that it failed."""
        explained = [i for i in range(at) if lines[i].startswith("error: ")]
        if explained and "tsb_fail.cmake:" in lines[at]:
            self.first = text_of(lines, explained[-1], explained[-1], at)
            return
        for i in range(at - 1, max(at - 16, -1), -1):
            if lines[i].startswith("-- "):
                return
            if rank_of(lines[i]) == TOOL:
                begin, end = place_of(lines, i)
                self.first = text_of(lines, begin, i, min(end, at)) + self.first
                return
