# SPDX-License-Identifier: BSD-3-Clause
"""What the scripts of a build read: what settings.json has, and TSB_JOBS and TSB_OFFLINE of their own environment unless -D
gave them. The programs that they start get the same."""

from box import ROOT, BoxTest

SCRIPT = f"""\
cmake_minimum_required(VERSION 3.25)
include("{ROOT}/cmake/settings/z_tsb_use_settings.cmake")
z_tsb_use_settings("${{CMAKE_CURRENT_LIST_DIR}}")
message("[${{NAME}}] [$ENV{{NAME}}]")
"""
# (name, in settings.json, in the environment, value)
ROWS = [
    ("TSB_ADDITIONS", "/a", "/b", "/a"),
    ("TSB_CONDA_CHANNEL", "", "https://other", ""),
    ("TSB_JOBS", "3", "2", "3"),
    ("TSB_JOBS", "", "2", "2"),
    ("TSB_OFFLINE", "off", "1", "OFF"),
    ("TSB_OFFLINE", "", "1", "ON"),
    ("TSB_OFFLINE", "", "", ""),
]


class Steps(BoxTest):
    def run_step(self, ends, name, given, environment, says):
        self.write("settings.json", {name: given})
        self.environment(**{name: environment})
        script = self.write("step.cmake", SCRIPT.replace("NAME", name))
        self.run_program(ends, "cmake", "-P", script, says=[says])

    def test_values(self):
        for name, given, environment, value in ROWS:
            with self.subTest(name=name, given=given, environment=environment):
                self.run_step(0, name, given, environment, f"[{value}] [{value}]")

    def test_faults(self):
        self.run_step(
            1, "TSB_JOBS", "", "many", "TSB_JOBS is 'many': set it to a positive integer up to 9999, or unset it"
        )
        self.environment(TSB_JOBS=None)
        self.run_step(1, "TSB_OFFLINE", "", "yep", "TSB_OFFLINE is 'yep': set it to ON or OFF, or unset it")
