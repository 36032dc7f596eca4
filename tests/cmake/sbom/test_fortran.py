# SPDX-License-Identifier: BSD-3-Clause
"""Fortran is compiled in two steps; the source is found anyway. The build is written down here, so that no Fortran compiler is
needed."""

import json

from box import BoxTest

BUILD = """\
build x.dir/solve.f-pp.f: Fortran_PREPROCESS ../source/solve.f || order
build x.dir/solve.f.o: Fortran_COMPILE x.dir/solve.f-pp.f || x.dir/Fortran.dd
build x.dir/other.f-pp.f: Fortran_PREPROCESS ../source/other.f
build x.dir/other.f.o: Fortran_COMPILE x.dir/other.f-pp.f
build lib/libsolve.a: Fortran_STATIC_LIBRARY x.dir/solve.f.o
"""
NINJA = "#!/bin/sh\n" + "".join(
    f"printf 'x.dir/{name}.f-pp.f: #deps 1, deps mtime 1 (VALID)\\n    ../source/{name}.f\\n\\n'\n"
    for name in ("solve", "other")
)


class Fortran(BoxTest):
    def test_record(self):
        for name in ("solve", "other"):
            self.write(f"source/{name}.f", f"      SUBROUTINE {name.upper()}\n      END\n")
        self.write("source/LICENSE", "Permission is hereby granted\n")
        self.write("install/lib/libsolve.a")
        self.write("build/build.ninja", BUILD)
        options = {name: self.box / name for name in ("source", "build", "install")}
        options.update(ninja=self.write("ninja", NINJA, 0o755), output=self.box / "linked.json")
        words = [word for name, value in options.items() for word in (f"--{name}", value)]
        self.run_python(0, "sbom.record_linked", *words)
        record = (self.box / "linked.json").read_text()
        self.assertEqual(json.loads(record)["files"]["solve.f"], "x.dir/solve.f-pp.f")
        self.assertNotIn("other.f", record)
