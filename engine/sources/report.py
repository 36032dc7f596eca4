# SPDX-License-Identifier: BSD-3-Clause
"""How a fetch ended, for the user: what is there, what is missing and not required, what is missing and required with what
each provider said, and what helps."""

from engine.sources.cache import downloads
from engine.sources.request import members
from engine.text import counted, say

REMEDIES = """\
For each of them, do one of these:
  {unset}put one of the files named above there (the cache is the folder TSB_SOURCES), or
  set TSB_SOURCE_MIRROR to a folder or http address that has them in the same layout, such as the
  cache of a machine with a network, or
  set TSB_LOCAL_<name> to a folder with the unpacked source."""

REMEDY = "to have them, {unset}name a mirror with their sources in TSB_SOURCE_MIRROR (docs/sources.md)"
UNSET = "unset TSB_OFFLINE, so that fetch may download, or "

PIN = "each file that was found has the same hash, so the pin may be wrong: docs/adding-a-package.md#2-pin-it"


def need(request, pins, name):
    """Whether a source is required, by what, and the feature that is off without it. The request's word goes before that of
    the tree that has it as a submodule."""
    required, by, feature = False, "", ""
    for asked in request["sources"]:
        if asked["name"] == name:
            return asked.get("required", True), asked.get("needed_by", name), asked.get("feature", "")
        for member in members(pins, asked["name"]):
            if member["name"] == name:
                required, by, feature = member["required"], asked["name"], member.get("feature", "")
                if feature:
                    by += f" feature {feature}"
    return required, by, feature


def places(pin, name, cache):
    """The places in the cache where a file by hand would be found."""
    for candidate in pin["candidates"]:
        yield from (download.file for download in downloads(cache, name, candidate).values())


def report(request, pins, result, seconds):
    """Whether required sources are missing, or those of a feature that must be on."""
    unavailable, checkouts, present, size = [], {}, 0, 0
    unset = UNSET if request["offline"] else ""
    wanted, off, missed = request.get("features", {}), set(), set()
    for name, entry in sorted(result.items()):
        if entry["status"] == "ok":
            present += 1
            size += entry.get("size", 0)
        if entry["status"] != "missing":
            continue
        pin = pins["sources"][name]
        required, by, feature = need(request, pins, name)
        fatal = required or wanted.get(feature, False)
        if feature in wanted and not required:
            (missed if fatal else off).add(feature)
        mark = "warning: " if feature in off else ""
        # No version: all candidates are refused.
        what = " ".join([name] + [candidate["version"] for candidate in pin["candidates"][:1]])
        if "checkout" in entry:
            folder = result[entry["in"]]["archive"]
            update = f"git -C '{folder}' submodule update --init --recursive"
            if fatal:
                head = f"{folder} lacks submodules that {entry['in']} needs; run this and the same command again:\n  {update}"
                checkouts.setdefault(head, []).append(f"'{entry['checkout']}'")
            else:
                say(f"{mark}fetch: {entry['reason']}, so {by} is off; to enable it: {update} '{entry['checkout']}'")
        elif fatal:
            lines = [f"  {what}, needed by {by}", f"      {entry['reason']}"]
            if len(entry.get("wrong", [])) == 1:
                lines.append(f"      {PIN}")
            unavailable.append(lines + [f"      file: {place}" for place in places(pin, name, request["cache"])])
        else:
            say(f"{mark}fetch: {what} is not available, so {by} is off ({entry['reason']})")
    if off:
        remedy = REMEDY.format(unset=unset)
        say(f"warning: fetch: without {', '.join(sorted(off))}: {remedy}; TSB_STRICT=ON makes this an error")
    if not unavailable and not checkouts:
        files = counted(present, "source")
        say(f"fetch: {files}, {(size + 500000) // 1000000} MB, in {request['cache']} ({seconds:.0f} s)")
    for head, paths in checkouts.items():
        say(f"fetch: {head} {' '.join(dict.fromkeys(paths))}")
    if unavailable:
        lines = [line for lines in unavailable for line in lines]
        head = f"fetch: {counted(len(unavailable), 'required source is', 'required sources are')} missing:"
        say("\n".join([head, *lines, REMEDIES.format(unset=unset)]))
    if missed:
        say(f"TSB_STRICT is ON; to build without them, set TSB_ALLOW_MISSING={','.join(sorted(missed))}")
    return bool(unavailable or checkouts)
