# SPDX-License-Identifier: BSD-3-Clause
"""Seeds of the target conda_package: tars, which the target makes a package of, and a paths.json."""

import io
import json
import tarfile


def tar(*entries, format=tarfile.PAX_FORMAT):
    """A tar of (name, content or where a link leads, more members of the header)."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=format) as archive:
        for name, text, *more in entries:
            info = tarfile.TarInfo(name)
            for member, value in (more[0] if more else {}).items():
                setattr(info, member, value)
            if info.type == tarfile.REGTYPE:
                info.size = len(text)
            else:
                info.linkname = text.decode()
            archive.addfile(info, io.BytesIO(text))
    short = out.getvalue().rstrip(b"\0")
    return short + b"\0" * (-len(short) % 512 + 1024)


def link(name, target):
    return (name, target.encode(), dict(type=tarfile.SYMTYPE))


def number(value):
    """A number of GNU tar that is too large for octal digits."""
    return b"\x80" + value.to_bytes(11, "big")


def sparse(hole, size, extended=0):
    """A file of GNU tar that begins with a hole: 512 bytes of it are there."""
    header = bytearray(512)
    for at, field in (
        (0, b"share/sparse"),
        (100, b"0000644\0"),
        (124, b"00000001000\0"),
        (148, b" " * 8),
        (156, b"S"),
        (257, b"ustar  \0"),
        (386, number(hole)),
        (398, number(512)),
        (482, bytes([extended])),
        (483, number(size)),
    ):
        header[at : at + len(field)] = field
    header[148:155] = b"%06o\0" % sum(header)
    return bytes(header) + b"x" * 512


def global_header(**members):
    out = io.BytesIO()
    tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT, pax_headers=members).close()
    return out.getvalue()[:1024]


def seeds():
    good = [("info/index.json", b"{}"), ("lib/a", b"content"), link("lib/b", "a")]
    pax = {"GNU.sparse.major": "1", "GNU.sparse.minor": "0", "GNU.sparse.realsize": str(1 << 40)}
    return {
        "good": tar(*good),
        "good-gnu": tar(*good, ("l" * 200, b"x"), format=tarfile.GNU_FORMAT),
        "sparse-1-tib": sparse((1 << 40) - 512, 1 << 40) + tar(*good),
        "sparse-past-its-end": sparse(1 << 40, 1024) + tar(*good),
        "sparse-pax": tar(("share/x", b"1\n0\n1\n" + b"\0" * 506, dict(pax_headers=pax))),
        # A map of holes that goes on in further blocks.
        "sparse-map": sparse(1 << 40, 1024, extended=1) + (number(1) + number(0)) * 21 + bytes(8) + tar(*good),
        "global-path": global_header(path="../../up") + tar(*good),
        "capability": tar(("bin/x", b"x", dict(pax_headers={"SCHILY.xattr.security.capability": "x"}))),
        "two-tars": tar(*good) + tar(("../up", b"x")),
        "device": tar(*good, ("d", b"", dict(type=tarfile.BLKTYPE))),
        "hard-link": tar(*good, ("h", b"lib/a", dict(type=tarfile.LNKTYPE))),
        "setuid": tar(*good, ("s", b"x", dict(mode=0o4755))),
        "dot-dot": tar(*good, ("../up", b"x")),
        "dot": tar(*good, ("./lib/a", b"x")),
        "two-lines": tar(*good, ("two\nlines", b"x")),
        "link-chain": tar(*good, link("a/b/c/d", "../../../a"), link("l", "a/b/c/d/../../home"), ("l/x", b"x")),
        "link-circle": tar(link("x", "y"), link("y", "x")),
        "file-is-folder": tar(*good, ("lib/a/b", b"x")),
        "paths.json": json.dumps(dict(paths=[dict(_path="lib/a", path_type="hardlink", sha256="00", size_in_bytes=0)])),
        "paths-deep.json": '{"paths": ' + "[" * 300,
    }
