# SPDX-License-Identifier: BSD-3-Clause
"""Everything that is wrong with a declaration, or with several together, is named when the superbuild is configured."""

from box import ROOT, BoxTest

PROJECT = """\
cmake_minimum_required(VERSION 3.25)
project(superbuild LANGUAGES NONE)
foreach(name IN ITEMS tsb_declare_package tsb_declare_feature tsb_activate_packages)
  include("${root}/cmake/package/${name}.cmake")
endforeach()
set(TSB_PINS_FILE "${CMAKE_SOURCE_DIR}/sources.json")
include(declarations.cmake)
"""
PINS = {"schema": 1, "sources": {"a": {"patches": [{"file": "gone.patch"}], "candidates": []}}}
STAGE_SCRIPTS = "BUILD_SYSTEM make and none, and NO_INSTALL, need STAGE_SCRIPTS"
# Arguments of the package a, which has a DESCRIPTION: the message about it.
ARGUMENTS = {
    "COLOUR red": "unknown arguments: COLOUR;red",
    "OPTIONS A=1 WITH_X": "'WITH_X' is not of the form NAME=VALUE",
    "OPTIONS =ON": "'=ON' is not of the form NAME=VALUE",
    "ENVIRONMENT PATH_OF_X": "'PATH_OF_X' is not of the form NAME=VALUE",
    "BUILD_SYSTEM meson": "BUILD_SYSTEM is 'meson'; it must be cmake, make or none",
    "BUILD_SYSTEM none": STAGE_SCRIPTS,
    "BUILD_SYSTEM make": STAGE_SCRIPTS,
    'INCLUDE "${TSB_PINS_FILE}" /no/such.cmake': "there is no file '/no/such.cmake'; give its whole path",
    "STAGE_SCRIPTS such.cmake": "there is no file 'such.cmake'; give its whole path",
    'MACHINE "x.json"': "MACHINE needs BUILD_SYSTEM none",
    'BUILD_SYSTEM none STAGE_SCRIPTS "${TSB_PINS_FILE}" MACHINE "x.json"': "MACHINE is 'x.json'; it must be a file that exists",
    'HEAVY_SOURCES "[.]cu$"': "HEAVY_SOURCES needs HEAVY_MEMORY_PER_JOB_MB",
    'MEMORY_PER_JOB_MB "1 GB"': "MEMORY_PER_JOB_MB is '1 GB'; it must be a number of MB",
}
# Commands, without tsb_ and one a line: the message about them.
DECLARATIONS = {
    "declare_package(A_b DESCRIPTION A)": "package 'A_b': a name consists of lower-case letters, digits and '-'",
    "declare_package(a SOURCE a)": "package a: DESCRIPTION is missing",
    "declare_package(a DESCRIPTION A)\ndeclare_package(a DESCRIPTION A)": (
        "package a is declared twice; each package has one file in superbuild/"
    ),
    "declare_package(a DESCRIPTION A)\ndeclare_feature(b X OPTION USE_X)": (
        "feature X: there is no package 'b'; declared are: a"
    ),
    "declare_package(a DESCRIPTION A)\ndeclare_feature(a X OPTION USE_X)\ndeclare_feature(a X OPTION USE_Y)": (
        "feature X of a is declared twice"
    ),
    "declare_package(a DESCRIPTION A)\ndeclare_feature(a X SOURCES x)": "feature X of a: OPTION is missing",
    "declare_package(a DESCRIPTION A)\ndeclare_feature(a X OPTION USE_X PACKAGES b)\nactivate_packages(a)": (
        "feature X of a needs package b, on which nothing depends: add it to"
    ),
    "declare_package(a DESCRIPTION A)\ndeclare_feature(a X OPTION USE_X WHEN later)": (
        "feature X: unknown arguments: WHEN;later"
    ),
    "declare_package(a DESCRIPTION A)\nactivate_packages(b)": "there is no package 'b' there are: a",
    "declare_package(a DESCRIPTION A DEPENDS nothing)\nactivate_packages(a)": (
        "package a depends on 'nothing', which nothing in superbuild/ declares"
    ),
    "declare_package(a DESCRIPTION A DEPENDS b)\ndeclare_package(b DESCRIPTION B DEPENDS c)\n"
    "declare_package(c DESCRIPTION C DEPENDS a)\nactivate_packages(a)": (
        "packages depend on each other in a circle: a -> b -> c -> a"
    ),
    "declare_package(a DESCRIPTION A SYSTEM Threads LICENCE_FILES LICENSE)\nactivate_packages(a)": (
        "package a: SYSTEM has 'LICENCE_FILES'. Did you mean LICENSE_FILES?"
    ),
    "declare_package(a DESCRIPTION A PROVIDES CUDA CUDNN NCCL CUSPARSELT DEPEND b)\nactivate_packages(a)": (
        "package a: PROVIDES has 'DEPEND'. Did you mean DEPENDS?"
    ),
    "declare_package(a DESCRIPTION A SOURCE z)\nactivate_packages(a)": (
        "package a: its source 'z' has no pin in {box}/sources.json"
    ),
    "declare_package(a DESCRIPTION A SOURCE a)\nactivate_packages(a)": (
        "source a: there is no patch {box}/patches/gone.patch put it there, or correct 'file' in {box}/sources.json"
    ),
}


class DeclareErrors(BoxTest):
    def refused(self, declarations, says):
        self.write("CMakeLists.txt", PROJECT)
        self.write("sources.json", PINS)
        self.write("declarations.cmake", declarations)
        words = "-GNinja", "-S", self.box, "-B", self.box / "build", f"-Droot={ROOT}"
        with self.subTest(declarations):
            self.run_program(1, "cmake", *words, says=[says.format(box=self.box)])

    def test_a_package(self):
        for arguments, says in ARGUMENTS.items():
            self.refused(f"tsb_declare_package(a DESCRIPTION A {arguments})", f"package a: {says}")

    def test_several(self):
        for commands, says in DECLARATIONS.items():
            self.refused("".join(f"tsb_{command}\n" for command in commands.split("\n")), says)

    def test_one_that_an_addition_replaces(self):
        self.write("superbuild/a.cmake")
        self.write("mine/superbuild/a.cmake", 'message(FATAL_ERROR "mine")')
        commands = (
            "set(TSB_SUPERBUILD_DIR ${CMAKE_SOURCE_DIR}/superbuild)\nset(TSB_ADDITIONS ${CMAKE_SOURCE_DIR}/mine)\n"
        )
        commands += "include(${root}/cmake/package/tsb_find_declarations.cmake)\ntsb_find_declarations(files)\n"
        says = "{box}/mine/superbuild/a.cmake is taken instead of {box}/superbuild/a.cmake"
        self.refused(commands + 'include("${files}")', says)
        self.assertNotIn(f"{ROOT}/superbuild", self.text)  # TSB_SUPERBUILD_DIR is read instead

    def test_no_pins(self):
        commands = "set(TSB_PINS_FILE /no/pins.json)\ntsb_declare_package(a DESCRIPTION A SOURCE a)\n"
        says = "there are no pins /no/pins.json; TSB_PINS_FILE or the release is wrong"
        self.refused(commands + "tsb_activate_packages(a)", says)
