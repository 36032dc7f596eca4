# SPDX-License-Identifier: BSD-3-Clause
"""Plays a workflow of GitHub on this machine: expands matrices, hands on outputs, and runs the `run:` steps of its jobs in
order, each job in a clone of the repository. Of `uses:` it does checkout, and up- and download of artifacts, with folders;
caches and attestations it leaves out. An expression that it does not know is an error.
https://docs.github.com/en/actions/reference/workflows-and-actions/expressions
"""

import collections
import glob
import hashlib
import itertools
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

import yaml

TOKEN = re.compile(r"\s*(?:'((?:[^']|'')*)'|([\w-]+(?:\.[\w*-]+)*)|(&&|\|\||==|!=|[(),\[\]]))")
WORDS = {"&&": " and ", "||": " or ", "true": "True", "false": "False", "null": "None"}
# Where a name that is not there is empty, as on GitHub; anywhere else it is a slip.
OPEN = "vars", "secrets", "github", "jobs"
LEFT_OUT = "actions/cache", "actions/cache/restore", "actions/cache/save", "actions/attest-build-provenance"
NONE = collections.defaultdict(str)  # outputs of what was not run


class Unknown(Exception):
    """What the player does not do, or a name that nothing has."""


def walk(path, contexts):
    first, *rest = path.split(".")
    if first not in contexts:
        raise Unknown(f"{path}: there is no {first} here")
    value = contexts[first]
    for number, part in enumerate(rest):
        if part == "*":
            return [walk("one." + ".".join(rest[number + 1 :]), {"one": one}) for one in value]
        if first not in OPEN and not isinstance(value, collections.defaultdict) and part not in value:
            raise Unknown(f"{path}: no {part} in {sorted(value)}")
        value = (value or {}).get(part, "") if first in OPEN else value[part]
    return value


def evaluate(text, contexts, functions):
    """The value of what stands in ${{ }}."""
    python, place = "", 0
    while place < len(text.rstrip()):
        token = TOKEN.match(text, place)
        if not token:
            raise Unknown(f"{text}: what is {text[place:]}")
        place = token.end()
        string, name, sign = token.groups()
        if string is not None:
            python += repr(string.replace("''", "'"))
        elif sign or name in WORDS:
            python += WORDS.get(sign or name, sign)
        elif name.isdigit():
            python += name
        elif text[place:].startswith("["):  # of a context
            python += f"collections.defaultdict(str, contexts[{name!r}])"
        elif text[place:].lstrip().startswith("("):
            if name not in functions:
                raise Unknown(f"{text}: there is no function {name}")
            python += f"functions[{name!r}]"
        else:
            python += f"walk({name!r}, contexts)"
    return eval(
        python.strip(), {"walk": walk, "collections": collections, "contexts": contexts, "functions": functions}
    )  # our own words alone


def text_of(value):
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


class Job:
    """A job, or one of those of a matrix."""

    def __init__(self, player, contexts, good=True):
        self.player, self.contexts, self.good, self.checkout = player, contexts, good, None
        self.functions = {
            "always": lambda: True,
            "startsWith": lambda text, start: (text or "").startswith(start),
            "contains": lambda whole, part: part in (whole or ()),
            "format": lambda text, *values: text.format(*values),
            "fromJSON": json.loads,
            "join": lambda values, between: between.join(values),
            "hashFiles": self.hash_files,
        }

    def hash_files(self, *patterns):
        files = [file for pattern in patterns for file in sorted(glob.glob(pattern, root_dir=self.checkout))]
        if not files:
            raise Unknown(f"hashFiles: no file is called {patterns}")
        return hashlib.sha256(b"".join((self.checkout / file).read_bytes() for file in files)).hexdigest()

    def fill(self, value):
        """A value of the workflow with its expressions evaluated."""
        if isinstance(value, dict):
            return {name: self.fill(one) for name, one in value.items()}
        if isinstance(value, list):
            return [self.fill(one) for one in value]
        if not isinstance(value, str):
            return value
        whole = re.fullmatch(r"\$\{\{(.*?)\}\}", value.strip(), re.S)
        if whole:
            return evaluate(whole[1], self.contexts, self.functions)
        one = re.compile(r"\$\{\{(.*?)\}\}", re.S)
        return one.sub(lambda part: text_of(evaluate(part[1], self.contexts, self.functions)), value)

    def runs(self, condition):
        """Whether an `if:` holds; one that does not ask how it went asks for success."""
        condition = re.sub(r"^\s*\$\{\{(.*)\}\}\s*$", r"\1", str(condition), flags=re.S)
        return (self.good or "always()" in condition) and bool(evaluate(condition, self.contexts, self.functions))

    def play(self, job, title):
        """The steps; its outputs."""
        environment, steps = self.fill(job.get("env", {})), {}
        self.contexts["steps"] = steps
        for number, step in enumerate(job["steps"]):
            if not self.runs(step.get("if", "true")):
                steps[step.get("id", number)] = {"outputs": NONE}
                continue
            name = step.get("name") or step.get("id") or step.get("uses") or step["run"]
            self.player.log.append(f"{title}: {name}")
            if "uses" in step:
                self.use(step["uses"].split("@")[0], self.fill(step.get("with", {})))
                continue
            output = self.player.folder / "output"
            output.write_text("")
            values = {key: text_of(one) for key, one in {**environment, **self.fill(step.get("env", {}))}.items()}
            code = self.player.shell(step["run"], self.checkout, {**values, "GITHUB_OUTPUT": str(output)})
            self.good = self.good and code == 0
            lines = output.read_text().splitlines()
            steps[step.get("id", number)] = {"outputs": dict(line.split("=", 1) for line in lines)}
        return (
            {name: text_of(self.fill(value)) for name, value in job.get("outputs", {}).items()} if self.good else NONE
        )

    def use(self, action, words):
        artifact = self.player.folder / "artifacts" / words.get("name", "")
        if action == "actions/checkout":
            self.checkout = self.player.clone(words.get("ref"))
        elif action == "actions/upload-artifact":
            place = self.checkout / words["path"]
            if words.get("overwrite"):
                shutil.rmtree(artifact, ignore_errors=True)
            artifact.mkdir(parents=True)  # a name is taken once
            shutil.copytree(place, artifact, dirs_exist_ok=True) if place.is_dir() else shutil.copy(place, artifact)
        elif action == "actions/download-artifact":
            shutil.copytree(artifact, self.checkout / words["path"], dirs_exist_ok=True)
        elif action not in LEFT_OUT:
            raise Unknown(f"uses: {action}")


