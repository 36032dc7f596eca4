# SPDX-License-Identifier: BSD-3-Clause
"""A static site in a folder or a bucket, which any web server can serve:

  files/<file>          each file once, for all channels; it never changes
  names/<file>.json     reserves the name: the hash of its file, and the upload time
  <channel>/files.json  the channel's files, and the sizes of all that it ever had; its pages are generated from this

A file is uploaded before files.json lists it, and files.json is written before the pages. Pages are read before
files.json, and all are written only if unchanged since then. If two publishers collide, the second starts again, with
the files of both. A file is removed after no files.json and no page lists it. A folder has no conditional writes, so a
lock replaces them.
"""

import contextlib
import json
import random
import re
import shlex
import time
from datetime import datetime, timedelta, timezone

import obstore
from artifacts import stem
from channels import CHANNELS, UNLISTED
from choice import chosen, in_force, is_pytorch, too_old
from obstore.exceptions import AlreadyExistsError, BaseError, PreconditionError
from pages import latest, pages_of, root_page
from storage import Storage

from engine.failure import Failure
from engine.text import say

ABANDONED = timedelta(days=1)  # no upload takes that long


class Site(Storage):
    def __init__(self, target, create=False):
        super().__init__(target, create)
        self.claimed = {}  # {name: facts} of what this process claims, and has not uploaded yet
        ours = (".lock",)
        if self.folder and (self.folder / "names").is_dir():
            ours = (*CHANNELS, "files", "names", "index.html", ".lock")
        for path in self.folder.iterdir() if self.folder else ():
            if path.name not in ours:
                raise Failure(
                    "%s has files that publish did not write, such as %s: use another folder" % (target, path.name)
                )

    def owner(self, name):
        """The facts of the file that has the name. It has a member "removed" if no file has the name."""
        content, _ = self.read("names/%s.json" % name)
        return json.loads(content or '{"removed": true}')

    def claim(self, file, may_differ=False):
        """Reserves the name for this file. Returns its facts. Error: Failure, if a different file has the name, or it is being
        removed."""
        path, known = "names/%s.json" % file["name"], ("name", "size", "sha256", "kind", "version", "build")
        facts = {name: file[name] for name in known if name in file}
        facts["uploaded"] = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        self.claimed[file["name"]] = facts
        with contextlib.suppress(AlreadyExistsError):
            self.write(path, json.dumps(facts))
            return facts
        there = self.owner(file["name"])
        if "removed" not in there and there["sha256"] == facts["sha256"]:
            return there
        if file["name"] not in self.in_use():
            why = "%s is being removed" if "removed" in there else "another file %s is being uploaded"
            todo = shlex.join(["publish", "remove", self.target, file["name"]])
            raise Failure("%s: wait, or if that was killed, run ./bootstrap.sh %s" % (why % file["name"], todo))
        if not may_differ:
            why = "another file %s was published before: give this one another version or build number"
            raise Failure(why % file["name"])
        return None

    def add(self, artifacts, channel):
        """Uploads new files, then lists them on the pages. Returns the number of uploads. Error: Failure."""
        try:
            return self.try_add(artifacts, channel)
        except BaseException:  # others may have the names of what was not uploaded
            with contextlib.suppress(BaseError, OSError):
                for name in [name for name, facts in self.claimed.items() if self.owner(name) == facts]:
                    self.delete(name)
            raise

    def try_add(self, artifacts, channel):
        entries, first = {}, {}
        for artifact in artifacts:
            facts = self.claim(artifact, may_differ=channel == "nightly" and not is_pytorch(artifact))
            if not facts:
                say("left out: %s, which was published before" % artifact["name"])
                listed = [self.files_of(one) for one in CHANNELS]
                first |= {name: files[name] for files in listed for name in [artifact["name"]] if name in files}
                continue
            entry = {name: value for name, value in artifact.items() if name not in ("path", "metadata", "beside")}
            # A statement that was signed again has the same content, so the first one stays.
            beside = [(file, self.claim(file, may_differ=True)) for file in artifact["beside"]]
            entry["beside"] = [facts for _, facts in beside if facts]
            entries[artifact["name"]] = (dict(entry, uploaded=facts["uploaded"]), artifact, beside)
        count = 0
        for _, artifact, beside in entries.values():
            metadata = "files/%s.metadata" % artifact["name"]
            if artifact["kind"] == "wheel" and not self.is_there(metadata, len(artifact["metadata"])):
                obstore.put(self.store, metadata, artifact["metadata"], use_multipart=False)
            for file, facts in beside:
                if facts:
                    self.upload(file, "files/" + file["name"])
                    self.claimed.pop(file["name"], None)
            count += self.upload(artifact, "files/" + artifact["name"])
            self.claimed.pop(artifact["name"], None)
        self.put_into(channel, first | {name: entry for name, (entry, _, _) in entries.items()})
        return count

    def state(self, channel):
        content, tag = self.read(channel + "/files.json")
        if content is None and self.read(channel + "/index.html")[1]:
            raise Failure("%s/files.json of %s is missing: restore it" % (channel, self.target))
        try:
            state = {"files": {}, "sizes": []} if content is None else json.loads(content)
            return {"files": state["files"], "sizes": state["sizes"]}, tag
        except (ValueError, KeyError, TypeError) as error:
            raise Failure("%s/files.json of %s is damaged: restore it" % (channel, self.target)) from error

    def put_into(self, channel, entries):
        def change(state):
            for name, entry in sorted(entries.items()):
                if name not in state["files"]:
                    state["files"][name] = entry
                    row = [datetime.now(timezone.utc).strftime("%Y-%m-%d"), name]
                    row += [entry[fact] for fact in ("product", "backend", "version", "size")]
                    state["sizes"].append(row)
                if "not_run" in entry:  # the same file may have been tried again, with a GPU
                    state["files"][name]["not_run"] = entry["not_run"]

        self.update(channel, change)
        gone = [name for name in entries if "removed" in self.owner(name)]
        if gone:
            self.update(channel, lambda state: [state["files"].pop(name, None) for name in gone])
            raise Failure("removed by another publisher: %s: run the command again" % ", ".join(gone))

    def update(self, channel, change):
        """Applies change(state) to a channel's files.json, then updates its pages. Error: Failure."""
        again = False
        for _ in range(100):
            with self.lock():
                try:
                    return self.try_update(channel, change, again)
                except (PreconditionError, AlreadyExistsError):
                    again = True
            time.sleep(random.random())
        raise Failure("other publishers keep changing %s: run the command again" % self.target)

    def try_update(self, channel, change, again):
        sizes = self.paths(channel)
        changing = [path for path in sizes if not path.endswith((".zip", ".conda", "/files.json"))]
        old = {path: self.read(path) for path in ["index.html", *changing]}
        state, tag = self.state(channel)
        before = json.dumps(state, sort_keys=True)
        change(state)
        if json.dumps(state, sort_keys=True) != before or not tag:
            self.to_disk()
            self.write(channel + "/files.json", json.dumps(state, indent=1) + "\n", tag)
            self.to_disk()
        entries = state["files"]
        for name in entries:
            if entries[name]["kind"] == "conda" and f"{channel}/conda/{name}" not in sizes:
                self.copy(f"files/{name}", f"{channel}/conda/{name}")
        pages = pages_of(channel, state, {path: content for path, (content, _) in old.items()})
        for alias, entry in latest(entries).items():
            path = f"{channel}/{alias}"
            sums = pages[path + ".sha256"] = f"{entry['sha256']}  {alias}\n".encode()
            if again or sizes.get(path) != entry["size"] or old.get(path + ".sha256", [None])[0] != sums:
                self.copy("files/" + entry["name"], path)
        channels = [one for one in CHANNELS if one == channel or self.state(one)[1]]
        for path, content in [*pages.items(), ("index.html", root_page(channels))]:
            there, tag = old.get(path, (None, None))
            if there != content:
                self.write(path, content, tag)
        aliases = {f"{channel}/{alias}" for alias in latest(entries)}
        for path in sizes:
            # A signature of an older list would mislead, and so would the latest file of a product that has none.
            gone = "/SHA256SUMS." in path and path not in pages
            gone = gone or (path.endswith(".conda") and path.partition("/conda/")[2] not in entries)
            if gone or (re.search("^[^/]+/[^/]+-latest", path) and path.removesuffix(".sha256") not in aliases):
                obstore.delete(self.store, path)

    def promote(self, words):
        entries = in_force(self.state("test")[0]["files"])
        known = chosen(entries, words)
        names = known - set(self.state("release")[0]["files"])
        damaged = [name for name in sorted(names) if not self.is_there("files/" + name, entries[name]["size"])]
        if damaged:
            raise Failure("missing or of another size: files/%s: add it again" % ", files/".join(damaged))
        self.put_into("release", {name: entries[name] for name in known})
        return names

    def prune(self, channel, keep):
        """Keeps the newest versions of a channel, and removes files that no channel has. Returns their names
        and those of the channel's old files."""
        gone, old = set(), set()

        def change(state):
            old.update(too_old(state["files"], keep))
            for name in old:
                state["files"].pop(name, None)
            # Also files that a killed run took out of the channel.
            gone.update(row[1] for row in state["sizes"] if row[1] not in state["files"])

        self.update(channel, change)
        limit = (datetime.now(timezone.utc) - ABANDONED).isoformat()
        removed = self.sweep(gone, lambda facts: "removed" in facts or facts["uploaded"] < limit)
        with self.lock():
            for file in self.folder.rglob("*#*") if self.folder else ():  # left by a killed upload
                if time.time() - file.stat().st_mtime > ABANDONED.total_seconds():
                    file.unlink()
        return removed | old

    def sweep(self, names, also=lambda _: False):
        """Removes those of these files that no channel has, with what is beside them. Returns the names."""
        stems = set(map(stem, names))
        for channel in [one for one in CHANNELS if self.state(one)[1]]:  # pages of a killed run may name them
            self.update(channel, lambda state: None)
        with self.lock():
            found = [name for name, facts in self.unlisted().items() if stem(name) in stems or also(facts)]
            for name in found:
                self.delete(name)
        return set(found)

    def unlisted(self):
        """{name: facts} of the files that no channel has."""
        in_use = self.in_use()
        names = [path[len("names/") : -len(".json")] for path in self.paths("names")]
        return {name: self.owner(name) for name in names if name not in in_use}

    def files_of(self, channel):
        return self.unlisted() if channel == UNLISTED else self.state(channel)[0]["files"]

    def find(self, words, channels):
        """{channel: names} of the files with these versions or names. Error: Failure, if there are none."""
        files = {channel: self.files_of(channel) for channel in channels}
        names = chosen({name: entry for some in files.values() for name, entry in some.items()}, words)
        return {channel: names & set(some) for channel, some in files.items() if names & set(some)}

    def yank(self, found, reason):
        """Marks files of channels as bad, so that clients choose them only if they are named; without a reason, takes the mark
        back."""

        def change(state):
            for name in found[channel] & set(state["files"]):
                state["files"][name].pop("yanked", None)
                state["files"][name].update({"yanked": reason} if reason else {})

        for channel in found:
            self.update(channel, change)

    def remove(self, found):
        """Takes files out of their channels, then removes those that no channel has."""
        for channel in set(found) - {UNLISTED}:
            self.update(channel, lambda state: [state["files"].pop(name, None) for name in found[channel]])  # noqa: B023
        return self.sweep(set().union(*found.values()))

    def in_use(self):
        entries = [entry for channel in CHANNELS for entry in self.state(channel)[0]["files"].values()]
        return {file["name"] for entry in entries for file in (entry, *entry["beside"])}

    def delete(self, name):
        """Removes a file. Marks it, then checks its use again: a concurrent publisher sees the mark or is seen."""
        path = "names/%s.json" % name
        content, tag = self.read(path)
        facts = json.loads(content or "{}")
        if content and not facts.pop("removed", False):
            self.write(path, json.dumps(dict(facts, removed=True)), tag)
        if name in self.in_use():
            self.write(path, json.dumps(facts), self.read(path)[1])
            return
        for file in (f"files/{name}", f"files/{name}.metadata", path):
            with contextlib.suppress(FileNotFoundError):
                obstore.delete(self.store, file)
