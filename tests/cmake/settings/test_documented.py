# SPDX-License-Identifier: BSD-3-Clause
"""The table in docs/settings.md, and what bootstrap.sh prints, are made from the declarations."""

from box import ROOT, BoxTest

LIST = "cmake/settings/list_settings.cmake"
DOCUMENT = "docs/settings.md"


class Documented(BoxTest):
    def write_or_check(self, ends, *words, says=()):
        self.run_program(ends, "cmake", f"-DDOCUMENT={self.box}/settings.md", *words, "-P", ROOT / LIST, says=says)

    def test_table(self):
        text = (ROOT / DOCUMENT).read_text()
        self.write("settings.md", text)
        self.write_or_check(0, "-DCHECK=ON")
        self.write("settings.md", text.replace("| `TSB_JOBS`", "| `TSB_GONE`"))
        self.write_or_check(
            1, "-DCHECK=ON", says=["does not have the settings as they are declared write them: cmake -D"]
        )
        self.write_or_check(0)
        self.assertEqual((self.box / "settings.md").read_text(), text)

    def test_bootstrap(self):
        self.run_program(
            0, "sh", ROOT / "bootstrap.sh", "--settings", says=["TSB_JOBS (number) The most compilers that"]
        )
        self.assertIn("TSB_CUDA_ARCHS (list)", self.text)
