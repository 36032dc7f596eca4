# SPDX-License-Identifier: BSD-3-Clause
"""What is written for people."""

import re
import sys


def say(text):
    """A line on standard error. Several threads use it, so in one piece."""
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


def first_line(text):
    return text.strip().partition("\n")[0]


def in_words(error):
    """An obstore error in a few words. Its own text has many lines, and shows the password in the address."""
    text = str(error)
    match = re.search(r"status code: (\d+ [A-Za-z ]*[a-z])", text)
    if match:
        reason = re.search(r"<Message>([^<]+)</Message>", text)  # S3's
        return f"HTTP {match[1]}" + (f": {reason[1]}" if reason else "")
    match = re.search(r'(?:message|error): "([^"]+)"|InvalidCertificate\(\s*(\w+)', text)
    if match:
        return match[1] or f"its certificate is not trusted: {match[2]}"
    if "kind: Timeout" in text:
        return "no answer in time"
    return re.sub(r"\S+://\S+", "it", first_line(text)).rpartition(" - ")[2]


def counted(count, one, several=""):
    """ "1 file", "2 files"; with `several` "2 entries"."""
    return f"{count} {one if count == 1 else several or one + 's'}"


def size_text(size):
    """ "12 kB", "3.4 MB"."""
    return f"{(size + 999) // 1000} kB" if size < 1000000 else f"{(size + 50000) // 100000 / 10:.1f} MB"


def without_password(url):
    """An address as it may be shown: a user name and a password in it stay secret, and so does what follows a "?". They end at
    the last `@`, whatever they have in them; rather a path loses its beginning than a password is shown."""
    shown = re.sub(r"^([a-z+.-]+://).*@", r"\1", url, flags=re.IGNORECASE | re.DOTALL)
    return re.sub(r"^([a-z+.-]+://[^?]*)\?.*", r"\1?...", shown, flags=re.IGNORECASE | re.DOTALL)
