# SPDX-License-Identifier: BSD-3-Clause
"""Which jobs the workflows have for an event, and what those that do no work themselves hand on."""

import json
import re
import shlex
import shutil

from box import ROOT, RepositoryTest

import publish
import yaml
from player import Player

WORKFLOWS = ".github/workflows"
COPIED = "additions backends docs engine packaging presets releases targets operations".split()
INPUTS = {"channel": "", "presets": "", "build_number": "", "candidate": "", "suffix": ""}
# Instead of the real one: its matrix is what it was called with.
PLAN = """#!/bin/sh
echo "matrix={\\"include\\": [$(for name in one two; do
  printf '%s{"compile": "%s", "presets": "%s", "release": "9.9.0", "gpu": "", "machine": "m", "image": "TSB_IMAGE_ONE"}' \\
    "$comma" $name "$*"
  comma=,
done)]}"
echo "releases=9.9.0 9.10.0"
"""
BOOTSTRAP = """#!/bin/sh
echo "bootstrap.sh: installing"
echo "$* $TSB_NIGHTLY $TSB_CANDIDATE $TSB_VERSION_SUFFIX $TSB_BUILD_NUMBER" >>"$SAID"
case $2 in number) echo "TSB_BUILD_NUMBER=$FREE" ;; esac
"""
ARTIFACTS = {"artifacts": json.dumps(["a.whl", "b.zip"])}
NOTHING_IS_MADE = {"build": ARTIFACTS, "test": {}, "upload": {}, "smoke": {}}


