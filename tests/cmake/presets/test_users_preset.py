# SPDX-License-Identifier: BSD-3-Clause
"""A preset of CMakeUserPresets.json."""

import shutil
import sys

from box import ROOT, BoxTest


class UsersPreset(BoxTest):
    def test_the_doctor(self):
        """It gets what the preset sets, as CMake would, with passwords in the environment alone."""
        mine = {"name": "mine", "inherits": "cpu-develop", "environment": {"TSB_SOURCE_MIRROR": "https://a:b@mirror"}}
        mine["cacheVariables"] = {"TSB_LOCAL_pytorch": "${sourceParentDir}/pytorch", "CMAKE_CXX_COMPILER": "g++-14"}
        steps = {"name": "mine", "steps": [{"type": "configure", "name": "mine"}]}
        users = {"version": 6, "configurePresets": [mine], "workflowPresets": [steps]}
        project = self.box / "a project"
        for folder in ("engine", "presets"):
            shutil.copytree(ROOT / folder, project / folder)
        shutil.copy(ROOT / "CMakePresets.json", project)
        self.write(project / "CMakeUserPresets.json", users)
        self.run_program(0, sys.executable, "-I", "-B", project / "engine", "words", "doctor", "mine")
        exported, asked = self.text.splitlines()[0], self.text.splitlines()[-1]
        self.assertEqual(exported, "export TSB_SOURCE_MIRROR=https://a:b@mirror")
        for word in (
            "-DTSB_PACKAGES=pytorch-develop",
            f"-DTSB_LOCAL_pytorch={project.resolve().parent}/pytorch",
            "-DCMAKE_CXX_COMPILER=g++-14",
            "-DTSB_PRESET=mine",
        ):
            self.assertIn(word, asked)
        self.assertNotIn("mirror", asked)
