# SPDX-License-Identifier: BSD-3-Clause
"""A store that is not there, is another user's, or is changed meanwhile."""

import os

from store_fixture import StoreTest


class Faults(StoreTest):
    def test_store_of_another_user(self):
        """Its times cannot be set."""
        script = "os.utime = lambda path: os.open('/no/such', 0); print(entry.restore(*sys.argv[1:]))"
        target = self.box / "target"
        target.mkdir()
        self.assertEqual(self.run_script(0, script, self.save(), target), "True\n")

    def test_removed_while_it_is_taken(self):
        entry = self.save()
        self.write("cp", f"#!/bin/sh\nrm -r '{entry}'\nexit 1\n", 0o755)
        self.environment(PATH=f"{self.box}:{os.environ['PATH']}")
        self.restore(10, entry)
