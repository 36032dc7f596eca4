# SPDX-License-Identifier: BSD-3-Clause
"""Settings in one script of CMake: a row for each, given in the environment or as -D."""

import os

from box import ROOT, BoxTest, flat

# All rows in one script: each in a function of its own.
SCRIPT = f"""\
cmake_minimum_required(VERSION 3.25)
set(CMAKE_BINARY_DIR "{{box}}/build")
include("{ROOT}/cmake/settings/tsb_settings.cmake")
foreach(name IN ITEMS TSB_BACKEND TSB_BLAS TSB_PYTORCH_VERSION)
  set(${{{{name}}}} "" CACHE STRING "")
endforeach()
"""
ROW = """\
function(row)
  set(TSB_BACKEND {backend})
  set(TSB_ARTIFACTS libtorch-static-with-deps)
  set(TSB_DEFAULT_PYTORCH_VERSION {release})
  {set}
  tsb_read_settings(RESULT_ERROR faults)
  tsb_settings(error)
  message("row [${{{name}}}]\n${{faults}}${{error}}")
  {unset}
endfunction()
row()
"""


def fill(name, set_it, unset, backend=None):
    if not backend:
        kind = name.removeprefix("TSB_").partition("_")[0]
        backend = ({"CUDA": "cu124", "CUDNN": "cu124", "MAGMA": "cu124", "ROCM": "rocm6.2"}.get(kind, "cpu"), "2.6.0")
    return ROW.format(name=name, set=set_it, unset=unset, backend=backend[0], release=backend[1])


def in_environment(name, text, backend=None):
    unset = f'set(ENV{{{name}}} "{os.environ.get(name, "")}")'
    return fill(name, f"set(ENV{{{name}}} [==[{text}]==])", unset, backend)


def as_option(name, text, backend=None):
    unset = f"unset({name} CACHE)\n  unset({name})"
    return fill(name, f"{unset}\n  set({name} [==[{text}]==] CACHE STRING x)", unset, backend)


class SettingsTest(BoxTest):
    def setUp(self):
        super().setUp()
        unset = [name for name in os.environ if name.startswith("TSB_")]
        self.environment(**dict.fromkeys(unset), XDG_CACHE_HOME=None, HOME=str(self.box))
        self.write("a source/file")
        self.write("older/CMakeLists.txt", "cmake_minimum_required(VERSION 3.18)\n")
        self.write("older/version.txt", "2.5.0\n")
        self.write("new/CMakeLists.txt", "cmake_minimum_required(VERSION 99.1)\n")
        for name in "build", "empty":
            (self.box / name).mkdir()

    def read(self, rows):
        """The value and the messages of each."""
        script = self.write("run.cmake", SCRIPT.format(box=self.box) + "".join(rows))
        self.run_program(0, "cmake", "-P", script, errors="replace")
        self.assertNotIn("s3cret", self.text)
        said = self.text.split("row [")[1:]
        self.assertEqual(len(said), len(rows), self.text)
        return [flat(text) for text in said]
