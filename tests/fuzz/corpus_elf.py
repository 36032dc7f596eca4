# SPDX-License-Identifier: BSD-3-Clause
"""Seeds of the target elf_image: a library, an object, and such that are broken in one way each."""

import struct

SHT = dict(progbits=1, symtab=2, strtab=3, dynamic=6, note=7, dynsym=11, verneed=0x6FFFFFFE, versym=0x6FFFFFFF)


class Names(bytearray):
    """A table of strings."""

    def __init__(self):
        super().__init__(b"\0")

    def add(self, text):
        at = len(self)
        self.extend(text.encode() + b"\0")
        return at


class Image:
    """Writes ELF files of either class and byte order; what is not asked for is left out."""

    def __init__(self, bits=64, order="<", kind=3):
        self.bits, self.order, self.kind = bits, order, kind
        self.wide = bits == 64
        self.sections = []  # name, type, content, link, info, entry size

    def pack(self, layout, *values):
        return struct.pack(self.order + layout, *values)

    def symbol(self, name, info, other, section, value=0, size=0):
        if self.wide:
            return self.pack("IBBHQQ", name, info, other, section, value, size)
        return self.pack("IIIBBH", name, value, size, info, other, section)

    def add(self, name, kind, content, link=0, info=0, entry=0, size=None):
        self.sections.append([name, SHT[kind], bytes(content), link, info, entry, size])

    def program(self, kind, flags, at, size):
        if self.wide:
            return self.pack("IIQQQQQQ", kind, flags, at, at, at, size, size, 8)
        return self.pack("IIIIIIII", kind, at, at, at, size, size, flags, 4)

    def write(self, **header):
        """`header` changes fields of the ELF header: shoff, shentsize, shnum, shstrndx, phnum, phentsize."""
        begin = 64 if self.wide else 52
        programs = b""
        if self.kind != 1:
            programs = self.program(3, 4, begin, 4) + self.program(0x6474E551, 7, 0, 0)
        names, content, rows = Names(), b"", [(0,) * 10]
        place = begin + len(programs)
        for name, kind, data, link, info, entry, size in self.sections:
            content += bytes(-(place + len(content)) % 8)
            at = place + len(content)
            size = len(data) if size is None else size
            rows.append((names.add(name), kind, 2, at, at, size, link, info, 4 if kind == SHT["note"] else 8, entry))
            content += data
        own = names.add(".shstrtab")
        rows.append((own, 3, 0, 0, place + len(content), len(names), 0, 0, 1, 0))
        content += bytes(names)
        content += bytes(-(place + len(content)) % 8)
        field = dict(
            shoff=place + len(content),
            shentsize=64 if self.wide else 40,
            shnum=len(rows),
            shstrndx=len(rows) - 1,
            phnum=2 if programs else 0,
            phentsize=56 if self.wide else 32,
            first=0,
        )
        field.update(header)
        rows[0] = (0, 0, 0, 0, 0, field["first"], 0, 0, 0, 0)
        layout = "IIQQQQIIQQ" if self.wide else "IIIIIIIIII"
        table = b"".join(self.pack(layout, *row) for row in rows)
        ident = b"\x7fELF" + bytes([2 if self.wide else 1, 1 if self.order == "<" else 2, 1]) + bytes(9)
        machine = 62 if self.wide else 20
        head = ident + self.pack(
            "HHIQQQ" if self.wide else "HHIIII", self.kind, machine, 1, 0, begin if programs else 0, field["shoff"]
        )
        head += self.pack(
            "IHHHHHH",
            0,
            begin,
            field["phentsize"],
            field["phnum"],
            field["shentsize"],
            field["shnum"],
            field["shstrndx"],
        )
        return head + programs + content + table


