# SPDX-License-Identifier: BSD-3-Clause
"""The table of dependencies: it is what the data says, a channel and an index are asked."""

import sys

from box import ROOT, make_wheel

import dependency_versions
from tools_fixture import TOOLS, ToolsTest

from engine.failure import Failure

PROGRAM = ROOT / "tools/dependency_versions/dependency_versions.py"


class Table(ToolsTest):
    def run_it(self, ends, *words, says=()):
        self.run_program(
            ends, sys.executable, "-B", ROOT / "engine", PROGRAM, "--output", self.box / "table.md", *words, says=says
        )

    def row(self, name, version="2.6.0"):
        text = (self.box / "table.md").read_text()
        lines = text.partition(f"\n## {version}\n")[2].partition("\n## ")[0].splitlines()
        return next(line.strip("| ").split(" | ") for line in lines if line.startswith(f"| {name} |"))

    def test_is_what_the_data_says(self):
        self.run_program(0, sys.executable, "-B", ROOT / "engine", PROGRAM, "--check")

    def test_a_channel(self):
        """The newest in conda's order, of both platforms; what it said stays in the table."""
        for platform, name, versions in (
            ("linux-64", "libmagma", ["2.9.0", "2.10.0rc1", "2.8.0"]),
            ("noarch", "networkx", ["3.9", "3.10"]),
        ):
            packages = {
                f"{name}-{version}-0.conda": {
                    **{"name": name, "version": version, "build": "0", "build_number": 0, "depends": []},
                    **{"subdir": platform, "sha256": "0" * 64, "md5": "0" * 32, "size": 1},
                }
                for version in versions
            }
            content = {"info": {"subdir": platform}, "packages": {}, "packages.conda": packages}
            self.write(f"channel/{platform}/repodata.json", content)
        self.environment(HOME=str(self.box), XDG_CACHE_HOME=str(self.box / "cache"))
        channel = f"file://{self.box}/channel"
        self.run_it(0, "--channel", channel, "--tools", TOOLS, "--release", "2.6.0")
        magma = ["magma", "2.6.1", ".ci/docker/common/install_magma.sh", "2.9.0", "sources.json: magma", "2.10.0rc1"]
        self.assertEqual(self.row("magma"), magma)
        self.assertEqual([self.row(name)[5] for name in ("networkx", "numpy")], ["3.10", "–"])
        self.assertEqual(self.row("package"), ["package", "upstream", "from", "here", "from", "conda"])
        self.assertEqual(self.row("package", "2.15.0"), ["package", "upstream", "from", "here", "from"])
        self.run_it(0)
        self.assertEqual(self.row("magma"), magma)
        self.run_it(0, "--check")
        gone = f"file://{self.box}/gone"
        self.run_it(3, "--channel", gone, "--tools", TOOLS, says=["the channel cannot be read: ", "name another one"])
        self.write("none/rattler.py", "raise ImportError")
        none = self.box / "none"
        self.run_it(3, "--channel", gone, "--tools", none, says=["there is no py-rattler name a folder that has it"])
        table = self.box / "table.md"
        table.write_text(table.read_text().replace("| 2.6.1 |", "| 2.6.2 |"))
        self.run_it(1, "--check", says=["is not what the data says: run tools/dependency_versions"])

    def test_an_index(self):
        name = "torch-2.6.0-cp312-cp312-manylinux1_x86_64.whl"
        more = "Requires-Dist: sympy (==1.13.1)\n"
        more += 'Requires-Dist: nvidia-nccl-cu12==2.21.5 ; platform_system == "Linux"\n'
        more += "Provides-Extra: optree\nRequires-Dist: optree ; extra == 'optree'\n"
        for python in ("cp312-cp312", "cp313-cp313"):
            make_wheel(self.box / "wheels" / name.replace("cp312-cp312", python), {}, more)
        self.environment(PIP_NO_INDEX="1", PIP_FIND_LINKS=(self.box / "wheels").as_uri())
        facts = dependency_versions.ask_pip("2.6.0")
        self.assertEqual((facts["wheel"], len(facts["requires_dist"])), (name, 2))
        found = [dependency_versions.upstream_of(name, {}, facts, {}) for name in ("sympy", "nccl", "jinja2")]
        with self.assertRaisesRegex(Failure, "pip does not find METADATA of torch 2.6.1"):
            dependency_versions.ask_pip("2.6.1")
        self.assertEqual(found, [("==1.13.1", "wheel"), ("==2.21.5", "wheel"), ("–", "")])
