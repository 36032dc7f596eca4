# SPDX-License-Identifier: BSD-3-Clause
"""The order of versions by PEP 440, without an epoch: none of the packages here has one."""

import re

VERSION = re.compile(
    r"v?(\d+(?:\.\d+)*)"
    r"(?:[-_.]?(alpha|a|beta|b|preview|pre|rc|c)[-_.]?(\d*))?"
    r"(?:-(\d+)|[-_.]?(post|rev|r)[-_.]?(\d*))?"
    r"(?:[-_.]?(dev)[-_.]?(\d*))?"
    r"(?:\+([a-z0-9]+(?:[-_.][a-z0-9]+)*))?",
    re.IGNORECASE,
)
LAST = (1, "")  # after every part that is there


def is_version(text):
    return bool(VERSION.fullmatch(text))


def order(text):
    """A key that sorts like the version, which must be one."""
    release, pre, pre_number, bare_post, post, post_number, dev, dev_number, local = VERSION.fullmatch(text).groups()
    numbers = [int(number) for number in release.split(".")]
    while len(numbers) > 1 and numbers[-1] == 0:
        numbers.pop()
    is_post = bare_post is not None or post is not None
    if pre:
        letter = pre[0].lower()
        stage = (0, letter if letter in "ab" else "rc", int(pre_number or 0))
    else:
        stage = (-1, "") if dev and not is_post else LAST
    after = int(bare_post or post_number or 0) if is_post else -1
    before = (0, int(dev_number or 0)) if dev else LAST
    parts = [(1, int(part), "") if part.isdigit() else (0, 0, part.lower()) for part in re.split("[-_.]", local or "")]
    return numbers, stage, after, before, parts if local else []
