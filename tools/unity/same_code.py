# SPDX-License-Identifier: BSD-3-Clause
"""Compares what two ways of compiling the same sources make of every function.

Compiled with -O0 and a section per function, a function's bytes and the names that it refers to
do not depend on what else is in the unit. If a unit changed which overload, which static or which
macro a function uses, they differ. Counters in names (__COUNTER__, lambda numbers) are ignored.
"""

import hashlib
import re
import struct

# -fnon-call-exceptions: else a callee that is known not to throw, because the unit has its body, saves a clean-up.
FLAGS = [
    "-O0",
    "-ffunction-sections",
    "-fdata-sections",
    "-w",
    "-fno-asynchronous-unwind-tables",
    "-fnon-call-exceptions",
]
DIGITS = re.compile(r"[0-9]+")
# The second form is that of C, such as the static functions in CPython's headers.
LOCAL = re.compile(
    r"^\.(?:text|data|bss|tbss|tdata|rodata|data\.rel\.ro|data\.rel\.ro\.local)\.(?=_)"
    r"|^\.(?:text|data|bss|tbss|tdata)\.(?=[A-Za-z]\w*$)"
)
CONSTANT = re.compile(r"\.rodata|\.LC|\.data\.rel\.ro\.local$")
START_UP = re.compile(r"static_initialization_and_destruction|_GLOBAL__sub_I")
SHF_EXECINSTR, SHT_SYMTAB, SHT_RELA = 4, 2, 4


def _text(data, at):
    return data[at : data.index(b"\0", at)].decode("ascii", "replace")


def functions(path, wanted=None):
    """{section name: {hash of bytes and references}}, {names that the start-up code refers to}.

    With wanted, the references themselves instead of the hashes, of these names only.
    """
    with open(path, "rb") as stream:
        data = stream.read()
    (start,) = struct.unpack_from("<Q", data, 40)
    size, count, strings = struct.unpack_from("<HHH", data, 58)
    if count == 0:  # more sections than 16 bits can count
        (count,) = struct.unpack_from("<Q", data, start + 32)
    if strings == 0xFFFF:
        (strings,) = struct.unpack_from("<I", data, start + 40)
    headers = [struct.unpack_from("<IIQQQQIIQQ", data, start + i * size) for i in range(count)]
    base = headers[strings][4]
    names = [_text(data, base + header[0]) for header in headers]
    symbols, extended = [], None
    for header in headers:
        if header[1] == 18:  # SHT_SYMTAB_SHNDX
            extended = struct.unpack_from(f"<{header[5] // 4}I", data, header[4])
    for header in headers:
        if header[1] == SHT_SYMTAB:
            table = headers[header[6]][4]
            for i, (name, info, _, index, _, _) in enumerate(
                struct.iter_unpack("<IBBHQQ", data[header[4] : header[4] + header[5]])
            ):
                if info & 15 == 3:  # a section's symbol
                    if index == 0xFFFF:
                        index = extended[i]
                    symbols.append(DIGITS.sub("", names[index]))
                else:
                    symbols.append(DIGITS.sub("", _text(data, table + name)))
    references = {header[7]: header for header in headers if header[1] == SHT_RELA}
    found, start_up = {}, set()
    for i, header in enumerate(headers):
        if not header[2] & SHF_EXECINSTR or not header[5]:
            continue
        body = hashlib.md5(data[header[4] : header[4] + header[5]])
        targets = []
        if i in references:
            rela = references[i]
            for offset, info, _ in struct.iter_unpack("<QQq", data[rela[4] : rela[4] + rela[5]]):
                # A static is referred to by its section or by its name, a string by its place: not comparable.
                target = LOCAL.sub("", symbols[info >> 32])
                targets.append((offset, "a constant" if CONSTANT.match(target) else target))
        if START_UP.search(names[i]) or names[i] in (".text", ".text.startup"):
            start_up.update(target for _, target in targets)
            continue
        name = DIGITS.sub("", names[i])
        if wanted is not None:
            if name in wanted:
                found.setdefault(name, set()).add((header[5], *(t[1] for t in targets)))
            continue
        body.update(repr(targets).encode())
        found.setdefault(name, set()).add(body.digest()[:8])
    return found, start_up


def merge(parts):
    found, start_up = {}, set()
    for part, more in parts:
        for name, hashes in part.items():
            found.setdefault(name, set()).update(hashes)
        start_up |= more
    return found, start_up


def differences(alone, grouped):
    """Names of functions that differ; alone: one functions() result per member."""
    (one, one_start), (two, two_start) = merge(alone), grouped
    names = [name for name in sorted(one.keys() | two.keys()) if one.get(name) != two.get(name)]
    return names, sorted(n for n in one_start ^ two_start if not n.startswith("."))


def explain(alone, grouped, names):
    """For each of the names, what only one side has; for a person to read."""
    one = merge([functions(path, names) for path in alone])[0]
    two = functions(grouped, names)[0]
    result = {}
    for name in names:
        first, second = one.get(name, set()), two.get(name, set())
        before = {target for version in first for target in version[1:]}
        after = {target for version in second for target in version[1:]}
        result[name] = {
            "bytes_alone": sorted(v[0] for v in first),
            "bytes_grouped": sorted(v[0] for v in second),
            "only_alone": sorted(before - after),
            "only_grouped": sorted(after - before),
        }
    return result
