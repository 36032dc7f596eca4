# SPDX-License-Identifier: BSD-3-Clause
"""A report's page in a browser, small and large, light and dark. The browser is chromium, and what draws is plotly in
build/report-tools: `bootstrap.sh --test` installs both."""

import re
import shutil
import subprocess
import unittest

from fixture import RunTest

from engine.report import page, report


class InABrowser(RunTest):
    @classmethod
    def setUpClass(cls):
        cls.browser = shutil.which("chromium") or shutil.which("google-chrome")
        if not cls.browser or not page.LIBRARY.exists():
            print("SKIP: chromium or build/report-tools is missing: ./bootstrap.sh --install-only --test installs both")
            raise unittest.SkipTest("see above")

    def opened(self, file, *options):
        """The page after its scripts have run, without a network: which pictures there are, which were drawn; how wide they
        are; all of it."""
        words = [self.browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        words += ["--host-resolver-rules=MAP * ~NOTFOUND"]
        words += [f"--user-data-dir={self.folder}/profile", "--virtual-time-budget=15000", "--dump-dom", *options]
        content = subprocess.run([*words, f"file://{file}"], capture_output=True, text=True, timeout=240).stdout
        places = re.findall(r'<div data-figure="([\w-]+)"([^>]*)', content)
        widths = [int(width) for width in re.findall(r'class="main-svg"[^>]* width="(\d+)', content)]
        return (
            [name for name, _ in places],
            [name for name, rest in places if "js-plotly-plot" in rest],
            widths,
            content,
        )

    def test_small_and_large_light_and_dark(self):
        file = self.run_ / "report.html"
        report.page_of(self.facts()).write(file)
        pictures = ["steps", "compiles", "memory", "packages", "links", "sizes", "device"]
        for size, scheme, colour in (("420,900", 0, "rgb(228, 232, 239)"), ("1500,1000", 1, "rgb(29, 36, 48)")):
            with self.subTest(size):
                there, drawn, widths, content = self.opened(
                    file, f"--window-size={size}", f"--blink-settings=preferredColorScheme={scheme}"
                )
                self.assertEqual((there, drawn), (pictures, pictures))
                self.assertLessEqual(max(widths), max(int(size.split(",")[0]), 500))
                self.assertIn(colour, content)
                self.assertIn("libtorch.so", content)  # in the picture of the sizes
