# SPDX-License-Identifier: BSD-3-Clause
"""sample_targets.py: which targets of a build.ninja are chosen, and with which flags they are compiled."""

from box import BoxTest

NINJA = """\
build gen/a.h | ${dir}gen/a.h: CUSTOM_COMMAND tool.py
  COMMAND = cd /x && /usr/bin/python3 tool.py
build gen/b.h: CUSTOM_COMMAND
  COMMAND = cmake -E touch b.h
build third_party/x/x.c.o: C_COMPILER__x x.c
  FLAGS = -O3
build confu-deps/y.c.o: ASM_COMPILER__y y.S
  FLAGS = -O3
"""


def objects(kind, language, count):
    rule = f"{language}_COMPILER__t"
    return "".join(
        f"build caffe2/{number}.{kind}.o: {rule} {number}.{kind}\n  FLAGS = -O2\n" for number in range(10, 10 + count)
    )


OWN = NINJA + objects("cc", "CXX", 41)


class Selection(BoxTest):
    def choose(self, ninja, what, flags, words):
        """The targets, and all that is written."""
        self.write("build.ninja", ninja)
        self.run_python(0, "tools/machines/sample_targets.py", self.box, what, flags, self.box / "words")
        self.assertEqual((self.box / "words").read_text(), words)
        written = (self.box / "tsb-sample.ninja").read_text()
        return written.partition("build tsb-sample: phony ")[2].partition("\n")[0], written

    def test_sample(self):
        own = "2 objects of third_party, 3 of 41 own"
        targets, written = self.choose(OWN, "sample", "-O0 -g0", f"{own} (-O0 -g0)")
        caffe2 = "caffe2/10.cc.o caffe2/30.cc.o caffe2/50.cc.o"
        self.assertEqual(targets, f"gen/a.h third_party/x/x.c.o confu-deps/y.c.o {caffe2}")
        self.assertIn("FLAGS = -O3 -O0 -g0", written)
        self.assertNotIn("-O0", self.choose(OWN, "sample", "", own)[1])

    def test_codegen(self):
        self.assertEqual(self.choose(OWN, "codegen", "", "1 generators")[0], "gen/a.h")

    def test_cuda(self):
        words = "1 generators, 20 of 50 objects of CUDA"
        targets = self.choose(OWN + objects("cu", "CUDA", 50), "cuda", "", words)[0]
        self.assertIn("gen/a.h caffe2/10.cu.o caffe2/12.cu.o", targets)
        self.assertNotIn("third_party", targets)

    def test_nothing(self):
        for ninja, what, words in (
            (OWN, "cuda", "1 generators, 2 objects of third_party, 41 others, 0 of CUDA"),
            ("build x: phony y\n", "sample", "0 generators, 0 objects of third_party, 0 others"),
        ):
            self.write("build.ninja", ninja)
            self.run_python(1, "tools/machines/sample_targets.py", self.box, what, "", self.box / "words", says=[words])
