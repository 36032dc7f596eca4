# SPDX-License-Identifier: BSD-3-Clause
"""A build folder with the record of an artifact, for tests of what packs it."""

import json
import os

from box import ROOT, BoxTest

from engine.artifact import Artifact


class ArtifactTest(BoxTest):
    def artifact(self, folder="cuda", version="13.0", backend=None, **members):
        """An artifact of the project's backend in this folder."""
        facts = json.loads((ROOT / "backends" / folder / "backend.json").read_text())
        facts = {"kind": folder, **facts, "folder": folder, "version": version, **(backend or {})}
        self.write("settings.json", {"TSB_ADDITIONS": "", "torchpkg": os.environ.get("TORCHPKG")})
        record = {"name": "a", "build_folder": str(self.box), "package": "pytorch", "target": {}, "backend": facts}
        return Artifact(self.write("artifacts/a.json", {**record, **members}))

    def package(self, name, libraries=(), machine=None, **members):
        """A package that was built, or lies on this machine."""
        self.write(f"packages/{name}/manifest.json", {})
        declaration = {"depends": [], "build_only": "FALSE", "machine": machine or "", **members}
        self.write(f"packages/{name}/package.json", declaration)
        for library in libraries:
            self.write(f"packages/{name}/install/lib/{library}", library)