class Player:
    """repository: what is cloned; folder: where its own is made, for clones and artifacts; stubs: {job: outputs} of jobs that are not run; only:
    {key: value} that a matrix's entries must have where they have that key; environment: of all steps."""

    def __init__(self, repository, folder, stubs=None, only=None, environment=None, **contexts):
        self.repository, self.stubs, self.only = repository, stubs or {}, only or {}
        self.folder = pathlib.Path(tempfile.mkdtemp(dir=folder))
        self.environment = {**os.environ, "GITHUB_ACTIONS": "true", **(environment or {})}
        self.contexts = {"github": {}, "vars": {}, "secrets": {}, "inputs": {}, **contexts}
        self.log, self.ran, self.given, self.clones = [], [], {}, 0

    def clone(self, commit):
        self.clones += 1
        place = self.folder / f"clone-{self.clones}"
        subprocess.run(["git", "clone", "--quiet", "--shared", self.repository, place], check=True)
        if commit:
            subprocess.run(["git", "-C", place, "checkout", "--quiet", "--detach", commit], check=True)
        return place

    def shell(self, script, folder, environment):
        return subprocess.run(
            ["bash", "-e", "-c", script], cwd=folder, env={**self.environment, **environment}
        ).returncode

    def entries(self, matrix):
        """The values of a matrix for each of its jobs."""
        some = matrix.get("include") or [dict(zip(matrix, values)) for values in itertools.product(*matrix.values())]
        return [one for one in some if all(one.get(key, value) == value for key, value in self.only.items())]

    def play(self, file, inputs=None, secrets=None, prefix=""):
        """(whether all jobs of a workflow went well, its outputs). `ran` gets their titles, `log` their steps, `given` the inputs of each
        workflow that was called."""
        workflow = yaml.safe_load((pathlib.Path(self.repository) / file).read_text())
        contexts = {**self.contexts, **({} if inputs is None else {"inputs": inputs, "secrets": secrets})}
        done = {}
        for name, job in workflow["jobs"].items():  # each stands behind those that it needs
            needs = [job["needs"]] if isinstance(job.get("needs"), str) else job.get("needs", [])
            ready = {**contexts, "needs": {need: done[need] for need in needs}}
            good = all(done[need]["result"] == "success" for need in needs)
            done[name] = {"result": "skipped", "outputs": NONE}
            outer = Job(self, ready, good)
            if not outer.runs(job.get("if", "true")):
                continue
            done[name]["result"] = "success"
            for entry in self.entries(outer.fill(job["strategy"]["matrix"])) if "strategy" in job else [{}]:
                one = Job(self, {**ready, "matrix": entry})
                title = prefix + (one.fill(job["name"]) if "name" in job else name)
                self.ran.append(title)
                one.fill(job.get("runs-on")), one.fill(job.get("container"))
                if name in self.stubs:
                    done[name]["outputs"] = self.stubs[name]
                elif "uses" in job:
                    words, kept = one.fill(job.get("with", {})), one.fill(job.get("secrets", {}))
                    self.given[title] = words
                    one.good, done[name]["outputs"] = self.play(job["uses"], words, kept, f"{title} / ")
                else:
                    done[name]["outputs"] = one.play(job, title)
                if not one.good:
                    done[name]["result"] = "failure"
        called = workflow[True].get("workflow_call", {}) if True in workflow else {}  # `on` is true in YAML
        of_jobs = Job(self, {"jobs": done})
        outputs = {name: of_jobs.fill(one["value"]) for name, one in called.get("outputs", {}).items()}
        return all(one["result"] != "failure" for one in done.values()), outputs
