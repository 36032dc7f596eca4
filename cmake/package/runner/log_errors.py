# SPDX-License-Identifier: BSD-3-Clause
"""The errors in the log of a failed command: of compilers, linkers, assemblers, nvcc, CMake, Python, make and Ninja."""

from build_log import failed_steps
from log_line import (
    CMAKE,
    EXCERPT,
    EXPLAINED,
    NONE,
    PYTHON_ERROR,
    SIGNS,
    SOURCE,
    SUMMARY,
    TOOL,
    begins_something_else,
    file_in,
    is_compile,
    leads_to_error,
    plain_lines,
    rank_of,
)

MOST_PIECES = 32  # of a log, about 2 MiB
MOST_LINES = 30
MOST_BEFORE = 8
LONGEST_COMMAND = 240


class LogErrors:
    def __init__(self):
        self.command = ""  # the compile or link that said `first`, shortened; empty: unknown
        self.first = ""  # the first error with its explanation; empty: nothing looks like one
        self.further = 0  # how many other errors the log has
        self.warning = ""  # "unused-variable" when `first` is a warning made an error
        self.file = ""  # the file that this warning is about


# Each of these says where an error stands, whose line `at` says it: [begin, end).


def cmake_error(lines, at):
    """CMake indents what belongs to a message, and prints blank lines between its parts."""
    located = not lines[at].startswith("CMake Error: ")
    end = at + 1
    for i in range(end, len(lines)):
        line = lines[i]
        if not line:
            if not located:
                break
            continue
        if located and not line.startswith(("  ", "Call Stack")):
            break
        if rank_of(line) == CMAKE or line.startswith("-- "):
            break
        end = i + 1
    return at, end


def python_error(lines, at):
    """From the innermost frame on; the message may have several lines."""
    begin = at
    while begin > 0 and lines[begin - 1].startswith("    "):
        begin -= 1
    if begin > 0 and lines[begin - 1].startswith('  File "'):
        begin -= 1
    return begin, at + 1


def tool_error(lines, at):
    """A compiler's, linker's or any other tool's: with what leads to it, the source and the notes."""
    begin = at
    if lines[at].startswith("Error: "):  # gfortran: the place and the source are above
        while begin > 0 and (not lines[begin - 1] or EXCERPT.match(lines[begin - 1])):
            begin -= 1
        if begin > 0 and lines[begin - 1].endswith(":"):
            begin -= 1
    while begin > 0 and leads_to_error(lines[begin - 1]):
        begin -= 1
    end = at + 1
    while end < len(lines) and lines[end] and not begins_something_else(lines[end]):
        end += 1
    return begin, end


def place_of(lines, at):
    if rank_of(lines[at]) == CMAKE:
        return cmake_error(lines, at)
    if at > 0 and lines[at - 1].startswith("    ") and PYTHON_ERROR.match(lines[at]):
        return python_error(lines, at)
    return tool_error(lines, at)