def library(bits=64, order="<", need=(), string_size=None, symbols_link=1, old_abi="_ZN1x1fERKSs", **header):
    """`need` changes the version section: next, aux, aux_next, count, needs."""
    image, names = Image(bits, order), Names()
    change = dict(next=0, aux=16, aux_next=16, count=2, needs=1)
    change.update(need)
    soname, libc, rpath = names.add("libx.so.1"), names.add("libc.so.6"), names.add("$ORIGIN")
    versions = [names.add("GLIBC_2.34"), names.add("GLIBC_2.17")]
    symbols = image.symbol(0, 0, 0, 0)
    for name, info, other, section in [
        ("dlopen", 0x12, 0, 0),
        (old_abi, 0x12, 0, 1),
        ("data", 0x11, 2, 1),
        ("_ZN1x1gB5cxx11Ev", 0x22, 3, 1),
        ("common", 0x11, 0, 0xFFF2),
    ]:
        symbols += image.symbol(names.add(name), info, other, section)
    word = "Q" if bits == 64 else "I"
    tags = [(1, libc), (14, soname), (29, rpath), (30, 4), (0x6FFFFFFB, 0), (0, 0)]
    dynamic = b"".join(image.pack(word * 2, *tag) for tag in tags)
    needed = image.pack("HHIII", 1, change["count"], libc, change["aux"], change["next"])
    needed += image.pack("IHHII", 1, 0, 2, versions[0], change["aux_next"])
    needed += image.pack("IHHII", 2, 0, 3, versions[1], change["aux_next"] if "aux_next" in need else 0)
    image.add(".dynstr", "strtab", names, size=string_size)
    image.add(".dynsym", "dynsym", symbols, link=symbols_link, info=1, entry=24 if bits == 64 else 16)
    image.add(".dynamic", "dynamic", dynamic, link=1, entry=16 if bits == 64 else 8)
    image.add(".gnu.version", "versym", image.pack("6H", 0, 2, 1, 1, 1, 1), link=2, entry=2)
    image.add(".gnu.version_r", "verneed", needed, link=1, info=change["needs"])
    image.add(".note.gnu.build-id", "note", image.pack("III", 4, 4, 3) + b"GNU\0" + b"\x12\x34\x56\x78")
    image.add(".rodata", "progbits", b"\0libcuda.so.1\0onednn_verbose\0libx.so\0")
    return image.write(**header)


def object_file(bits=64, order="<", names=("f", "g", "_ZN1x1fERKSs"), link=1):
    image, table = Image(bits, order, kind=1), Names()
    symbols = image.symbol(0, 0, 0, 0)
    for i, name in enumerate(names):
        symbols += image.symbol(table.add(name), 0x12, i % 4, 0 if i == 1 else 1)
    image.add(".strtab", "strtab", table)
    image.add(".symtab", "symtab", symbols, link=link, info=1, entry=24 if bits == 64 else 16)
    image.add(".note.GNU-stack", "progbits", b"")
    return image.write()


def doubling_name(times):
    """Written out, this name of a function is twice as long for every ten letters more."""
    digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    return "_Z1f1aISsSsE" + "".join(f"S_IS{digits[i]}_S{digits[i]}_E" for i in range(times))


def seeds():
    good = library()
    return {
        "library": good,
        "library-32-big-endian": library(32, ">"),
        "object": object_file(),
        "cut": good[: len(good) - 100],
        "sections-outside": library(shoff=1 << 40),
        "sections-odd-place": library(shoff=3),
        "sections-many": library(shnum=0xFFFF),
        "sections-very-many": library(shnum=0, first=2**63 + 1),
        "section-headers-small": library(shentsize=1),
        "names-outside": library(shstrndx=0xFFF0),
        "program-headers-small": library(phentsize=8),
        "strings-outside": library(string_size=1 << 33),
        "strings-nowhere": library(symbols_link=99),
        "versions-go-round": library(need=dict(next=16, aux_next=2**32 - 16, count=0xFFFF, needs=2**32 - 1)),
        "versions-far": library(need=dict(next=16, aux_next=2**31 - 1, needs=9)),
        "versions-auxiliary-far": library(need=dict(aux_next=2**31 - 1)),
        "name-that-doubles": library(old_abi=doubling_name(34)),
    }
