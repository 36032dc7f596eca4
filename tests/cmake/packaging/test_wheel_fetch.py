# SPDX-License-Identifier: BSD-3-Clause
"""What is fetched for the check of a wheel is what that installs."""

import pathlib
import re
from unittest import mock

from box import ROOT, BoxTest, make_wheel, sha256

import fetch_wheels

PROJECT = """\
cmake_minimum_required(VERSION 3.25)
project(p NONE)
add_custom_target(fetch)
set(TSB_ADDITIONS "{box}/more")
set(release_folder 2.12.0)
set(backend_folder {backend})
set(artifact_rows_a_product wheel)
set(artifact_rows_a_python 3.12)
include("{root}/packaging/cmake/z_tsb_add_wheel_fetch.cmake")
z_tsb_add_wheel_fetch(a)
"""


class Inputs(BoxTest):
    def test_modules(self):
        """The check is done again when a module of the engine changes that it imports."""
        step = (ROOT / "packaging/steps/consumer.cmake").read_text()
        files, found = [*ROOT.glob("packaging/consumer_check/*.py")], set()
        while files:
            for module, names in re.findall(r"(?m)^ *from (engine[\w.]*) import (.*)", files.pop().read_text()):
                place = module.replace(".", "/")
                paths = {f"{place}.py", *(f"{place}/{name}.py" for name in names.split(", "))} - found
                files += [ROOT / path for path in paths if (ROOT / path).exists()]
                found |= {path for path in paths if (ROOT / path).exists()}
        self.assertIn("engine/model/inherit.py", found)
        self.assertEqual([path for path in found if f"../{path}" not in step], [])
        self.assertIn('"${TSB_BUILD_FOLDER}/pins/sources.json"', step)


class WheelFetch(BoxTest):
    def test_files(self):
        """The first folder of the release, as in the check; and what releases have in common, where it has not all."""
        own = self.write("more/releases/2.12.0/wheel_check/requirements.txt", "")
        common = ROOT / "backends/cpu/wheel_check.txt"
        of_backend = self.write("more/backends/official-cuda/wheel_check.txt", "")
        beside = own.with_name("beside.txt")
        for backend, files in (
            ("official-cuda", [own, of_backend, common]),
            ("cpu", [own, common]),
            ("cpu", [own, beside]),
        ):
            if beside in files:
                self.write(beside, "")
            self.write("CMakeLists.txt", PROJECT.format(box=self.box, root=ROOT, backend=backend))
            self.run_program(0, "cmake", "-S", self.box, "-B", self.box / "build", "-G", "Ninja")
            text = (self.box / "build/build.ninja").read_text()
            checks = {found.replace("$", "") for found in re.findall('-DTSB_CHECKS=([^"]*)" -P', text)}
            self.assertEqual(checks, {";".join(f"3.12={file}" for file in files)})

    def test_settings_of_the_users_own_installations(self):
        wheel = make_wheel(self.box / "cache/a-1-py3-none-any.whl", {"a.py": ""})
        tools = self.write("tools.txt", f"a==1 --hash=sha256:{sha256(wheel)}\n")
        self.environment(PIP_REQUIRE_VIRTUALENV="1", PIP_CONSTRAINT="/gone", PIP_ROOT=str(self.box / "root"))
        words = "--cache", wheel.parent, "--target", self.box / "t", "--tools", tools, "--offline"
        self.run_python(0, "packaging/libraries/fetch_wheels.py", *words)
        self.assertIn("a.py", self.files("t"))

    def test_one_version_of_each(self):
        own, common = (
            self.write(name, "".join(f"{pin} \\\n    --hash=sha256:{'1' * 64}\n" for pin in pins))
            for name, pins in (("own.txt", ["a==1"]), ("common.txt", ["a==2", "b==2"]))
        )
        asked = []

        def pip(*words):
            asked.append(re.findall("(?m)^[^ ]+", pathlib.Path(words[words.index("--requirement") + 1]).read_text()))
            pathlib.Path(words[words.index("--dest") + 1]).mkdir()

        words = ["", "--cache", self.box / "cache", "--target", self.box / "t", "--tools", self.write("tools.txt", "")]
        words += [f"--check={check}" for check in (f"3.11={common}", f"3.12={own}", f"3.12={common}")]
        patches = {"pip": pip, "unpack": lambda *words: ""}
        with mock.patch.multiple(fetch_wheels, **patches), mock.patch("sys.argv", [*map(str, words)]):
            fetch_wheels.main()
        self.assertEqual(asked, [[], ["a==2", "b==2"], ["a==1"], ["b==2"]])
