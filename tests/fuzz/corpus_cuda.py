# SPDX-License-Identifier: BSD-3-Clause
"""Seeds of the target device_code: fat binaries, alone and in an object, and such that are broken in one way each."""

import struct

import corpus_elf


def entry(kind, arch, flags=0x11, header=64, size=8, content=b"code...."):
    fields = struct.pack("<HHIQIIIIIIQQQ", kind, 0x101, header, size, 0, 0, 0x10007, arch, 0, 0, flags, 0, 0)
    return fields.ljust(min(max(header, 64), 256), b"\0") + content


def fat_binary(*entries, magic=0xBA55ED50, version=1, header=16, size=None):
    content = b"".join(entries)
    return struct.pack("<IHHQ", magic, version, header, len(content) if size is None else size) + content


def in_object(sections):
    image = corpus_elf.Image(kind=1)
    for name, content in sections:
        image.add(name, "progbits", content)
    return image.write()


def seeds():
    several = fat_binary(entry(2, 80), entry(2, 90, 0x100011), entry(1, 90, 0x8011, 80), entry(8, 75), entry(64, 120))
    texts = (
        b"\0NCCL version 2.21.5+cuda12.4\0cudnn_version_9_1_0_70_c1\0"
        b"Cuda compilation tools, release 12.4, V\0deadbeef\0"
    )
    family = fat_binary(entry(2, 100, 0x200011, 112))
    return {
        "good": several,
        "object": in_object([(".nv_fatbin", several + bytes(16) + several), (".rodata", texts + several)]),
        "relocatable": in_object([("__nv_relfatbin", family), (".rodata.str1.1", texts)]),
        "garbage-between": in_object([(".nv_fatbin", several + b"garbage!" + several)]),
        "empty": in_object([(".nv_fatbin", fat_binary())]),
        "magics": in_object([(".data", several[:4] * 64 + several[:90])]),
        "size-too-large": fat_binary(entry(2, 80), size=2**63),
        "header-too-large": fat_binary(entry(2, 80, header=2**31)),
        "entry-too-large": fat_binary(entry(2, 80, size=2**64 - 64)),
        "entry-header-small": fat_binary(entry(2, 80, header=8)),
        "version": fat_binary(entry(2, 80), version=2),
        "cut": several[:-3],
    }