class Workflows(RepositoryTest):
    def setUp(self):
        super().setUp()
        files = {f"{WORKFLOWS}/{file.name}": file.read_text() for file in (ROOT / WORKFLOWS).glob("*.yml")}
        self.said = self.box / "said"
        self.environment(SAID=str(self.said), FREE="")
        self.repository("repository", files)
        self.commit = self.scripts(**{"operations/workflows/generate_workflows.py": PLAN, "bootstrap.sh": BOOTSTRAP})

    def scripts(self, **texts):
        """A commit with these programs."""
        for path, text in texts.items():
            self.write(f"repository/{path}", text, 0o755)
        self.git("repository", "add", "--all")
        self.git("repository", "commit", "--quiet", "-m", "scripts")
        return self.git("repository", "rev-parse", "HEAD")

    def play(self, file, stubs=NOTHING_IS_MADE, **contexts):
        self.player = Player(self.box / "repository", self.box, stubs, **contexts)
        self.assertTrue(self.player.play(f"{WORKFLOWS}/{file}")[0])
        return self.player.ran

    def test_a_night(self):
        inner = ["compile", "compile / build", "compile / test a.whl", "compile / test b.zip"]
        for variables, more, last in (
            ({}, [], []),
            ({"TSB_TARGET": "/srv/www"}, ["upload", "smoke"], []),
            ({"TSB_TARGET": "s3://a/b", "TSB_KEEP": "5"}, ["upload", "smoke"], ["prune"]),
        ):
            ran = self.play("binaries.yml", vars=variables, inputs=INPUTS)
            jobs = [part for name in ("one", "two") for part in [name, *(f"{name} / {one}" for one in inner + more)]]
            self.assertEqual(ran, ["plan", *jobs, *last])
        self.assertEqual(self.said.read_text().splitlines()[-1].split(), "publish prune --keep 5 s3://a/b".split())

    def test_all_of_a_night_is_of_one_commit(self):
        self.git("repository", "commit", "--quiet", "--allow-empty", "-m", "two")
        commit = self.git("repository", "rev-parse", "HEAD")
        for channel, day in ("nightly", r"20\d{6}"), ("test", ""):
            ran = self.play("binaries.yml", inputs={**INPUTS, "channel": channel}, vars={"TSB_TARGET": "s3://a/b"})
            given = self.player.given.values()
            self.assertEqual(len(given), 4)
            self.assertEqual({words["commit"] for words in given}, {commit})
            settings = f"TSB_NIGHTLY={day} TSB_CANDIDATE= TSB_VERSION_SUFFIX= TSB_BUILD_NUMBER="
            self.assertRegex(" ".join({words["settings"] for words in given}), f"^{settings}$")
            self.assertEqual({words.get("channel", channel) for words in given}, {channel})
            self.assertEqual(ran[-1] == "prune", channel == "nightly")

    def test_what_somebody_asks_for(self):
        """Presets and settings; the number is known, or the run ends, before anything is built."""
        asked = {"channel": "test", "presets": "cpu-* a", "build_number": "", "candidate": "1", "suffix": "mine"}
        self.environment(FREE="3")
        self.play("binaries.yml", inputs=asked, vars={"TSB_TARGET": "s3://a/b"})
        self.assertEqual(self.said.read_text(), "publish number s3://a/b 9.9.0 9.10.0  1 mine \n")
        settings = "TSB_NIGHTLY= TSB_CANDIDATE=1 TSB_VERSION_SUFFIX=mine TSB_BUILD_NUMBER=3"
        for words in self.player.given.values():
            self.assertEqual((words["presets"], words["settings"]), ("--plan whole cpu-* a", settings))
        self.play("binaries.yml", inputs={**asked, "build_number": "7"})
        self.assertIn("TSB_BUILD_NUMBER=7", self.player.given["one"]["settings"])
        self.scripts(**{"bootstrap.sh": "#!/bin/sh\nexit 3\n"})
        player = Player(
            self.box / "repository", self.box, NOTHING_IS_MADE, inputs=asked, vars={"TSB_TARGET": "s3://a/b"}
        )
        self.assertFalse(player.play(f"{WORKFLOWS}/binaries.yml")[0])
        self.assertEqual(player.ran, ["plan"])

    def test_the_settings_and_the_image_reach_the_build(self):
        """A re-run uploads under the same names."""
        stubs = {"upload": {}, "smoke": {}, "test": {}}
        self.environment(FREE="2")
        tool = (
            BOOTSTRAP
            + """case $1 in fleet) mkdir -p dist; touch dist/a logs.tar.gz
  echo "artifacts=[]" >>"$GITHUB_OUTPUT" ;; esac\n"""
        )
        self.scripts(**{"bootstrap.sh": tool, "releases/9.9.0/sources.json": "{}"})
        variables = {"TSB_TARGET": "s3://a/b", "TSB_IMAGE": "all", "TSB_IMAGE_ONE": "mine"}
        self.play("binaries.yml", stubs, vars=variables, inputs={**INPUTS, "suffix": "x"}, only={"compile": "one"})
        line = next(line for line in self.said.read_text().splitlines() if line.startswith("fleet"))
        self.assertRegex(line, r"^fleet --image mine --logs logs.tar.gz --plan whole 20\d{6}  x 2$")
        job = yaml.safe_load((ROOT / WORKFLOWS / "compile.yml").read_text())["jobs"]["build"]
        uploads = [step["with"] for step in job["steps"] if "upload-artifact" in step.get("uses", "")]
        self.assertEqual([words.get("overwrite") for words in uploads], [True, True])
        keys = [step["with"]["key"] for step in job["steps"] if step.get("name") == "Cache of sources"]
        (files,) = [ROOT.glob(pattern) for pattern in re.findall(r"hashFiles\('(.*?)'\)", *keys)]
        self.assertEqual({*files}, {*ROOT.glob("releases/*/sources.json")})  # what a release inherits, too

    def test_a_cell(self):
        """The preset gets the release, and the patch makes the repository one in which the cell is built."""
        for name in COPIED:
            shutil.copytree(ROOT / name, self.box / "repository" / name, dirs_exist_ok=True)
        for name in (".gitignore", "CMakePresets.json", ".gitlab-ci.yml"):
            shutil.copy(ROOT / name, self.box / "repository")
        fleet = """#!/bin/sh\nmkdir dist; echo "$* $TSB_PYTORCH_VERSION" >>"$SAID"; touch logs.tar.gz
echo "artifacts=[]" >>"$GITHUB_OUTPUT"\n"""
        self.write("repository/packaging/cells.json", {"cells": []})
        self.scripts(**{"bootstrap.sh": fleet})
        cell = {"release": "2.14.0", "backend": "official-cpu", "artifact": "libtorch-shared-without-deps"}
        ran = self.play("cell.yml", {}, inputs=cell)
        self.assertEqual(ran, ["plan", "official-cpu", "official-cpu / build", "propose"])
        preset = "official-cpu-libtorch-shared-without-deps"
        self.assertEqual(self.said.read_text(), f"fleet --logs logs.tar.gz {preset} 2.14.0\n")
        self.git("repository", "apply", self.player.folder / "artifacts/cell.patch/cell.patch")
        changed = self.git("repository", "diff", "--name-only").split()
        self.assertLessEqual({"docs/cells.md", "packaging/cells.json", "presets/official-cpu.json"}, {*changed})
        (added,) = re.findall(r"\n\+[|] official [|] .*", self.git("repository", "diff", "docs/cells.md"))
        self.assertRegex(
            added, r"2\.14\.0 [|] `official-cpu` [|] libtorch-shared-without-deps [|] GitHub, ubuntu-24.04, run .*20"
        )

    def test_smoke_can_read_what_was_published(self):
        """With the keys of a bucket, unless everybody can read it at an address."""
        self.scripts(**{"bootstrap.sh": '#!/bin/sh\necho "$2 $AWS_ACCESS_KEY_ID $AWS_ENDPOINT_URL" >>"$SAID"\n'})
        stubs = {"build": ARTIFACTS, "test": {}, "upload": {}}
        inputs = dict.fromkeys(("compile", "presets", "gpu", "machine", "image", "settings"), "")
        variables = {"TSB_TARGET": "s3://a/b", "AWS_ENDPOINT_URL": "https://s3"}
        secrets = dict.fromkeys(("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "TSB_SIGNING_KEY"), "key")
        for more, said in ({}, "smoke key https://s3"), ({"TSB_ADDRESS": "https://a"}, "smoke  https://s3"):
            player = Player(self.box / "repository", self.box, stubs, vars={**variables, **more})
            player.play(f"{WORKFLOWS}/publish.yml", {**inputs, "commit": "", "channel": "test"}, secrets)
            self.assertEqual(self.said.read_text().splitlines()[-1], said)

    def test_publish_takes_their_words(self):
        files = [*(ROOT / WORKFLOWS).glob("*.yml"), ROOT / ".gitlab-ci.yml"]
        lines = [line for file in files for line in file.read_text().splitlines()]
        commands = [line.partition("bootstrap.sh publish ")[2] for line in lines if "bootstrap.sh publish " in line]
        self.assertGreater(len(commands), 11)
        for command in commands:
            with self.subTest(command):
                words = shlex.split(command.partition(" >")[0])
                values = {"$CHANNEL": "nightly", "$KEEP": "3", "$TSB_KEEP": "3"}
                options = publish.parse([values.get(word, word) for word in words])
                self.assertRegex(options.target, "^(build/site|[$].*)$")

    def test_a_pull_request(self):
        label = {"name": "whole-matrix"}
        for action, labels, added, which in (
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
                names = ["plan", "one", "two"] if which else []
                self.assertEqual([name for name in ran if "/" not in name], names)
                given = {words["presets"] for words in self.player.given.values()}
                self.assertEqual(given, {f"--plan {which}"} if which else set())
                self.assertEqual([name for name in ran if re.search("upload|smoke", name)], [])
