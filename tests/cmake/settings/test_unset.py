# SPDX-License-Identifier: BSD-3-Clause
"""`cmake --build` configures again by itself, perhaps in another environment than the one that the folder was configured
in. What is no longer set is named; its value is kept nowhere. So is what nothing reads."""

from box import ROOT, BoxTest

SCRIPT = """\
cmake_minimum_required(VERSION 3.25)
set(TSB_PRESET mine)
set(TSB_BACKEND cpu)
set(TSB_ARTIFACTS libtorch-shared-with-deps)
include("{root}/cmake/settings/tsb_check_settings.cmake")
tsb_check_settings(RESULT_ERROR error)
if(error)
  message(FATAL_ERROR "${{error}}")
endif()
"""


class Unset(BoxTest):
    def configure(self, says=(), lacks=(), **environment):
        names = "TSB_LOCAL_demo TSB_SOURCE_MIRROR TSB_JOBS TSB_JOB TSB_BLAS TSB_LOCAL_other TSB_PYTHON_311"
        self.environment(**{**dict.fromkeys(names.split()), **environment})
        script = self.write("run.cmake", SCRIPT.format(root=ROOT))
        self.run_program(0, "cmake", "-P", script, says=says, cwd=self.box)
        for part in lacks:
            self.assertNotIn(part, self.text)

    def test_unset(self):
        first = {"TSB_LOCAL_demo": "/a b", "TSB_SOURCE_MIRROR": "https://me:secret@mirror", "TSB_JOBS": "2"}
        for _ in "first time", "the same":
            self.configure(lacks=["TSB_"], **first)
        says = "TSB_LOCAL_demo was set when this folder was configured before, and is not set now: its default is used"
        lacks = "TSB_JOBS was set", "TSB_SOURCE_MIRROR was set"  # it changes no result; it is still set
        self.configure([says], lacks, TSB_SOURCE_MIRROR="other")
        self.assertNotIn("secret", (self.box / "settings.txt").read_text())
        self.configure(lacks=["TSB_LOCAL_demo"], TSB_SOURCE_MIRROR="other")

    def test_nothing_reads_it(self):
        self.configure(
            [
                "TSB_JOB in the environment has no effect: docs/sources.md does not list it",
                "TSB_BLAS in the environment has no effect: presets set it, or -D",
            ],
            ["TSB_LOCAL_other in", "TSB_PYTHON_311 in"],
            TSB_JOB="2",
            TSB_BLAS="openblas",
            TSB_LOCAL_other="/x",
            TSB_PYTHON_311="/x",
        )
