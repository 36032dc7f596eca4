# SPDX-License-Identifier: BSD-3-Clause
"""Brings one source into the cache: the cache is looked at first, then every provider in order with every candidate in
order. A folder that the user named for it is the only provider."""

import os

from engine.sources import cache
from engine.sources.local import local_source
from engine.sources.providers import distribution, git, mirror, python_index, upstream
from engine.sources.run import locked

# The member of a candidate that names a provider, the forms it gives, and the function that leaves `download.part`:
# provide(run, name, candidate, download, place) returns why it cannot, or an empty string, and where from. One with several
# places to ask is called for each: a wrong file in one does not hide the right one in the next.
PROVIDERS = {
    "mirror": ("version", ("archive", "pack"), mirror.provide),
    "upstream": ("url", ("archive",), upstream.provide),
    "git": ("git", ("pack",), git.provide),
    "distribution": ("distribution", ("archive",), distribution.provide_source),
    "distribution-binary": ("distribution-binary", ("archive",), distribution.provide_binary),
    "python-index": ("python-index", ("archive",), python_index.provide),
}


def entry_of(pin, candidate, download):
    """The entry of fetch's result for a file of the cache, of kind archive, wheel, deb or git-pack."""
    path = download.file
    kinds = {".pack": "git-pack", ".whl": "wheel", ".deb": "deb"}
    kind = kinds.get(os.path.splitext(path)[1], "archive")
    entry = {
        "status": "ok",
        "provider": cache.memory_of(path).get("provider", "cache"),
        "archive": path,
        "version": candidate["version"],
        "commit": candidate.get("commit", ""),
        "sha256": download.proof.get("sha256", ""),
        "license": candidate.get("license", pin["license"]),
        "kind": kind,
        # A pack has the repository's own tree, without a folder around it.
        "strip": 0 if kind == "git-pack" else candidate.get("strip", 0),
        "size": os.path.getsize(path),
        "complete": bool(candidate.get("complete")),
        "candidate": candidate,
    }
    entry.update({name: candidate[name] for name in ("subdir", "into", "license_file") if candidate.get(name)})
    return entry


def scratch_of(run, download):
    """A folder for what is unpacked to verify a download."""
    return os.path.join(run.folder, "verified", os.path.basename(download.file))


def from_cache(run, name, pin):
    """The entry, when anything that would do is in the cache already; else what is wrong with what is there."""
    reasons = []
    for candidate in pin["candidates"]:
        for download in cache.downloads(run.cache, name, candidate).values():
            there, reason = cache.holds(download, scratch_of(run, download), run.wrong[name])
            if there:
                return entry_of(pin, candidate, download), []
            reasons += [reason] if reason else []
    return None, reasons


def from_place(run, name, candidate, download, provider, place):
    """Why a place does not have the download, and where it was."""
    resumed = os.path.exists(download.part)
    reason, origin = PROVIDERS[provider][2](run, name, candidate, download, place)
    if not reason:
        reason = cache.accept(download, provider, origin, scratch_of(run, download), run.wrong[name])
        # What an earlier run left may have been the beginning of something else: once more from the start.
        if reason and resumed:
            return from_place(run, name, candidate, download, provider, place)
    return reason, origin


def from_candidate(run, name, candidate, provider):
    """Asks one provider for one candidate: the download and where it came from, or None and the reasons, of which there are
    none when the candidate is not for this provider."""
    member, forms, _ = PROVIDERS[provider]
    places = {"mirror": run.mirrors, "upstream": candidate.get("url", [])}.get(provider, [None])
    if member not in candidate or not places:
        return None, []
    if run.offline and provider != "mirror":
        return None, ["TSB_OFFLINE is set"]
    reasons = []
    available = cache.downloads(run.cache, name, candidate)
    for form in forms:
        for place in places if form in available else ():
            download = available[form]
            os.makedirs(os.path.dirname(download.file), exist_ok=True)
            reason, origin = from_place(run, name, candidate, download, provider, place)
            if not reason:
                return download, [*reasons, origin]
            reasons.append(reason)
    return None, reasons


def from_providers(run, name, pin):
    """Asks the providers in order, each for all candidates. Candidates of last resort wait until the others were asked for.
    The entry, where it is from, and why the providers before that were passed over."""
    reasons = []
    for last_resort in (False, True):
        for provider in run.providers:
            said = []
            for candidate in pin["candidates"] if provider in PROVIDERS else ():
                if candidate.get("last_resort", False) == last_resort:
                    download, words = from_candidate(run, name, candidate, provider)
                    if download:
                        *more, origin = words
                        said += more
                        reasons += [f"{provider}: {', '.join(dict.fromkeys(said))}"] if said else []
                        return entry_of(pin, candidate, download), f"{provider} ({origin})", reasons
                    said += words
            if said:
                reasons.append(f"{provider}: {', '.join(dict.fromkeys(said))}")
    return None, "", reasons


def fetch_source(run, name, pin):
    """The entry of a source; if it was not in the cache, where it is from, and why it is not from elsewhere."""
    if name in run.local:
        return local_source(run, name, pin, run.local[name]), "", []
    holder = f"fetch: {name}: another fetch into {run.cache} is fetching it"
    with locked(os.path.join(run.cache, ".locks", name), holder, read_only=True):
        entry, faults = from_cache(run, name, pin)
        if entry:
            return entry, "", []
        entry, origin, reasons = from_providers(run, name, pin)
        if entry:
            return entry, origin, reasons
    reasons = pin.get("refused", []) + faults + reasons
    reason = "; ".join(reasons) or "its pin names no provider that is in use"
    return {"status": "missing", "reason": reason, "wrong": sorted(run.wrong[name])}, "", []