def text_of(lines, begin, at, end):
    """The lines of a place; of too many before the error or in all the middle is left out."""
    shown = lines[begin:end]

    def leave_out(first, count):
        shown[first : first + count] = [f"  ... ({count} more lines in the log)"]

    if at - begin > MOST_BEFORE:
        leave_out(MOST_BEFORE // 2, at - begin - MOST_BEFORE)
    if len(shown) > MOST_LINES:
        leave_out(MOST_LINES // 2, len(shown) - MOST_LINES)
    kept = [line for before, line in zip([""] + shown, shown) if line.strip() or before.strip()]
    return "\n".join(kept) + "\n"


def promoted_warning(line):
    """`[-Werror=name]` is gcc's way to say it, `[-Werror,-Wname]` clang's."""
    for mark in "[-Werror=", "[-Werror,-W":
        _, found, name = line.rpartition(mark)
        if found:
            return name.partition("]")[0]
    return ""


def command_before(lines, begin, at):
    """make prints a command before its output, the commands of other jobs between them: the nearest one that names a
    file of which the error speaks."""
    files = [file for file in map(file_in, lines[begin : at + 1]) if file]
    for line in reversed(lines[:begin]):
        if is_compile(line) and any(file in line for file in files):
            return shortened_command(line)
    return ""


def look_through(lines):
    """(rank, line, count) of the first of the errors that count most."""
    best, first, count = NONE, 0, 0
    for i, line in enumerate(lines):
        rank = rank_of(line)
        if rank > best:
            best, first, count = rank, i, 1
        elif rank == best and rank != NONE:
            count += 1
    return best, first, count


def telling_part(pieces):
    """What is around the first step that failed, else around the first of the errors that count most, and the log's end.
    `pieces`: of a log, in whole lines."""
    best, kept = NONE, []
    for piece in pieces:
        if any(rank > best and sign in piece for sign, rank in SIGNS.items()):
            rank, _, _ = look_through(plain_lines(piece))
            if rank > best:
                best, kept = rank, kept[-1:]
        if len(kept) == MOST_PIECES:
            kept.pop(-1 if best else 0)
        kept.append(piece)
    return "".join(kept)


def describe(lines, at):
    errors = LogErrors()
    begin, end = place_of(lines, at)
    errors.first = text_of(lines, begin, at, end)
    explained = [i for i in range(at) if lines[i].startswith("error: ")]
    if explained and EXPLAINED.match(lines[at]):
        errors.first = text_of(lines, explained[-1], explained[-1], at)
    elif rank_of(lines[at]) == CMAKE:
        # A script that CMake ran said what is wrong, and CMake only that it failed.
        for i in range(at - 1, max(at - 16, -1), -1):
            if lines[i].startswith("-- "):
                break
            if rank_of(lines[i]) == TOOL:
                cause_begin, cause_end = place_of(lines, i)
                errors.first = text_of(lines, cause_begin, i, min(cause_end, at)) + errors.first
                break
    errors.warning = promoted_warning(lines[at])
    if errors.warning:
        errors.file = lines[at].partition(":")[0]
    errors.command = command_before(lines, begin, at)
    return errors


def find_log_errors(log):
    """What only sums up ("collect2: error: ld returned 1") counts when there is nothing better. In a log of Ninja's, only
    what failed steps print is looked at; of a configure, CMake's own errors come first, since probes print errors that
    are none."""
    steps, _ = failed_steps(log)
    if not steps:
        lines = plain_lines(log)
        rank, at, count = look_through(lines)
        errors = describe(lines, at) if rank else LogErrors()
        errors.further = max(count - 1, 0)
        return errors
    errors = LogErrors()
    best, all_errors = NONE, 0
    for step in steps:
        lines = plain_lines(step.output)
        rank, at, count = look_through(lines)
        all_errors += count
        # What was killed for memory failed because of the others that ran beside it.
        if step.killed_for_memory:
            rank = min(rank, SUMMARY)
        if best < rank and best <= SUMMARY:
            best = rank
            errors = describe(lines, at)
            errors.command = shortened_command(step.command)
    errors.further = max(all_errors - 1, 0)
    return errors


def shortened_command(command):
    """A command for the terminal: of a long one the program, the sources and the output."""
    if command.startswith(": && "):
        command = command[5:]
    if command.endswith(" && :"):
        command = command[:-5]
    words = [word for word in command.split(" ") if word]
    if len(command) <= LONGEST_COMMAND:
        return " ".join(words)
    kept = []
    options = left_out = False
    length = 0
    for i, word in enumerate(words):
        options = options or word.startswith("-") or i >= 4
        output = i > 0 and words[i - 1] == "-o"
        named = word in ("-c", "-o") or (not word.startswith("-") and SOURCE.search(word))
        if (options and not output and not named) or (not output and length > LONGEST_COMMAND):
            left_out = True
            continue
        if left_out:
            kept.append("...")
        left_out = False
        length += len(word) + 1
        kept.append(word)
    return " ".join(kept + ["..."] * left_out)
