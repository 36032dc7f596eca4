# SPDX-License-Identifier: BSD-3-Clause
"""Seeds of the target offload_bundle: plain and compressed ones, alone and in an object, and such that are broken in
one way each."""

import struct
import zlib

import corpus_cuda

NAMES = (b"host-x86_64-unknown-linux--", b"hipv4-amdgcn-amd-amdhsa--gfx90a", b"hipv4-amdgcn-amd-amdhsa--gfx906:xnack+")


def bundle(names=NAMES, count=None, offset=256, size=8, length=None):
    table = b"__CLANG_OFFLOAD_BUNDLE__" + struct.pack("<Q", len(names) if count is None else count)
    for name in names:
        table += struct.pack("<QQQ", offset, size, len(name) if length is None else length) + name
    return table.ljust(256, b"\0") + b"code...."


def zstd(content):
    """A frame with the content as it is, in one raw block."""
    head = b"\x28\xb5\x2f\xfd\xa0" + struct.pack("<I", len(content))
    return head + struct.pack("<I", len(content) << 3 | 1)[:3] + content


def compressed(version, method=0, content=None, size=None):
    content = bundle() if content is None else content
    data = zstd(content) if method == 1 else zlib.compress(content)
    wide = "Q" if version == 3 else "I"
    sizes = struct.pack("<" + wide, len(content))
    header = 8 + 8 + len(sizes) * (1 if version == 1 else 2)
    if version != 1:
        sizes = struct.pack("<" + wide, header + len(data) if size is None else size) + sizes
    return b"CCOB" + struct.pack("<HH", version, method) + sizes + bytes(8) + data


def seeds():
    files = {f"compressed-{v}-{m}": compressed(v, m) for v in (1, 2, 3) for m in (0, 1)}
    several = bundle() + bytes(100) + compressed(1, 1) + bytes(10) + compressed(3)
    return files | {
        "good": bundle(),
        "object": corpus_cuda.in_object([(".hip_fatbin", several)]),
        "garbage-between": corpus_cuda.in_object([(".hip_fatbin", bundle() + b"garbage" + bundle())]),
        "count-too-large": bundle(count=2**64 - 1),
        "entry-outside": bundle(offset=2**64 - 4),
        "name-too-long": bundle(length=2**64 - 1),
        "cut": bundle()[:60],
        "size-too-large": compressed(3, size=2**63),
        "size-too-small": compressed(2, size=3),
        "no-bundle-inside": compressed(2, content=b"x" * 4000),
        "cut-inside": compressed(1)[:-20],
        "version": compressed(9),
    }
