#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Slices libraries of unpacked wheels with `torchpkg slice`, proves each file, and prints the table of
tools/bench/results/slices.txt.

    tools/bench/slice.py [--arch 9.0] [--deflate] --torchpkg <program> <folder of an unpacked wheel>...

The folders are not changed. The proof: a second reader, this one, finds the fat binaries in the original, puts together what
the slice has to be (each fat binary with the entries for that GPU alone, zeros behind them, every other byte as it was, so
symbols and dynamic sections too), and the two are the same bytes. Exit status: 1 when a file is not.
"""

import argparse
import os
import pathlib
import resource
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import zlib

SECTIONS = (b".nv_fatbin", b"__nv_relfatbin")
PTX, MACHINE = 1, 2


def sections(data):
    """(begin, end) of each section of fat binaries of a 64-bit ELF file."""
    table, size, count, names = struct.unpack_from("<Q", data, 40) + struct.unpack_from("<HHH", data, 58)
    headers = [struct.unpack_from("<II4QII2Q", data, table + i * size) for i in range(count)]
    for header in headers:
        begin = headers[names][4] + header[0]
        if data[begin : data.index(b"\0", begin)] in SECTIONS:
            yield header[4], header[4] + header[5]


def fat_binaries(data, begin, end):
    """(begin, first entry, end) of each fat binary between two places."""
    while begin < end:
        if data[begin] == 0:
            begin += 1
            continue
        magic, version, header, size = struct.unpack_from("<IHHQ", data, begin)
        assert (magic, version) == (0xBA55ED50, 1), begin
        yield begin, begin + header, begin + header + size
        begin += header + size


def entries(data, begin, end):
    """(kind, architecture, its letter, bytes) of each entry."""
    while begin < end:
        kind, _, header, size = struct.unpack_from("<HHIQ", data, begin)
        arch, flags = struct.unpack_from("<I", data, begin + 28)[0], struct.unpack_from("<Q", data, begin + 40)[0]
        letter = "a" if flags >> 20 & 1 else "f" if flags >> 21 & 1 else ""
        yield kind, arch, letter, data[begin : begin + header + size]
        begin += header + size


def kept(all_entries, gpu):
    """The bytes of those that the GPU's driver may take."""
    major = gpu // 10 * 10
    machine = [e for e in all_entries if e[0] == MACHINE and major <= e[1] <= gpu and (e[2] != "a" or e[1] == gpu)]
    ptx = [e for e in all_entries if e[0] == PTX and e[1] <= gpu]
    ptx = [e for e in ptx if not e[2] or e[1] == gpu or e[2] == "f" and e[1] >= major]
    usable = machine or ptx
    best = max((e[1] for e in usable), default=0)
    return [e[3] for e in all_entries if e[0] not in (PTX, MACHINE) or (e in usable and e[1] == best)]


def slice_of(data, gpu):
    """What the slice has to be, and the bytes of device code before and after."""
    expected, before, after = bytearray(data), 0, 0
    for section in sections(data):
        for begin, first, end in fat_binaries(data, *section):
            content = b"".join(kept(list(entries(data, first, end)), gpu))
            expected[begin + 8 : begin + 16] = struct.pack("<Q", len(content))
            expected[first:end] = content.ljust(end - first, b"\0")
            before += end - begin
            after += first - begin + len(content)
    return expected, before, after


def deflated(data):
    compressor, size = zlib.compressobj(6), 0
    for at in range(0, len(data), 1 << 20):
        size += len(compressor.compress(data[at : at + (1 << 20)]))
    return size + len(compressor.flush())


def mib(*sizes):
    return " → ".join(f"{size / 2**20:.1f}" for size in sizes)


def cpu_seconds():
    """The CPU time of all commands that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def row(label, original, options):
    """Prints the row of a library; whether its slices are as they have to be."""
    data = original.read_bytes()
    expected, before, after = slice_of(data, int(options.arch.replace(".", "")))
    good, seconds, disk = True, [], []
    for more in ([], ["--in-place"]):
        with tempfile.TemporaryDirectory(dir=original.parent) as folder:
            copy = pathlib.Path(shutil.copy(original, folder))
            os.sync()
            begin, cpu = time.monotonic(), cpu_seconds()
            subprocess.run(
                [options.torchpkg, "slice", "--arch", options.arch, *more, str(copy)],
                check=True,
                stdout=subprocess.DEVNULL,
            )
            seconds.append(f"{time.monotonic() - begin:.1f}, {cpu_seconds() - cpu:.1f}")
            disk.append(copy.stat().st_blocks * 512)
            good = good and copy.read_bytes() == expected
    packed = mib(deflated(data), deflated(expected)) if options.deflate else ""
    cells = [label, original.name, mib(before, after), packed, mib(len(data), disk[0]), mib(disk[1]), *seconds]
    print("| " + " | ".join([*cells, "yes" if good else "**no**"]) + " |", flush=True)
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--torchpkg", required=True)
    parser.add_argument("--arch", default="9.0")
    parser.add_argument("--deflate", action="store_true", help="also deflate both, which takes minutes")
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    print("Sizes in MiB; seconds: wall, CPU.\n")
    print("| wheel | library | device code | deflated | on the disk | in place | seconds | in place | proven |")
    print("|---|---|---|---|---|---|---|---|---|", flush=True)
    good = True
    for folder in options.folders:
        for name in ("libtorch_cuda.so", "libtorch_cuda_linalg.so", "libtorch_nvshmem.so"):
            for original in folder.rglob(name):
                good = row(folder.name, original, options) and good
    return not good


if __name__ == "__main__":
    sys.exit(main())
