# SPDX-License-Identifier: BSD-3-Clause
"""The doctor in a process of its own, on a machine whose PATH has invented tools."""

import json
import os
import shutil

from box import ROOT, BoxTest

# What compilers say about themselves.
GCC = "echo '#define __GNUC__ {}'; echo '#define __GNUC_MINOR__ {}'; echo '#define __GNUC_PATCHLEVEL__ 0'"
CLANG = "echo '#define __GNUC__ 4'; echo '#define __clang_major__ {}'; echo '#define __clang_minor__ {}'"

# What the checks export is printed: <variable> is [<value>].
SCRIPT = """\
cmake_minimum_required(VERSION 3.25)
{settings}
include("{root}/cmake/doctor/tsb_doctor.cmake")
include("{root}/cmake/model/tsb_load_model.cmake")
include("{root}/cmake/settings/tsb_read_settings.cmake")
tsb_read_settings(RESULT_ERROR error)
if(error)
  message(FATAL_ERROR "${{error}}")
endif()
tsb_load_model("--release={release}" "--processor={target}")
if(EXISTS "{backend}")
  tsb_read_record("{backend}" backend)
  set(facts "{{}}")
  if(EXISTS "{root}/backends/${{backend_folder}}/versions.json")
    file(READ "{root}/backends/${{backend_folder}}/versions.json" facts)
  endif()
  tsb_set_record(versions facts)
  tsb_ask_backend(TSB_BACKEND_RESOLVED backend resolve)
  tsb_set_record(backend_configured TSB_BACKEND_RESOLVED)
endif()
tsb_doctor({arguments} RESULT_ERROR error)
get_property(names GLOBAL PROPERTY TSB_DOCTOR_EXPORTS)
get_property(settings GLOBAL PROPERTY TSB_SETTINGS)
foreach(name IN LISTS names)
  if(name IN_LIST settings)
    message(FATAL_ERROR "a check changes the setting ${{name}}")
  endif()
  message(STATUS "${{name}} is [${{${{name}}}}]")
endforeach()
if(error)
  message(FATAL_ERROR "${{error}}")
endif()
"""


class DoctorTest(BoxTest):
    def setUp(self):
        super().setUp()
        self.bin = self.box / "bin"
        self.tool("uname", "echo x86_64")
        names = "CC CXX TSB_PYTHON TSB_DOCTOR_SKIP TSB_DIST TSB_ADDITIONS PYENV_ROOT CCACHE_DIR PYTHONPATH".split()
        self.environment(**dict.fromkeys(names))

    def tool(self, name, script):
        self.write(self.bin / name, f"#!/bin/sh\n{script}\n", 0o755)

    def tools_of_machine(self, *names):
        for name in names:
            self.tool(name, f"exec '{shutil.which(name)}' \"$@\"")

    def on_machine(self, ends, *words, says=(), **environment):
        variables = {**os.environ, "PATH": self.bin, **environment}
        self.run_program(ends, shutil.which("cmake"), *words, says=says, env=variables)

    def doctor(self, checks, *says, problems=0, more=(), backend=None, release="", settings="", **environment):
        """`checks`: their names, or nothing: all; `more`: further arguments of tsb_doctor(); `backend`: (kind, version), or its
        members."""
        arguments = [*(["CHECKS", *checks.split()] if checks else []), *more]
        if isinstance(backend, tuple):
            kind, version = backend
            facts = json.loads((ROOT / f"backends/{kind}/backend.json").read_text().replace("@version@", version))
            backend = {**facts, "folder": kind, "kind": kind, "version": version}
        file = self.box / "backend.json"
        file.unlink(missing_ok=True)
        if backend:
            self.write(file, backend)
        words = {
            "arguments": " ".join(f"[==[{argument}]==]" for argument in arguments),
            "backend": file,
            "release": release,
            "root": ROOT,
            "settings": settings,
            "target": (backend or {}).get("target", ""),
        }
        script = self.write("run.cmake", SCRIPT.format(**words))
        if problems:
            says = (f"problems with this machine: {problems},", *says)
        self.on_machine(bool(problems), "-P", script, says=says, **environment)


class ToolkitTest(DoctorTest):
    """A machine with CUDA or ROCm is below `root`."""

    kind, version, checks = "cuda", "12.4", ""
    release = json.loads((ROOT / "tests/fixtures/sources.json").read_text())["release"]

    def setUp(self):
        super().setUp()
        self.root, self.tmp = self.box / "root", self.box / "tmp"
        self.tmp.mkdir()
        self.environment(TMPDIR=str(self.tmp), HOME="/somebody", VIRTUAL_ENV=None, CONDA_PREFIX=None)
        variables = "CUDA_HOME CUDA_PATH TSB_CUDA_HOME TSB_CUDA_ARCHS TSB_CUDA_HOST_COMPILER TSB_CUDA_LOWEST_DRIVER"
        variables += " TSB_CUDNN_HOME TSB_CUSPARSELT_HOME TSB_NVSHMEM_HOME ROCM_PATH HIP_CLANG_PATH TSB_ROCM_ARCHS"
        self.environment(**dict.fromkeys(variables.split()))
        self.tools_of_machine("grep", "env", "cat", "mktemp", "rm")
        self.tool("apt-get", "exit 1")

    def make(self, *calls):
        """The stand-ins for toolkits: fake_toolkit(), make_rocm() and so on; places are relative to `root`."""
        files = "tests/cmake/cuda/fake_toolkit.cmake", "tests/fixtures/rocm.cmake"
        lines = [f"set(TSB_SOURCE_DIR {ROOT})", *(f"include({ROOT / file})" for file in files)]
        lines += [f'{name}("{self.root / place}" {more})' for name, place, more in calls]
        self.run_program(0, "cmake", "-P", self.write("make.cmake", "\n".join(lines)))

    def toolkit(self, place="opt/cuda", more="12.4.131"):
        self.make(("fake_toolkit", place, more))

    def ask(self, *says, checks="", problems=0, release="", version="", more=(), **environment):
        """By default the checks and the version of the class."""
        more = (*more, "ROOT", self.root)
        backend = (self.kind, version or self.version)
        environment = {name: str(value) for name, value in environment.items()}
        self.doctor(
            checks or self.checks,
            *says,
            problems=problems,
            more=more,
            backend=backend,
            release=release or self.release,
            **environment,
        )
