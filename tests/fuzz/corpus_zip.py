# SPDX-License-Identifier: BSD-3-Clause
"""Seeds of the target zip_reader: one good archive, and archives that are broken in one way each."""

import struct
import zlib

FILE, FOLDER, SYMLINK = 0o100644, 0o040755, 0o120777
LONG = b"a line that repeats itself\n" * 20
GOOD = [
    (b"p/", b"", FOLDER),
    (b"p/lib/libx.so.1", LONG, FILE),
    (b"p/lib/libx.so", b"libx.so.1", SYMLINK),
    (b"p/manifest.json", b'{"schema": 1}', FILE),
]


def pack(entries, zip64=False, **directory):
    """An archive of (name, content, mode); a fourth member changes fields of the directory's entry."""
    local, central = b"", b""
    for name, content, mode, *more in entries:
        method = 8 if len(content) > 100 else 0
        packed = content
        if method:
            deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
            packed = deflate.compress(content) + deflate.flush()
        field = dict(
            flags=0,
            method=method,
            crc=zlib.crc32(content),
            packed=len(packed),
            size=len(content),
            at=len(local),
            extra=b"",
            name=name,
        )
        field.update(more[0] if more else {})
        central += struct.pack(
            "<IHHHHHHIIIHHHHHII",
            0x02014B50,
            3 << 8 | 45,
            45,
            field["flags"],
            field["method"],
            0,
            0x21,
            field["crc"],
            field["packed"],
            field["size"],
            len(field["name"]),
            len(field["extra"]),
            0,
            0,
            0,
            mode << 16,
            field["at"],
        )
        central += field["name"] + field["extra"]
        local += (
            struct.pack(
                "<IHHHHHIIIHH",
                0x04034B50,
                45,
                field["flags"],
                method,
                0,
                0x21,
                zlib.crc32(content),
                len(packed),
                len(content),
                len(name),
                0,
            )
            + name
            + packed
        )
    end = dict(count=len(entries), size=len(central), at=len(local))
    end.update(directory)
    tail = b""
    if zip64:
        tail = struct.pack(
            "<IQHHIIQQQQ", 0x06064B50, 44, 45, 45, 0, 0, end["count"], end["count"], end["size"], end["at"]
        )
        tail += struct.pack("<IIQI", 0x07064B50, 0, end.get("record", len(local) + len(central)), 1)
        end.update(count=0xFFFF, size=0xFFFFFFFF, at=0xFFFFFFFF)
    tail += struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, end["count"], end["count"], end["size"], end["at"], 0)
    return local + central + tail


def with_entry(name, content=b"x", mode=FILE, **fields):
    return pack(GOOD + [(name, content, mode, fields)])


def zip64_field(*numbers):
    return struct.pack("<HH", 1, 8 * len(numbers)) + struct.pack(f"<{len(numbers)}Q", *numbers)


def seeds():
    good = pack(GOOD)
    max32, five_gb = 0xFFFFFFFF, 5 << 30
    return {
        "good": good,
        "good-zip64": pack(GOOD, zip64=True),
        "truncated": good[: len(good) // 2],
        "absolute-path": with_entry(b"/etc/x"),
        "dot-dot": with_entry(b"p/../../x"),
        "symlink-leaves": with_entry(b"p/lib/x", b"../../../etc/x", SYMLINK),
        "duplicate": with_entry(b"p/manifest.json"),
        "overlap": with_entry(b"p/x", at=0),
        "overlap-wraps": with_entry(b"p/x", packed=max32, extra=zip64_field(2**64 - 31)),
        "claims-5-gb": with_entry(b"p/x", LONG, size=max32, extra=zip64_field(five_gb)),
        "claims-5-gb-stored": with_entry(b"p/x", packed=max32, size=max32, extra=zip64_field(five_gb, five_gb)),
        "zip64-field-cut": with_entry(b"p/x", size=max32, extra=zip64_field(1)[:8]),
        "zip64-directory-far": pack(GOOD, zip64=True, at=2**64 - 8),
        "too-many-entries": pack(GOOD, count=0xFFFE),
        "wrong-crc": with_entry(b"p/x", crc=1),
    }
