# SPDX-License-Identifier: BSD-3-Clause
"""When a checkout is another one for a fleet."""

import subprocess
from unittest import mock

from box import BoxTest

import preset_run


class Checkout(BoxTest):
    """A checkout counts by its files, whatever git says: here it does not trust it, or there is none."""

    def test_its_files(self):
        patcher = mock.patch.object(preset_run, "ROOT", self.box)
        patcher.start()
        self.addCleanup(patcher.stop)
        file = self.write("packaging/TorchConfig.cmake.in", "one")
        for name in "build/own/superbuild/own.cmake", "additions/README.md":
            self.write(name)
        (self.box / "additions/nothing").symlink_to("nowhere")
        for name in "first", "second":  # links that lead back up
            (self.box / "build/own" / name).symlink_to(".")
        seen = [preset_run.checkout_hash()]
        subprocess.run(["git", "init", "--quiet", self.box], check=True)
        self.environment(GIT_TEST_ASSUME_DIFFERENT_OWNER="1")
        for name in "build/x", "dist/x", ".cache/x", "packaging/__pycache__/x":
            self.write(name, "x")
        self.assertEqual(preset_run.checkout_hash(), seen[0])
        for change in (
            lambda: file.write_text("two"),
            lambda: self.write("CMakeUserPresets.json"),
            lambda: file.chmod(0o755),
            # An addition that is a link to a folder elsewhere, and what is in that; not a link to nothing.
            lambda: (self.box / "additions/own").symlink_to(self.box / "build/own"),
            lambda: self.write("build/own/releases/9.9.0/release.json", "{}"),
        ):
            change()
            self.assertNotIn(preset_run.checkout_hash(), seen)
            seen.append(preset_run.checkout_hash())
