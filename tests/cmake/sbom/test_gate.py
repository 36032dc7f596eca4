# SPDX-License-Identifier: BSD-3-Clause
"""Whatever no component covers, or has no known licence, is refused with a line that names it and the evidence."""

import json
import os
import shutil

from box import ROOT
from fixture import NINJA, SOURCES, SbomTest, component

IN_PYTORCH = "is in the libraries or headers of package pytorch"


class Gate(SbomTest):
    def setUp(self):
        super().setUp()
        self.make_build()

    def is_refused(self, *says, without=None, strict=False, **extra):
        """No documents are left."""
        with self.subTest(says):
            self.declare(without, **extra)
            self.make_bill(3, says=says, strict=strict)
            self.assertFalse((self.tree / "sbom.spdx.json").exists())

    def test_components(self):
        evidence = "third_party/nested/inner.h goes into CMakeFiles/nested.dir/third_party/nested/nested.c.o"
        nested = f"third_party/nested {IN_PYTORCH}, and no component declares it: {evidence}"
        remedy = f"declare it under 'components' in {self.pins}/components.json"
        self.is_refused(nested, remedy, without="nested")
        self.is_refused(f"third_party/whole {IN_PYTORCH}", without="whole")
        self.assertNotIn("unused", self.text)
        self.is_refused(f"third_party/placed/external/jit {IN_PYTORCH}", without="jit")
        boost = "copied.h mentions the licence BSL-1.0, but its component pytorch is declared as BSD-3-Clause"
        self.is_refused(f"{boost}: copied.h goes into CMakeFiles/torch.dir/own.c.o", without="copied")
        shipped = "include/shipped.h mentions the licence ISC"
        self.is_refused(shipped, "is shipped as include/shipped.h", without="shipped")

    def test_before_the_compile(self):
        """Headers that will be installed, of which the build has not generated one yet; nothing is installed elsewhere. Rules that
        the installation does not come to count for nothing."""
        source, build, elsewhere = self.package / "source", self.package / "build", self.box / "elsewhere"
        self.write(source / "third_party/nested/told.h", "int told;\n")
        self.write(source / "third_party/nested/untold.txt", "no header\n")
        rules = [
            'install(DIRECTORY third_party/nested/ DESTINATION include/nested FILES_MATCHING REGEX "/tol(d)\\\\.h$")',
            "install(FILES ${CMAKE_BINARY_DIR}/generated.h DESTINATION include)",
            f'install(FILES own.h DESTINATION "{elsewhere}/include")',
            "install(FILES third_party/undeclared/it.h DESTINATION include COMPONENT it EXCLUDE_FROM_ALL)",
            "install(FILES third_party/undeclared/it.h DESTINATION include CONFIGURATIONS Debug)",
            "add_library(undeclared SHARED third_party/undeclared/it.c)",
            "install(TARGETS undeclared DESTINATION lib COMPONENT it EXCLUDE_FROM_ALL)",
        ]
        for name in "it.h", "it.c":
            self.write(source / "third_party/undeclared" / name, "int it;\n")
        text = SOURCES["CMakeLists.txt"].replace(" $<TARGET_OBJECTS:nested>", "")
        text = text.replace("own.h DESTINATION include", "own.h DESTINATION include CONFIGURATIONS Release")
        self.write(source / "CMakeLists.txt", text + "\n".join(rules))
        shutil.rmtree(build)
        make = f"-DCMAKE_MAKE_PROGRAM={NINJA}"
        options = [make, f"-DOUTER={self.box}/machine", "-DCMAKE_BUILD_TYPE=Release"]
        self.run_program(0, "cmake", "-S", source, "-B", build, "-G", "Ninja", *options)
        words = ["--package", self.package, "--third-party", self.third_party, "--configured"]
        self.environment(DESTDIR=str(elsewhere), CMAKE_INSTALL_MODE="SYMLINK")
        for without, *says in (
            ("nested", f"third_party/nested {IN_PYTORCH}", "told.h is shipped as include/nested/told.h"),
            ("shipped", "include/shipped.h mentions the licence ISC", "is shipped as include/shipped.h"),
        ):
            self.declare(without)
            self.run_python(3, "sbom.check_sources", *words, says=says)
            self.assertNotIn("undeclared", self.text)
        script = build / "cmake_install.cmake"
        rule = 'file(INSTALL DESTINATION "${CMAKE_INSTALL_PREFIX}/include/own.h" TYPE FILE FILES "%s")\n' % (
            source / "own.c"
        )
        script.write_text(script.read_text() + rule)
        says = [f"error: the headers that {script} installs cannot be copied below", "correct the install() that"]
        self.run_python(3, "sbom.check_sources", *words, says=says)
        self.assertFalse(elsewhere.exists())
        self.assertEqual([path.name for path in self.package.glob("tmp*")], [])

    def test_libraries_of_the_machine(self):
        """The platform's are those of the compiler; others are declared, by their name or a pattern."""
        record = json.loads(self.record.read_text())
        good = ["clang_rt.builtins-x86_64.a", "boost_atomic.so.1.88.0", "elf-0.196.so", "gomp.a", "gcc_s.so.1"]
        record["libraries"] = [f"/usr/lib/lib{name}" for name in [*good, "odd.so.1", "gompx.a"]]
        self.write(self.record, record)
        faults = [
            f"package pytorch links /usr/lib/lib{name}, which belongs neither" for name in ("odd.so.1", "gompx.a")
        ]
        self.is_refused(*faults, "or declare it in")
        self.assertEqual(self.text.count("links /usr/lib"), 2)

    def test_headers_for_another_processor(self):
        """The platform's, in the folders of a cross compiler."""
        record = json.loads(self.record.read_text())
        good = ["gcc-cross/aarch64-linux-gnu/12/include/arm_neon.h"]
        headers = ["unistd.h", "sys/types.h", "c++/12/vector", "odd.h"]
        record["system"] = [f"/usr/lib/{name}" for name in good]
        record["system"] += [f"/usr/aarch64-linux-gnu/include/{name}" for name in headers]
        self.write(self.record, record)
        self.is_refused("package pytorch includes /usr/aarch64-linux-gnu/include/odd.h, which belongs", strict=True)
        self.assertEqual(self.text.count("includes /usr/"), 1)

    def test_the_rest(self):
        outer = f"package pytorch includes {self.box}/machine/outer.h, which belongs neither to a package nor to the platform"
        self.is_refused(outer, strict=True)
        self.third_party = self.box / "third_party"
        shutil.copytree(ROOT / "third_party/licenses", self.third_party / "licenses")
        self.write("third_party/bundled.json", '{"libraries": {}}')
        self.is_refused("the licence of libgomp.so.1.0.0, bundled as lib/libgomp.so.1, is not declared")
        self.third_party = ROOT / "third_party"
        inside = json.loads((self.build / "inside.json").read_text())
        inside["owners"]["libgomp.so.1.0.0"]["text"] = ""
        self.write(self.build / "inside.json", inside)
        no_text = "the licence of libgomp.so.1, bundled from libgomp.so.1.0.0, is not known"
        self.is_refused(no_text, "install the package that holds its licence, or build an artifact without-deps")
        os.environ["SOURCE_DATE_EPOCH"] = "yesterday"
        self.is_refused("SOURCE_DATE_EPOCH is not a number: yesterday")
        del os.environ["SOURCE_DATE_EPOCH"]
        self.write(self.record, '{"schema": 99}')
        self.is_refused(f"{self.record} is of another version", "build package pytorch again")
        self.write(self.record, "{")
        self.is_refused(f"cannot read {self.record}")
        self.record.unlink()
        no_record = "package pytorch has no record of what is in its libraries"
        self.is_refused(no_record, "STAGE_SCRIPTS packaging/sbom/record_linked.cmake")


