# SPDX-License-Identifier: BSD-3-Clause
"""Chooses targets of PyTorch's build.ninja, the same ones each time, and writes tsb-sample.ninja: a copy with the target tsb-sample.

codegen: the outputs of all commands that run Python. sample: these, all objects below third_party (and confu-deps, where
PyTorch builds some of that), and every 20th object of PyTorch's own, in the order of their names. cuda: the generators and
20 of the objects that nvcc compiles, evenly spread over their names.
"""

import re
import sys

STEP = 20
CUDA_OBJECTS = 20
THIRD_PARTY = ("third_party/", "confu-deps/")


def statements(lines):
    """(outputs, rule, command) of each build statement; command is None where the statement has none."""
    outputs, rule, command = None, None, None
    for line in lines:
        start = re.match(r"build ((?:[^:$]|\$.)+): (\S+)", line)
        if start:
            if outputs:
                yield outputs, rule, command
            outputs, rule, command = start[1].split(" | ")[0].split(), start[2], None
        elif line.startswith("  COMMAND = "):
            command = line[12:]
    if outputs:
        yield outputs, rule, command


def main(folder, what, flags, selection):
    with open(folder + "/build.ninja", encoding="utf-8") as file:
        lines = file.read().splitlines()
    generated, third_party, own, cuda = [], [], [], []
    for outputs, rule, command in statements(lines):
        if rule == "CUSTOM_COMMAND" and command and re.search(r"/python[0-9.]* ", command):
            generated.append(outputs[0])
        elif re.match(r"(C|CXX|ASM)_COMPILER__", rule):
            (third_party if outputs[0].startswith(THIRD_PARTY) else own).append(outputs[0])
        elif rule.startswith("CUDA_COMPILER__"):
            cuda.append(outputs[0])
    if not generated or not third_party or not own or (what == "cuda" and len(cuda) < CUDA_OBJECTS):
        sys.exit(
            f"{folder}/build.ninja: {len(generated)} generators, {len(third_party)} objects of third_party, "
            f"{len(own)} others, {len(cuda)} of CUDA"
        )
    sample = sorted(own)[::STEP]
    if what == "codegen":
        third_party, sample = [], []
    elif what == "cuda":
        third_party, sample = [], sorted(cuda)[:: len(cuda) // CUDA_OBJECTS][:CUDA_OBJECTS]
    with open(selection, "w", encoding="utf-8") as file:
        text = f"{len(generated)} generators"
        if what == "sample":
            text = f"{len(third_party)} objects of third_party, {len(sample)} of {len(own)} own"
            text += f" ({flags})" if flags else ""
        elif what == "cuda":
            text += f", {len(sample)} of {len(cuda)} objects of CUDA"
        file.write(text)
    with open(folder + "/tsb-sample.ninja", "w", encoding="utf-8") as file:
        for line in lines:
            file.write(f"{line} {flags}\n" if flags and line.startswith("  FLAGS = ") else line + "\n")
        file.write("build tsb-sample: phony " + " ".join(generated + third_party + sample) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:]) if len(sys.argv) == 5 else sys.exit(f"{__doc__}\nwanted: <folder> <what> <flags> <file>")
