# SPDX-License-Identifier: BSD-3-Clause
"""Some members of a wheel, without the rest: read by ranges from a server, or copied from the whole file. The result is a wheel
again, made of the original's bytes: each member with its local header, in the original's order, then its entries of the
central directory with their new offsets. So the same wheel and the same patterns give the same file everywhere, and a pin
can have its sha256.

https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT: 4.3.12 central directory, 4.3.16 its end.
"""

import fnmatch
import struct

END, ENTRY = b"PK\x05\x06", b"PK\x01\x02"
END_SIZE, ENTRY_SIZE, LONGEST_COMMENT = 22, 46, 1 << 16
# Members with less than this between them are read at once: a request costs more than the bytes.
GAP = 1 << 18


class NotAWheel(Exception):
    """The file has no central directory that this module reads."""


class Member:
    """A member's name, where it begins and ends in the file, and its entry of the central directory."""

    def __init__(self, name, begin, entry):
        self.name, self.begin, self.end, self.entry = name, begin, 0, entry


def read_directory(read, size):
    """All members, in the order of the file. read(begin, end) returns these bytes of it."""
    tail_begin = max(0, size - END_SIZE - LONGEST_COMMENT)
    tail = read(tail_begin, size)
    found = tail.rfind(END)
    if found < 0:
        raise NotAWheel("it has no central directory")
    count, length, begin = struct.unpack_from("<HII", tail, found + 10)
    if begin == 0xFFFFFFFF or count == 0xFFFF:
        raise NotAWheel("it is a zip64 file")
    if begin >= tail_begin:
        directory = tail[begin - tail_begin : begin - tail_begin + length]
    else:
        directory = read(begin, begin + length)
    members, position = [], 0
    while position < length:
        if directory[position : position + 4] != ENTRY:
            raise NotAWheel("its central directory is damaged")
        name, extra, comment = struct.unpack_from("<HHH", directory, position + 28)
        (offset,) = struct.unpack_from("<I", directory, position + 42)
        entry = directory[position : position + ENTRY_SIZE + name + extra + comment]
        members.append(Member(entry[ENTRY_SIZE : ENTRY_SIZE + name].decode(), offset, entry))
        position += len(entry)
    members.sort(key=lambda member: member.begin)
    for member, next_begin in zip(members, [*(member.begin for member in members[1:]), begin]):
        member.end = next_begin
    return members


def choose(members, patterns):
    """The files that one of the patterns matches. NotAWheel: one matches nothing."""
    chosen = []
    for pattern in patterns:
        matching = [member for member in members if fnmatch.fnmatchcase(member.name, pattern)]
        if not matching:
            raise NotAWheel(f"it has no member '{pattern}'")
        chosen += matching
    return sorted({member.name: member for member in chosen}.values(), key=lambda member: member.begin)


def runs_of(members):
    """Neighbours together: lists of members that are read at once."""
    runs = []
    for member in members:
        if runs and member.begin - runs[-1][-1].end < GAP:
            runs[-1].append(member)
        else:
            runs.append([member])
    return runs


def write_members(read_blocks, members, file):
    """Writes the wheel of these members. read_blocks(begin, end) gives the bytes of the original, in blocks."""
    entries, position = [], 0
    for run in runs_of(members):
        wanted, at = iter(run), run[0].begin
        member = next(wanted)
        for block in read_blocks(run[0].begin, run[-1].end):
            view = memoryview(block)
            while view and member:
                skipped = min(len(view), max(0, member.begin - at))
                view, at = view[skipped:], at + skipped
                part = view[: member.end - at]
                file.write(part)
                view, at = view[len(part) :], at + len(part)
                if at == member.end:
                    entries.append(member.entry[:42] + struct.pack("<I", position) + member.entry[46:])
                    position += member.end - member.begin
                    member = next(wanted, None)
    directory = b"".join(entries)
    file.write(directory)
    file.write(END + struct.pack("<HHHHIIH", 0, 0, len(entries), len(entries), len(directory), position, 0))
