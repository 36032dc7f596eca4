# SPDX-License-Identifier: BSD-3-Clause
"""torchpkg is compiled once for all build folders of a checkout, as packages are: nothing of the caller's environment
takes part. A project with a script in the compiler's place."""

import os
import shutil
import sys

from box import ROOT, BoxTest

START = "cmake_minimum_required(VERSION 3.25)\nproject(p LANGUAGES NONE)\n"
PROJECT = f"""{START}
set(CMAKE_CXX_COMPILER /a/compiler)
set(TSB_ADDITIONS "$ENV{{ADDITIONS}}")
set(TSB_CODEGEN_PYTHON "{sys.executable}")
include(cmake/settings/tsb_settings.cmake)
include(packaging/cmake/tsb_add_torchpkg.cmake)
tsb_write_settings()
tsb_add_torchpkg()
"""
TORCHPKG = f"""{START}
file(APPEND "${{CMAKE_BINARY_DIR}}/configured" "${{CMAKE_CXX_COMPILER}} ${{TSB_ADDITIONS}}\n")
add_custom_command(OUTPUT torchpkg COMMAND sh "${{CMAKE_SOURCE_DIR}}/compile.sh" DEPENDS compile.sh)
add_custom_target(it ALL DEPENDS torchpkg)
"""
COMPILE = "env >environment; echo once >>compiled; sleep 2; echo made >torchpkg\n"
FROM_CALLER = {name: "/evil" for name in ("CMAKE_PREFIX_PATH", "CPATH", "CXXFLAGS", "LD_LIBRARY_PATH")}


class TorchpkgOnce(BoxTest):
    def setUp(self):
        super().setUp()
        self.environment(ADDITIONS=None, TSB_JOBS=None, TSB_OFFLINE=None)
        self.write("CMakeLists.txt", PROJECT)
        self.write("packaging/torchpkg/CMakeLists.txt", TORCHPKG)
        self.write("packaging/torchpkg/compile.sh", COMPILE)
        for name in ("cmake", "engine"):
            (self.box / name).symlink_to(ROOT / name)
        for name in ("build_torchpkg.cmake", "cmake/tsb_add_torchpkg.cmake"):
            shutil.copy(ROOT / "packaging" / name, self.write(f"packaging/{name}"))

    def build(self, ends, *names, says=()):
        """In build folders of these names, at once."""
        for name in names:
            self.run_program(0, "cmake", "-G", "Ninja", "-S", self.box, "-B", self.box / name)
        command = 'for name; do cmake --build "$name" --target torchpkg & done; wait $!'
        self.run_program(ends, "sh", "-c", command, "sh", *names, says=says, cwd=self.box)

    def made(self, name):
        """The content of these files in torchpkg's folders."""
        return sorted(file.read_text() for file in (self.box / "build/torchpkg").glob(f"*/{name}"))

    def test_once(self):
        self.environment(**FROM_CALLER, HOME=str(self.box), PATH=f"/evil:{os.environ['PATH']}")
        self.build(0, "one", "two")
        self.build(0, "three")
        self.assertEqual(self.made("configured"), ["/a/compiler \n"])
        self.assertEqual(self.made("compiled"), ["once\n"])
        [environment] = self.made("environment")
        self.assertIn(f"HOME={self.box}\n", environment)
        self.assertNotIn("/evil", environment + self.made("CMakeCache.txt")[0])

        self.write("packaging/torchpkg/compile.sh", COMPILE + "# a change\n")
        self.build(0, "two")
        self.assertEqual(self.made("compiled"), ["once\nonce\n"])
        self.environment(ADDITIONS="/some additions")
        self.build(0, "two")
        self.assertEqual(self.made("configured"), ["/a/compiler \n", "/a/compiler /some additions\n"])

    def test_errors(self):
        failed = "error: torchpkg: the {} phase failed ./bootstrap.sh --install-only installs what it needs".format
        self.write("packaging/torchpkg/CMakeLists.txt", START + 'message(FATAL_ERROR "there is no CLI11")\n')
        for _ in range(2):
            self.build(1, "one", says=["there is no CLI11", failed("configure")])
        self.write("packaging/torchpkg/CMakeLists.txt", TORCHPKG)
        self.write("packaging/torchpkg/compile.sh", "echo x.cpp: error: no; false\n")
        self.build(1, "one", says=["torchpkg build failed (exit 1)", "x.cpp: error: no", failed("build")])
