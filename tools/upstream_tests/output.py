# SPDX-License-Identifier: BSD-3-Clause
"""What is printed, and how files of lines are written and shown. Shared by the modules beside it."""

from engine.partial_file import write_text


def say(text):
    print(text, flush=True)


def last_lines(path, count=15):
    with open(path, errors="replace") as stream:
        return "".join("  | " + line.rstrip("\n") + "\n" for line in stream.readlines()[-count:])


def text_of_time(seconds):
    if seconds < 120:
        return "%d s" % seconds
    minutes = round(seconds / 60)
    return "%d min" % minutes if minutes < 120 else "%d h %d min" % divmod(minutes, 60)


def write_lines(path, lines):
    write_text(path, "".join(line + "\n" for line in lines))
