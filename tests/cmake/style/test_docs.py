# SPDX-License-Identifier: BSD-3-Clause
"""Outside tables no line of the docs is longer than 160 characters. What they name exists: the targets of links, files,
presets, settings, and options of the project's scripts."""

import json
import re
import subprocess

from box import ROOT, BoxTest, need

# What a build makes, docs/adding-a-package.md has its reader make, and the release that somebody adds next.
MADE_BY_READER = re.compile(r"^(build|dist|\.\.)/|greet|hello|releases/2\.16\.0|my-")
PRESET = r"(?:cpu|cu\d+|rocm[\d.]+|official-\w+|aarch64)-(?:libtorch|wheel|conda|all)[a-z0-9-]*"
# The files of other projects.
OTHERS = {
    "cmake/CheckAbi.cmake",
    "cmake/Modules/FindARM.cmake",
    "cmake/prebuild.cmake",
    "tools/amd_build/build_amd.py",
}
OPEN = re.compile(r"<[^>]*>|…|\*|\.\.\.")  # stands for any text


def slug(heading):
    """The anchor that GitHub gives a heading."""
    return re.sub(r"[^\w\- ]", "", re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower()).strip().replace(" ", "-")


class Project:
    def __init__(self, root):
        self.root = root
        listed = subprocess.run(
            ["git", "-c", "safe.directory=*", "ls-files", "--cached", "--others", "--exclude-standard"],
            cwd=root,
            capture_output=True,
            text=True,
        ).stdout.splitlines()
        self.files = [file for file in listed if (root / file).is_file()]
        self.top = {file.split("/")[0] for file in self.files if "/" in file}
        self.docs = [
            file for file in self.files if file.endswith(".md") and not file.startswith("tests/fixtures/fbgemm")
        ]
        text = [(root / file).read_bytes().decode(errors="replace") for file in self.files if not file.endswith(".md")]
        self.settings = set(re.findall(r"\bTSB_\w*[A-Z]\w*", "\n".join(text)))
        self.presets = set()
        for file in self.files:
            if re.fullmatch(r"presets/.*\.json|CMakePresets\.json|docs/CMakeUserPresets.*", file):
                data = json.loads((root / file).read_text())
                self.presets |= {
                    preset["name"]
                    for kind in data.values()
                    if isinstance(kind, list)
                    for preset in kind
                    if isinstance(preset, dict)
                }

    def is_setting(self, name):
        """TSB_LOCAL_x is one where TSB_LOCAL_ is known, and TSB_LOCAL_ one where TSB_LOCAL_x is."""
        return any(
            name == known
            or (name.startswith(known) if known[-1] == "_" else name[-1] == "_" and known.startswith(name))
            for known in self.settings
        )

    def has(self, path, doc):
        path = OPEN.sub("*", path).rstrip("/.")
        return path in OTHERS or any(
            any(folder.glob(path + end)) for end in ("", ".*") for folder in (self.root, (self.root / doc).parent)
        )

    def anchors(self, file):
        text = re.sub(r"```.*?```", "", (self.root / file).read_text(), flags=re.DOTALL)
        return {slug(heading) for heading in re.findall(r"^#+ (.*)$", text, re.MULTILINE)}

    def wrong_links(self, doc, text):
        for target in re.findall(r"\]\(([^)\s]+)\)", text):
            if re.match(r"[a-z]+:", target):
                continue
            path, _, anchor = target.partition("#")
            file = (self.root / doc).parent / path if path else self.root / doc
            if not file.exists():
                yield target
            elif anchor and anchor not in self.anchors(file):
                yield target

    def wrong_words(self, doc, code):
        """The paths, presets and options that a piece of code names."""
        for path in re.findall(r"(?<![\w/.:>}~@-])[\w.-]+/[^\s`'\"|,;:()=\[\]]+", code):
            path = path.removeprefix("./")
            first = path.split("/")[0]
            if (
                (first in self.top or ((self.root / doc).parent / first).is_dir())
                and not MADE_BY_READER.search(path)
                and not self.has(path.split("#")[0], doc)
            ):
                yield path
        words = [*re.findall(r"--preset[ =]([\w.-]+)(?![\w.<…*-])", code)]
        words += re.findall(rf"(?<![\w/.…-]){PRESET}(?![\w.<…*/-])", code)
        for word in words:
            if word not in self.presets and not MADE_BY_READER.search(word):
                yield word
        for script, rest in re.findall(r"([\w./-]+\.(?:py|sh))\b((?:[^\n]|\\\n)*)", code):
            if script.removeprefix("./") in self.files:
                for option in re.findall(r"(?<= )--[a-z][\w-]*", rest):
                    if option not in self.text_of(script.removeprefix("./")):
                        yield f"{script} {option}"

    def text_of(self, script):
        """A script's own and that of what it starts."""
        folders = ("bootstrap.sh", "tools/bootstrap_help", "operations/")
        files = [file for file in self.files if script == "bootstrap.sh" and file.startswith(folders)]
        return "".join(
            (self.root / file).read_text() for file in [script, *files] if file.endswith((".py", ".sh", ".txt"))
        )

    def wrong(self):
        """'<file>: <what is named and does not exist>'."""
        for doc in self.docs:
            text = (self.root / doc).read_text()
            found = [*self.wrong_links(doc, re.sub(r"```.*?```|`[^`\n]*`", "", text, flags=re.DOTALL))]
            for code in re.findall(r"```.*?```|(?<!`)`[^`]+`(?!`)|^    .*$", text, re.DOTALL | re.MULTILINE):
                found += self.wrong_words(doc, code)
            found += [name for name in re.findall(r"\bTSB_\w+", text) if not self.is_setting(name)]
            found += [line for line in text.splitlines() if len(line) > 160 and not line.startswith("|")]
            yield from (f"{doc}: {name}" for name in found)
        for file in self.files:
            if not file.startswith("tests/") and not file.endswith(".md"):
                text = (self.root / file).read_bytes().decode(errors="replace")
                for path, anchor in re.findall(r"(?<![\w/])(docs/[\w.-]+\.md)#?([\w-]*)", text):
                    if not self.has(path, file) or (anchor and anchor not in self.anchors(path)):
                        yield f"{file}: {path}#{anchor}"


