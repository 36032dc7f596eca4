# SPDX-License-Identifier: BSD-3-Clause
"""Which jobs the workflows have for an event, and what those that do no work themselves hand on; and the player itself, on
small workflows."""

import json
import re
import shlex
import sys

from box import ROOT, RepositoryTest

import yaml
from player import Player, Unknown

sys.path.insert(0, str(ROOT / "publish"))

import publish  # noqa: E402

WORKFLOWS = ".github/workflows"
ARTIFACTS = {"artifacts": json.dumps(["a.whl", "b.zip"])}
NOTHING_IS_MADE = {"build": ARTIFACTS, "test": {}, "upload": {}, "smoke": {}}


class Workflows(RepositoryTest):
    def setUp(self):
        super().setUp()
        files = {f"{WORKFLOWS}/{file.name}": file.read_text() for file in (ROOT / WORKFLOWS).glob("*.yml")}
        self.commit = self.repository("repository", files)

    def play(self, file, stubs=NOTHING_IS_MADE, **contexts):
        self.player = Player(self.box / "repository", self.box, stubs, **contexts)
        self.assertTrue(self.player.play(f"{WORKFLOWS}/{file}")[0])
        return self.player.ran

    def compiles(self, job, file="pull_request.yml"):
        workflow = yaml.safe_load((ROOT / WORKFLOWS / file).read_text())
        return [entry["compile"] for entry in workflow["jobs"][job]["strategy"]["matrix"]["include"]]

    def test_a_night(self):
        inner = ["compile", "compile / build", "compile / test a.whl", "compile / test b.zip"]
        for variables, more in ({}, []), ({"TSB_TARGET": "s3://a/b"}, ["upload", "smoke"]):
            ran = self.play("binaries.yml", vars=variables, inputs={"channel": ""})
            names = self.compiles("compile", "binaries.yml")
            self.assertEqual(
                ran,
                ["plan", *(part for name in names for part in [name, *(f"{name} / {one}" for one in inner + more)])],
            )

    def test_all_of_a_night_is_of_one_commit(self):
        self.git("repository", "commit", "--quiet", "--allow-empty", "-m", "two")
        commit = self.git("repository", "rev-parse", "HEAD")
        for channel, day in ("nightly", r"20\d{6}"), ("test", ""):
            self.play("binaries.yml", inputs={"channel": channel})
            given = self.player.given.values()
            self.assertEqual(len(given), 2 * len(self.compiles("compile", "binaries.yml")))
            self.assertEqual({words["commit"] for words in given}, {commit})
            self.assertRegex(" ".join({words["nightly"] for words in given}), f"^{day}$")
            self.assertEqual({words.get("channel", channel) for words in given}, {channel})

    def test_publish_takes_their_words(self):
        lines = [line for file in [*(ROOT / WORKFLOWS).glob("*.yml"), ROOT / ".gitlab-ci.yml"] for line in open(file)]
        commands = [line.partition("bootstrap.sh publish ")[2] for line in lines if "bootstrap.sh publish " in line]
        self.assertGreater(len(commands), 7)
        for command in commands:
            with self.subTest(command):
                options = publish.parse(shlex.split(command.replace("$CHANNEL", "nightly")))
                self.assertRegex(options.target, "^(build/site|[$].*)$")

    def test_a_pull_request(self):
        label = {"name": "whole-matrix"}
        for action, labels, added, job in (
            ("opened", [], None, "sparse"),
            ("synchronize", [{"name": "other"}], None, "sparse"),
            ("labeled", [{"name": "other"}], {"name": "other"}, None),
            ("labeled", [label], label, "whole"),
            ("labeled", [label, {"name": "other"}], {"name": "other"}, None),
            ("synchronize", [label], None, "whole"),
        ):
            with self.subTest(action=action, labels=labels):
                event = {"action": action, "pull_request": {"labels": labels}, "label": added, "number": 1}
                ran = self.play("pull_request.yml", github={"event": event, "sha": self.commit})
                names = self.compiles(job) if job else []
                self.assertEqual([name for name in ran if "/" not in name], names)
                self.assertEqual([name for name in ran if re.search("upload|smoke", name)], [])


SMALL = """
jobs:
  one:
    outputs: {names: "${{ steps.a.outputs.names }}"}
    steps:
      - uses: actions/checkout@x
        with: {ref: "${{ github.sha }}"}
      - {id: a, run: 'echo ''names=["b", "c"]'' >>"$GITHUB_OUTPUT"; mkdir dist; cat f >dist/f'}
      - uses: actions/upload-artifact@x
        with: {name: some, path: dist}
  two:
    needs: one
    name: two ${{ matrix.name }}
    strategy: {matrix: {name: "${{ fromJSON(needs.one.outputs.names) }}"}}
    env: {NAME: "${{ matrix.name }}"}
    steps:
      - {uses: actions/checkout@x}
      - uses: actions/download-artifact@x
        with: {name: some, path: here}
      - run: test -e here/f && echo "$NAME-$HASH" >>"$SAID"
        env: {HASH: "${{ format('{0}', hashFiles('f*')) }}"}
      - {run: "false"}
      - {run: 'echo not >>"$SAID"'}
      - {if: always(), run: 'echo always >>"$SAID"'}
  three:
    needs: [one, two]
    steps: [{run: 'echo three >>"$SAID"'}]
"""


class Small(RepositoryTest):
    def play(self, text, **contexts):
        commit = self.repository("repository", {"w.yml": text, "f": "f"})
        player = Player(self.box / "repository", self.box, environment={"SAID": str(self.box / "said")}, **contexts)
        player.contexts["github"]["sha"] = commit
        self.good, _ = player.play("w.yml")
        return player.ran

    def test_outputs_artifacts_and_a_failure(self):
        self.assertEqual(self.play(SMALL), ["one", "two b", "two c"])
        self.assertFalse(self.good)
        said = (self.box / "said").read_text()
        self.assertEqual(re.sub("[0-9a-f]{64}", "#", said).split(), ["b-#", "always", "c-#", "always"])

    def test_what_it_does_not_know(self):
        for step, why in (
            ({"run": "true", "env": {"A": "${{ needs.one }}"}}, "no one in"),
            ({"run": "true", "env": {"A": "${{ inputs.name }}"}}, "no name in"),
            ({"run": "true", "env": {"A": "${{ nothing.name }}"}}, "there is no nothing"),
            ({"run": "true", "env": {"A": "${{ failure() }}"}}, "there is no function failure"),
            ({"run": "true", "env": {"A": "${{ 1 + 1 }}"}}, "what is"),
            ({"uses": "actions/setup-python@x"}, "uses: actions/setup-python"),
        ):
            with self.subTest(why), self.assertRaisesRegex(Unknown, re.escape(why)):
                self.play(json.dumps({"jobs": {"job": {"steps": [step]}}}))

    def test_conditions(self):
        for condition, runs in (
            ("vars.A == ''", True),
            ("${{ vars.A != '' }}", False),
            ("vars.B == 'it''s' && !contains(github.list.*.name, 'a')", True),
            ("contains(github.list.*.name, 'b') || false", True),
            ("fromJSON('[]')", False),
        ):
            with self.subTest(condition):
                job = {"if": condition, "steps": [{"run": "true"}]}
                contexts = {"vars": {"B": "it's"}, "github": {"list": [{"name": "b"}]}}
                self.assertEqual(self.play(json.dumps({"jobs": {"job": job}}), **contexts), ["job"] * runs)
