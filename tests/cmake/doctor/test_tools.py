# SPDX-License-Identifier: BSD-3-Clause
"""What the doctor says about programs: their versions, compilers, compiler caches, Pythons."""

import os
import platform
import shutil
import sys

from fixture import CLANG, GCC, DoctorTest


class Tools(DoctorTest):
    def test_versions(self):
        self.tool("ninja", "echo 1.9.0.git")
        self.tool("patchelf", "echo patchelf 0.12.20200827.8d3a16e")
        self.doctor(
            "ninja patchelf",
            f"ninja: {self.bin}/ninja is 1.9.0, 1.10 or newer is needed",
            f"patchelf: {self.bin}/patchelf is 0.12.20200827.8, 0.14 or newer is needed",
            problems=2,
        )
        self.tool("ninja", "exit 3")
        self.doctor("ninja", f"ninja: {self.bin}/ninja does not run (3)", problems=1)
        (self.bin / "ninja").unlink()
        self.tool("ninja-build", "echo 1.12.1")
        self.doctor("ninja", "-- ninja-build 1.12.1")

    def test_compilers(self):
        """By what they say about themselves, and by CC and CXX."""
        old = 'CXX is "old-clang -stdlib=libc++", but the packages would be built without what follows the program'
        self.tool("cc", GCC.format(12, 2))
        self.tool("c++", GCC.format(9, 4))
        self.tool("old-clang", CLANG.format(11, 1))
        self.tool("broken", "echo 'cannot execute cc1plus' >&2; exit 1")
        for environment, says in (
            ({}, f"C++ compiler: {self.bin}/c++ is gcc 9.4.0, 10 or newer is needed"),
            (
                {"CXX": "old-clang -stdlib=libc++"},
                f"C++ compiler: {old} -> name the compiler alone (a compiler cache is found by itself), or a script",
            ),
            (
                {"CXX": "old-clang"},
                f"C++ compiler: {self.bin}/old-clang is clang 11.1, 12 or newer is needed "
                "-> set CXX to a newer one, or unset it",
            ),
            ({"CC": "nothing", "CXX": "cc"}, 'C compiler: CC is "nothing", but there is no such program'),
            (
                {"CXX": "broken"},
                f"{self.bin}/broken is neither gcc nor clang, or does not work: cannot execute cc1plus",
            ),
        ):
            with self.subTest(environment):
                self.doctor("compiler", says, problems=1, **environment)

    def test_compilers_of_a_build_folder(self):
        """It keeps those that configured it; what CC and CXX say then has no effect: a line says so."""
        self.tool("cc", GCC.format(12, 2))
        self.tool("c++", GCC.format(9, 4))
        settings = f'set(CMAKE_C_COMPILER "{self.bin}/cc")\nset(CMAKE_CXX_COMPILER "{self.bin}/cc")'
        kept = "which this build folder has: instead of CXX=c++, give -D CMAKE_CXX_COMPILER=c++"
        says = f"-- C compiler gcc 12.2.0 ({self.bin}/cc) -- C++ compiler gcc 12.2.0 ({self.bin}/cc, {kept})"
        self.doctor("compiler", says, settings=settings, CXX="c++")
        says = (
            f"C compiler: this build folder was configured with {self.bin}/gone, which does not exist "
            "-> install it again, or name another with -D CMAKE_C_COMPILER=..."
        )
        self.doctor("compiler", says, problems=2, settings=settings.replace("/cc", "/gone"), CXX="c++")

    def test_compilers_in_the_environment_of_packages(self):
        checks = "compiler compiler_cache compile"
        self.tools_of_machine("mktemp", "cc", "c++")
        cc, cxx = shutil.which("cc"), shutil.which("c++")
        self.doctor(checks, "-- compiler cache: none")
        needs = '[ -n "$LIBRARY_PATH" ] || [ "$1" = -dM ] || { echo "error: no LIBRARY_PATH" >&2; exit 1; }'
        self.tool("c++", f'{needs}\nexec {cxx} "$@"')
        says = (
            f"C++ compiler: {self.bin}/c++ makes no program that runs in the packages' environment: error: no "
            "LIBRARY_PATH -> packages get none of this shell's variables (LD_LIBRARY_PATH, CPATH, ...): "
            "name one in CXX that needs none"
        )
        self.doctor(checks, says, problems=1, LIBRARY_PATH="/lib")
        self.tools_of_machine("c++")
        self.tool("cc", f'case $1 in -dM) exec {cc} "$@" ;; esac\necho "exit 3" >"$3"; chmod +x "$3"')
        says = f"C compiler: {self.bin}/cc makes no program that runs in the packages' environment:"
        self.doctor(checks, says, "one in CC that needs none", problems=1)

    def test_what_the_release_needs(self):
        """A higher version than the project, if it is compiled."""
        self.tool("cc", GCC.format(11, 2))
        self.tool("c++", GCC.format(11, 3))
        facts = {"cxx_standard": "17", "pythons": [], "backends": {}, "least": {"cmake": "99.1", "gcc": "11.3"}}
        self.write("more/releases/9.9.0/release.json", facts)
        self.environment(TSB_ADDITIONS=str(self.box / "more"))
        says = ", 99.1 or newer is needed", f"C compiler: {self.bin}/cc is gcc 11.2.0, 11.3 or newer is needed"
        self.doctor("cmake compiler", *says, problems=2, release="9.9.0")
        backend = {"folder": "cpu", "kind": "cpu", "version": "", "prebuilt": True}
        self.doctor("cmake compiler", release="9.9.0", backend=backend)
        # Of Python the lowest that it supports.
        self.write("more/releases/9.9.0/release.json", facts | {"pythons": ["3.10", "3.9"]})
        self.tool("first", "echo '3.9.1|/first'")
        self.doctor("python", "-- python 3.9.1", release="9.9.0", TSB_PYTHON="first")
        self.write("more/releases/9.9.0/release.json", facts | {"pythons": ["3.11", "3.10"]})
        says = f"python: 3.10 or newer is needed, but {self.bin}/first is 3.9.1"
        self.doctor("python", says, problems=1, release="9.9.0", TSB_PYTHON="first")
        self.doctor("python", "-- python 3.9.1", release="9.9.0", backend=backend, TSB_PYTHON="first")

    def test_a_second_configure_does_not_compile_again(self):
        """Unless the compiler is another one."""
        log = self.box / "compiled"
        compiler = f'[ $1 = -dM ] || echo "$0" >>\'{log}\'\nexec {shutil.which("cc")} "$@"'
        self.tool("cc", compiler)
        self.tool("c++", compiler.replace(shutil.which("cc"), shutil.which("c++")))
        self.tools_of_machine("mktemp", "env", "make")
        self.doctor("compiler compile")
        script = (self.box / "run.cmake").read_text()
        self.write("project/CMakeLists.txt", script.replace("tsb_doctor(", "project(p LANGUAGES NONE)\ntsb_doctor("))
        words = "-S", self.box / "project", "-B", self.box / "build", "-GUnix Makefiles"
        for count in (2, 0):
            log.write_text("")
            self.on_machine(0, *words)
            self.assertEqual(len(log.read_text().splitlines()), count)
        os.utime(self.bin / "cc", (1, 1))
        self.on_machine(0, *words)
        self.assertEqual(len(log.read_text().splitlines()), 2)

    def test_compiler_caches(self):
        self.tool("sccache", "echo sccache 0.4.0")
        self.doctor("compiler_cache", f"cache: sccache 0.4.0 -- TSB_COMPILER_CACHE is [{self.bin}/sccache]")
        # As ccache says it where HOME is / and one is not root. The settings of the cache are passed on.
        failed = "ccache: error: Failed to create directory //.cache/ccache/tmp: Permission denied"
        works = f'[ -n "$CCACHE_DIR" ] || {{ echo "{failed}" >&2; exit 1; }}'
        self.tool("ccache", f'case $1 in --version) echo ccache version 4.7.5; exit ;; esac\n{works}\nexec "$@"')
        self.doctor("compiler_cache", f"cache: ccache 4.7.5 -- TSB_COMPILER_CACHE is [{self.bin}/ccache]")
        self.tools_of_machine("mktemp", "cc", "c++")
        checks = "compiler compiler_cache compile"
        self.doctor(
            checks,
            f"compiler cache: ccache does not work for {self.bin}/cc: {failed}",
            "-> set CCACHE_DIR to a folder that can be written to (HOME is '/')",
            "-> or use no cache: TSB_DOCTOR_SKIP=compiler_cache",
            problems=1,
            HOME="/",
        )
        self.doctor(checks, "-- compiler cache: ccache 4.7.5", CCACHE_DIR=str(self.box / "cache"), HOME="/")

    def test_remote_store(self):
        """Asked by the Python of the build; here an invented one, which says what the store would."""
        checks = "python remote_store"
        answer = '[ "$TSB_STORE_REMOTE" = https://me:secret@host/x ] && echo "remote store: answers"'
        settings = 'set(TSB_STORE_REMOTE "https://me:secret@host/x")'
        for script, says, problems in (
            (answer, "-- remote store: answers", 0),
            ('printf "it needs a\\n  run b\\n" >&2; exit 3', "it needs a -> run b", 1),
        ):
            self.tool("python", f'case "$*" in *" store ask") {script}; exit ;; esac; echo "3.11.2|$0"')
            self.doctor(checks, says, problems=problems, settings=settings, TSB_PYTHON=str(self.bin / "python"))
            self.assertNotIn("secret", self.text)

    def test_openmp(self):
        """clang's runtime is a package of its own."""
        self.doctor("openmp")  # no compiler: not this check's matter
        self.tools_of_machine("sh")
        self.tool("apt-get", "")
        gone = "*-fopenmp*) echo \"<stdin>:1:10: fatal error: 'omp.h' file not found\" >&2; exit 1;;"
        self.tool("clang++-22", f"case \"$*\" in\n{gone}\n*) echo '#define __clang_major__ 22';;\nesac")
        says = f"OpenMP: {self.bin}/clang++-22 -fopenmp does not work: 'omp.h' file not found"
        self.doctor("openmp", f"{says} -> apt-get install libomp-22-dev", problems=1, CXX="clang++-22")
        self.tool("g++-12", "")
        settings = f'set(CMAKE_CXX_COMPILER "{self.bin}/%s")'  # of the build folder, or of -D
        self.doctor("openmp", says, problems=1, settings=settings % "clang++-22", CXX="g++-12")
        self.doctor("openmp", settings=settings % "g++-12", CXX="clang++-22")
        self.tool("c++", "echo 'c++: error: unrecognized option -fopenmp' >&2; exit 1")
        self.doctor("openmp", "unrecognized option -fopenmp -> apt-get install g++", problems=1)
        self.doctor("openmp", PATH=os.environ["PATH"], CXX=shutil.which("c++"))

    def test_the_python_of_code_generators(self):
        self.tool("python3.99", "echo '3.99.0|/somewhere/python3.99'")
        says = "-- python 3.99.0 (/somewhere/python3.99)", "-- TSB_CODEGEN_PYTHON is [/somewhere/python3.99]"
        self.doctor("python", *says, TSB_PYTHON=str(self.bin / "python3.99"))
        # One that was asked for by name is not replaced in silence.
        needed = "python: 3.9 or newer is needed, but"
        for name, script, fault in (
            ("old", "echo '3.8.10|/old'", "is 3.8.10"),
            ("broken", "exit 1", "does not run"),
        ):
            self.tool(name, script)
            says = f"{needed} {self.bin}/{name} {fault} -> correct TSB_PYTHON or unset it"
            self.doctor("python", says, problems=1, TSB_PYTHON=name)
        # One that has no modules but its own does: package build-requirements has those of the generators.
        self.tool("bare", f'exec {sys.executable} -S "$@"')
        self.doctor("python", f"-- python {platform.python_version()} ({sys.executable})", TSB_PYTHON="bare")
        # The first on the PATH comes first; when it does not do, the next is taken, if this machine has one.
        (self.bin / "old").rename(self.bin / "python3")
        try:
            self.doctor("python", "-- python 3.")
            self.assertNotIn("[/old]", self.text)
        except AssertionError:
            self.doctor("python", f"but {self.bin}/python3 is 3.8.10", problems=1)
        self.tool("python3", "echo '3.9.0|/first'")
        self.doctor("python", "-- TSB_CODEGEN_PYTHON is [/first]")
        # Libraries that only this shell's environment has are none of the packages'.
        self.tool("python3", "[ -n \"$LD_LIBRARY_PATH\" ] && echo '3.10.1|/first'")
        self.doctor(
            "python",
            f"but {self.bin}/python3 does not run -> correct TSB_PYTHON or unset it",
            "-> what only LD_LIBRARY_PATH finds does not count: packages do not get it",
            problems=1,
            TSB_PYTHON="python3",
            LD_LIBRARY_PATH="/libraries",
        )

    def test_the_pythons_of_artifacts(self):
        """Exactly that one, with its headers, or why none."""

        def pythons(*says, problems=0, **environment):
            more = ("PYTHONS", "3.99")
            self.doctor("pythons", *says, problems=problems, more=more, HOME=str(self.box), **environment)

        headers = "headers|cpython-399-x86_64-linux-gnu|/somewhere/python3.99"
        good = f"echo 'CPython|3.99|3.99.7||{headers}'"
        self.tool("python3.99", good)
        says = "-- python for the artifact: CPython 3.99.7 cpython-399-x86_64-linux-gnu (/somewhere/python3.99)"
        pythons(says, TSB_PYTHON_399=str(self.bin / "python3.99"))
        # One that was asked for by name is not replaced in silence, although the path has a good one.
        for name, script, fault in (
            ("newer", f"echo 'CPython|3.98|3.98.1||{headers}'", "is Python 3.98.1"),
            ("pypy", f"echo 'PyPy|3.99|3.99.1||{headers}'", "is PyPy, not CPython"),
            (
                "debug",
                f"echo 'CPython|3.99|3.99.7|d|{headers}'",
                "is a debug or free-threaded build (its ABI flags are 'd')",
            ),
            ("bare", "echo 'CPython|3.99|3.99.7|||cpython-399-x86_64-linux-gnu|/bare'", "has no headers (Python.h)"),
            ("broken", "exit 1", "does not run"),
        ):
            self.tool(name, script)
            needed = f"python: the artifact is for CPython 3.99 with its headers, but {self.bin}/{name} {fault}"
            pythons(needed, "or name one in TSB_PYTHON_399", problems=1, TSB_PYTHON_399=name)
        pythons("(/somewhere/python3.99)")  # found by its name on the path
        # Where the path's does not do, what pyenv has.
        self.tool("python3.99", "echo 'CPython|3.99|3.99.7|||cpython-399-x86_64-linux-gnu|/bare'")
        self.write(".pyenv/versions/3.99.7/bin/python3.99", f"#!/bin/sh\n{good}\n", 0o755)
        pythons("(/somewhere/python3.99)")