class Docs(BoxTest):
    def setUp(self):
        super().setUp()
        need("git")

    def test_project(self):
        if not (ROOT / ".git").exists():
            self.skipTest("without git nobody knows which files are the project's")
        self.assertEqual([], [*Project(ROOT).wrong()])

    def test_finds(self):
        """Each kind of fault, beside what is right."""
        self.write("README.md", "## A head\n[a](tools/a.py) [b](#a-head) [c](https://x/y)\n`cmake --preset cpu-all`\n")
        self.write("CMakePresets.json", {"configurePresets": [{"name": "cpu-all"}]})
        self.write("tools/a.py", "'--good', TSB_A, TSB_B_, docs/a.md")
        self.write(
            "docs/a.md",
            "[a](../README.md#a-head) `tools/a.py` `tools/*.py` `TSB_A` `TSB_B_x` `cpu-<name>` `cpu-libtorch-…`\n",
        )
        self.run_program(0, "git", "init", "-q", self.box)
        self.assertEqual([], [*Project(self.box).wrong()])
        lines = [
            "[a](b.md)",
            "[a](../README.md#b)",
            "`tools/b.py`",
            "`TSB_C`",
            "`cmake --preset other`",
            "`cpu-libtorch-x`",
        ]
        lines += ["```sh\ntools/a.py x --bad\n```"]
        lines += ["", "a " * 81]
        self.write("b.sh", "docs/b.md docs/a.md#c")
        self.write("docs/a.md", "\n".join(lines))
        names = [
            "b.md",
            "../README.md#b",
            "tools/b.py",
            "other",
            "cpu-libtorch-x",
            "tools/a.py --bad",
            "TSB_C",
            "a " * 81,
        ]
        names = [f"docs/a.md: {name}" for name in names] + ["b.sh: docs/b.md#", "b.sh: docs/a.md#c"]
        self.assertEqual(names, [*Project(self.box).wrong()])
