# SPDX-License-Identifier: BSD-3-Clause
"""Reads the small tars of conda packages, as torchpkg does (conda/tar_reader.h): those of which every program makes the
same. BadTar says what is wrong with one."""

import ctypes
import re

# What writers of conda packages write.
PAX_MEMBERS = {b"path", b"linkpath", b"size", b"mtime", b"atime", b"ctime", b"uid", b"gid", b"uname", b"gname"}
BEFORE = (b"x", b"L", b"K", b"LK", b"KL")
# Where something else than zeros may stand: GNU's times are where others have a part of the name.
USED = {b"ustar\x0000": 500, b"ustar  \0": 345}


class BadTar(Exception):
    pass


def unpacked(frame, most):
    """What is in a Zstandard frame. Python reads them since 3.14 only; torchpkg is linked to this library."""
    try:
        library = ctypes.CDLL("libzstd.so.1")
    except OSError as error:
        raise OSError("%s (it reads conda packages)" % error) from error
    text, size = ctypes.c_char_p, ctypes.c_size_t
    library.ZSTD_decompress.argtypes, library.ZSTD_decompress.restype = (text, size, text, size), size
    library.ZSTD_findFrameCompressedSize.argtypes = (text, size)
    library.ZSTD_findFrameCompressedSize.restype = size
    library.ZSTD_isError.argtypes = (size,)
    output = ctypes.create_string_buffer(most)
    length = library.ZSTD_decompress(output, most, frame, len(frame))
    if library.ZSTD_isError(length):
        raise BadTar("it is not Zstandard, or unpacks to more than %d MiB" % (most >> 20))
    if library.ZSTD_findFrameCompressedSize(frame, len(frame)) != len(frame):
        raise BadTar("it goes on after its Zstandard frame")
    return memoryview(output)[:length].tobytes()


def octal(field):
    if not re.fullmatch(rb"[0-7]*[ \0]*", field):
        raise BadTar("%r is not a number" % field)
    return int(field.rstrip(b" \0") or b"0", 8)


def pax_members(text):
    members = {}
    while text:
        length = re.match(rb"([0-9]{1,9}) ", text)
        record = text[: int(length[1])] if length else b""
        member, equals, value = record[length.end() if length else 0 : -1].partition(b"=")
        if len(record) < int(length[1] if length else 1) or not equals or not record.endswith(b"\n"):
            raise BadTar("a pax header is damaged")
        if member not in PAX_MEMBERS or member in members:
            raise BadTar("a pax header has %r, which is unknown or there twice" % member)
        members[member] = value
        text = text[len(record) :]
    return members


def entries(tar):
    """The name, type and content of each entry."""
    at, before, said = 0, b"", {}
    while before or any(tar[at : at + 512]):
        header = tar[at : at + 512]
        used = USED.get(header[257:265])
        if not used or sum(header) - sum(header[148:156]) + 8 * 32 != octal(header[148:156]):
            raise BadTar("what should be a header is none of a tar")
        kind, name = header[156:157], header[:100].split(b"\0")[0]
        prefix = header[345:500].split(b"\0")[0]
        if any(header[used:]):
            raise BadTar("%r has more in its header than a conda package has there" % name)
        plain = b"0" <= kind <= b"6"
        size = octal(header[124:136])
        if plain and b"size" in said:
            if not re.fullmatch(rb"[0-9]{1,15}", said[b"size"]):
                raise BadTar("%r is not a size" % said[b"size"])
            size = int(said[b"size"])
        content = tar[at + 512 : at + 512 + size]
        at += 512 + size + -size % 512
        if len(content) < size or (plain and size and kind != b"0"):
            raise BadTar("%r is cut off, or has content but is not a file" % name)
        if plain:
            yield said.get(b"path", prefix + b"/" + name if prefix else name), kind, content
            before, said = b"", {}
            continue
        before += kind
        if before not in BEFORE:
            raise BadTar("%r has a header of the type %r, which no conda package has there" % (name, kind))
        if kind == b"x":
            said = pax_members(content)
        else:
            said[{b"L": b"path", b"K": b"linkpath"}[kind]] = content.split(b"\0")[0]
    if len(tar[at:]) < 512 or any(tar[at:]):
        raise BadTar("something else than zeros comes after its end")