class Copies(SbomTest):
    def test_copies(self):
        """A file that a tool has made of another one has the other's component and licence: refused without a declaration of
        the original, and with it in the bill."""
        sources = {
            "cuda/inner/LICENSE": "the licence of inner\n",
            "own.h": '#include "hip/kept.h"\n#include "hip/inner/held.h"\nint own(void);\n',
        }
        for folder in ("cuda", "hip"):
            sources[f"{folder}/kept.h"] = "// Copyright Keeper\n// SPDX-License-Identifier: ISC\n"
            sources[f"{folder}/inner/held.h"] = f"int held_in_{folder};\n"
        copies = {f"hip/{name}": f"cuda/{name}" for name in ("kept.h", "inner/held.h", "other.h")}
        self.make_build(**sources, **{".tsb-copies.json": copies})
        # The third is not in it: nothing of that file went in.
        self.assertEqual(len(json.loads(self.record.read_text())["copies"]), 2)

        self.declare()
        undeclared = f"cuda/inner {IN_PYTORCH}, and no component declares it: hip/inner/held.h"
        licence = "hip/kept.h mentions the licence ISC, but its component pytorch is declared as BSD-3-Clause"
        self.make_bill(3, says=[undeclared, licence])
        inner = component("cuda/inner/", "MIT", license_files=["cuda/inner/LICENSE"])
        self.declare(kept=component("cuda/kept.h", "ISC"), inner=inner)
        self.make_bill(0)
        licenses = self.tree / "share/licenses"
        self.assertEqual((licenses / "inner/LICENSE").read_text(), "the licence of inner\n")
        self.assertIn("Copyright Keeper", (licenses / "kept/NOTICE").read_text())
        self.assertIn('"kept"', self.bill("spdx"))
