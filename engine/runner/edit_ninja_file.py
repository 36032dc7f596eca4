# SPDX-License-Identifier: BSD-3-Clause
"""Completes a package's build.ninja, where no option of CMake's can:

    python3 engine runner.edit_ninja_file <build.ninja> <package> <file that declares it>
                                          <HEAVY_SOURCES, or ""> <STEP_COSTS, or "">

- No warning is an error. A project may append -Werror to its flags in any way and in any place, and a later compiler
  warns of more: FBGEMM fails so with gcc 12 and with gcc 14. What CMake tests with a flag is not touched, nor is
  `#pragma GCC diagnostic error` in a source.
- Compiles that match HEAVY_SOURCES are in the Ninja pool "heavy". CMake 3.25 knows job pools of whole targets only.
- The steps that STEP_COSTS calls expensive stand first, the most expensive one at the top. Ninja takes the first of the
  steps that can start; from 1.12 on, among those with equally many steps after them
  (https://github.com/ninja-build/ninja/pull/2177). A compile of minutes that starts last leaves all cores but one idle.
"""

import re

from engine.failure import Failure
from engine.partial_file import partial_file
from engine.runner.progress import Weights
from engine.runner.text import system_failure

HEAVY = "  pool = heavy\n"
EXPENSIVE = 10  # seconds; which of the others comes first makes no difference


def is_werror(word):
    return bool(re.match(r"--?Werror(=|$)", word))


def without_werror(flags, cuda):
    """nvcc has an option of its own, `-Werror all-warnings`, and takes options for the host's compiler, which are
    separated by commas."""
    if cuda:
        flags = re.sub(r"(?<![^ ])(?:--compiler-options|-Xcompiler)[ =]", "-Xcompiler=", flags)
        flags = re.sub(r"(?<![^ ])--?Werror [a-z][^ ]*", "-Werror", flags)
    words = []
    for word in flags.split(" "):
        if cuda and word.startswith("-Xcompiler="):
            word = ",".join(option for option in word[len("-Xcompiler=") :].split(",") if not is_werror(option))
            if word:
                words.append("-Xcompiler=" + word)
        elif not is_werror(word):
            words.append("-pedantic" if word == "-pedantic-errors" else word)
    return " ".join(words)


def edit(text, heavy, weights):
    head, first, rest = [], [], []
    for statement in re.split(r"^(?=[^ \n])", text, flags=re.MULTILINE):
        if not statement.startswith("build "):
            (rest if first or rest else head).append(statement)
            continue
        line, _, body = statement.partition("\n")
        output = line[len("build ") :].split(" ", 1)[0]
        flags = re.search("(?m)^  FLAGS = (.*)", body)
        if flags:
            edited = without_werror(flags[1], ": CUDA_COMPILER__" in line)
            body = body[: flags.start(1)] + edited + body[flags.end(1) :]
        if heavy and output.endswith(".o:") and re.search(heavy, line):
            body = HEAVY + body
        cost = weights.of(output.rstrip(":"))
        if cost >= EXPENSIVE:
            first.append((-cost, f"{line}\n{body}"))
        else:
            rest.append(f"{line}\n{body}")
    first.sort(key=lambda entry: entry[0])
    return "".join([*head, *(statement for _, statement in first), *rest])


def main(file, package, declared_in, heavy, costs):
    try:
        with open(file, errors="surrogateescape") as stream:
            text = edit(stream.read(), heavy, Weights(costs))
        if heavy and HEAVY not in text:
            what = f"package {package}: no compile matches HEAVY_SOURCES {heavy}"
            raise Failure(what, f"correct it in {declared_in}")
        with partial_file(file) as stream:
            stream.write(text.encode(errors="surrogateescape"))
    except OSError as error:
        raise system_failure(f"package {package}: cannot edit {file}", error) from None
