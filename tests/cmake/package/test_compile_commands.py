# SPDX-License-Identifier: BSD-3-Clause
"""compile_commands.json, of what was compiled in the build folder."""

import json

from box import BoxTest, need

from engine import compile_commands
from engine.failure import Failure

need("ninja")
NINJA = """\
rule cc
  command = cc -I"a folder" -c $in -o $out
rule link
  command = cc $in -o $out
build a.o: cc a.c
build b.o: cc ../source/b.cpp
build generated.c: link a.o
build app: link a.o b.o
"""


class CompileCommands(BoxTest):
    def test_written(self):
        self.write("settings.json", {"ninja": "ninja"})
        for name, system in (("app", "cmake"), ("stored", "cmake"), ("copied", "none")):
            self.write(f"packages/{name}/package.json", {"build_system": system})
        build = self.write("packages/app/build/build.ninja", NINJA).parent
        main = compile_commands.main
        file = self.box / "compile_commands.json"
        says = f"{file}: 2 sources; not compiled here: stored"
        self.run_main(0, lambda: main(self.box, "app", "stored", "copied"), says=[says])
        entries = [
            {"directory": str(build), "command": f'cc -I"a folder" -c {source} -o {out}', "file": source, "output": out}
            for source, out in (("a.c", "a.o"), ("../source/b.cpp", "b.o"))
        ]
        self.assertEqual(json.loads(file.read_text()), entries)
        self.write("packages/app/build/build.ninja", "build\n")
        with self.assertRaises(Failure) as raised:
            main(self.box, "app")
        self.assertIn(f"ninja cannot list the commands of {build}: ninja: error: build.ninja:1", str(raised.exception))
        self.assertIn("build the package again", str(raised.exception))
