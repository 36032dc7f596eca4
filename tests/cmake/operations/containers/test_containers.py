# SPDX-License-Identifier: BSD-3-Clause
"""The Containerfiles, and the command that builds images of them."""

from unittest import mock

from box import ROOT, BoxTest

import containers
import generate_containerfiles

ENGINE = """\
#!/bin/sh
echo "buildah $*" >>'{box}/calls.txt'
case "$*" in
  "inspect "*rocm) echo 0123456789abcdef ;;
  inspect*) exit 1 ;;
  build*broken*) exit 3 ;;
esac
"""


class Containers(BoxTest):
    def setUp(self):
        super().setUp()
        self.write("bin/buildah", ENGINE.format(box=self.box), 0o755)
        self.environment(PATH=f"{self.box}/bin:/usr/bin:/bin")

    def run_containers(self, ends, *words, says=()):
        self.run_main(ends, containers.main, "containers", *words, says=says)

    def test_the_files_are_what_the_lists_give(self):
        self.run_python(0, "operations/containers/generate_containerfiles.py", "--check")

    def test_a_drift_is_found(self):
        for file in (ROOT / "operations/containers").glob("*.Containerfile"):
            self.write(file.name, file.read_text() + ("RUN true\n" if file.name.startswith("cuda") else ""))
        self.write("kinds.json", (ROOT / "operations/containers/kinds.json").read_text())
        self.write("old.Containerfile")
        with mock.patch.object(generate_containerfiles, "FOLDER", self.box):
            main = generate_containerfiles.main
            self.run_main(1, main, "x", "--check", says=["cuda.Containerfile, old.Containerfile"])
            self.run_main(0, main, "x")
            self.run_main(0, main, "x", "--check")

    def test_packages(self):
        kind = {"needs": ["build", "python", "cuda"], "python": "3.10"}
        names = generate_containerfiles.packages(kind)
        self.assertTrue({"python3.10-dev", "ninja-build", "make", "g++"} <= set(names), names)
        self.assertNotIn("gfortran", names)
        names = generate_containerfiles.packages({"needs": ["build"], "manager": "dnf"})
        self.assertTrue({"gcc-c++", "ninja-build"} <= set(names) and "-" not in names, names)

    def test_build_and_push(self):
        tag = "localhost/torch-superbuild-debian"
        file = ROOT / "operations/containers/debian.Containerfile"
        self.run_containers(0, "build", "debian", "--base", "localhost/debian:12", "--push", "localhost:5000/a:1")
        base = "--build-arg BASE=localhost/debian:12"
        expected = [
            f"buildah build {base} --tag {tag} --file {file} {ROOT}",
            f"buildah push --tls-verify=false {tag} docker://localhost:5000/a:1",
        ]
        self.assertEqual((self.box / "calls.txt").read_text().splitlines(), expected)
        (self.box / "calls.txt").unlink()
        self.run_containers(0, "build", "debian", "--tag", "mine", "--push", "registry.example.org/a")
        expected = [
            f"buildah build --tag mine --file {file} {ROOT}",
            "buildah push mine docker://registry.example.org/a",
        ]
        self.assertEqual((self.box / "calls.txt").read_text().splitlines(), expected)
        self.run_containers(3, "build", "debian", "--tag", "broken", says=["buildah build has failed"])

    def test_list(self):
        self.run_containers(0, "list", says=["debian docker.io/library/debian:12 not built", "0123456789ab"])
        self.run_containers(0, "--needs", "list", says=["nothing"])
        self.run_containers(0, "--needs", "build", "debian", says=["build containers"])
        self.environment(PATH=str(self.box / "none"))  # of a machine that has no program for images
        self.run_containers(0, "list", says=["debian docker.io/library/debian:12 not built"])
