# SPDX-License-Identifier: BSD-3-Clause
"""Artifacts in an OCI registry, by skopeo. Each is a manifest with one layer, the file. Its tag is the file's name,
with the channel as prefix unless that is release."""

import hashlib
import json
import pathlib
import re
import subprocess
import tempfile

from artifacts import read_artifact
from channels import CHANNELS
from choice import chosen, too_old
from engine import is_of_this_machine
from text import Failure, first_line

MANIFEST = "application/vnd.oci.image.manifest.v1+json"


class Registry:
    def __init__(self, target):
        self.name = target[len("oci://") :]

    def skopeo(self, command, *words):
        """Runs skopeo and returns its output. Error: Failure."""
        which = ("src-", "dest-") if command == "copy" else ("",)
        options = ["--%stls-verify=false" % side for side in which if is_of_this_machine(self.name)]
        done = subprocess.run(["skopeo", command, *options, *words], capture_output=True, text=True)
        if done.returncode:
            what = re.search(r'msg="(.*)"', done.stderr)
            raise Failure("skopeo %s: %s" % (command, what[1] if what else first_line(done.stderr)))
        return done.stdout

    def address(self, tag):
        return "docker://%s:%s" % (self.name, tag)

    @staticmethod
    def tag(name, channel):
        return ("" if channel == "release" else channel + "-") + re.sub(r"[^A-Za-z0-9_.-]", "_", name)

    def entries(self, channel):
        """{name: entry} as in a site's files.json, with tag and digest added."""
        try:
            tags = json.loads(self.skopeo("list-tags", "docker://" + self.name))["Tags"]
        except Failure as error:
            if re.search("name.unknown|404", str(error)):
                return {}
            raise
        found = {}
        for tag in tags:
            manifest = self.skopeo("inspect", "--raw", self.address(tag))
            entry = json.loads(json.loads(manifest).get("annotations", {}).get("torch-superbuild.entry", "{}"))
            if entry and self.tag(entry["name"], channel) == tag:
                found[entry["name"]] = dict(entry, tag=tag, digest=hashlib.sha256(manifest.encode()).hexdigest())
        return found

    def add(self, artifacts, channel):
        there, count = self.entries(channel), 0
        for artifact in artifacts:
            name = artifact["name"]
            if name in there and there[name]["sha256"] != artifact["sha256"]:
                raise Failure(
                    "another file %s was published before: give this one another version or build number" % name
                )
        for artifact in artifacts:
            if artifact["name"] not in there:
                self.push(artifact, self.tag(artifact["name"], channel))
                count += 1
        return count

    def push(self, artifact, tag):
        with tempfile.TemporaryDirectory() as folder:
            blobs = pathlib.Path(folder, "blobs/sha256")
            blobs.mkdir(parents=True)

            def blob(kind, content):
                digest = hashlib.sha256(content).hexdigest()
                (blobs / digest).write_bytes(content)
                return {"mediaType": kind, "digest": "sha256:" + digest, "size": len(content)}

            (blobs / artifact["sha256"]).symlink_to(artifact["path"])
            layer = {"mediaType": "application/octet-stream", "size": artifact["size"]}
            title = {"org.opencontainers.image.title": artifact["path"].name}
            layer.update(digest="sha256:" + artifact["sha256"], annotations=title)
            facts = ("name", "size", "sha256", "kind", "product", "version", "build", "backend", "python")
            entry = json.dumps({fact: artifact[fact] for fact in facts})
            manifest = {"schemaVersion": 2, "mediaType": MANIFEST, "artifactType": "application/vnd.torch-superbuild"}
            manifest["config"] = blob("application/vnd.oci.empty.v1+json", b"{}")
            manifest.update(layers=[layer], annotations={"torch-superbuild.entry": entry})
            index = {"schemaVersion": 2, "manifests": [blob(MANIFEST, json.dumps(manifest).encode())]}
            pathlib.Path(folder, "index.json").write_text(json.dumps(index))
            pathlib.Path(folder, "oci-layout").write_text('{"imageLayoutVersion": "1.0.0"}')
            self.skopeo("copy", "oci:" + folder, self.address(tag))

    def pull(self, entry, folder):
        """Downloads an artifact. Returns the result of read_artifact()."""
        with tempfile.TemporaryDirectory() as place:
            self.skopeo("copy", self.address(entry["tag"]), "dir:" + place)
            file = folder / entry["name"]
            file.parent.mkdir(parents=True, exist_ok=True)
            pathlib.Path(place, entry["sha256"]).rename(file)
        return read_artifact(folder, file)

    def promote(self, words):
        entries = self.entries("test")
        names = chosen(entries, words) - set(self.entries("release"))
        for name in names:
            self.skopeo("copy", self.address(entries[name]["tag"]), self.address(self.tag(name, "release")))
        return names

    def prune(self, channel, keep):
        """A registry removes a manifest with all its tags, so files that another channel also has are kept."""
        entries = self.entries(channel)
        others = [entry for other in CHANNELS if other != channel for entry in self.entries(other).values()]
        kept = {entry["digest"] for entry in others}
        names = sorted(name for name in too_old(entries, keep) if entries[name]["digest"] not in kept)
        for name in names:
            self.skopeo("delete", self.address(entries[name]["tag"]))
        return names
