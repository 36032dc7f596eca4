# SPDX-License-Identifier: BSD-3-Clause
"""Versions of artifacts: packaging (pip, uv) and rattler (conda) take them, in their normal form and in one order."""

import itertools

from packaging.utils import parse_wheel_filename
from packaging.version import Version
from rattler import MatchSpec
from rattler import Version as CondaVersion
from tools_fixture import ToolsTest

from engine.model.versions import versions

CPU, TARGET = {"name": "cpu", "conda_build_number": "0"}, {"blas": ["mkl", "openblas"]}
# From the oldest to the newest: what is set, PEP 440's version, conda's.
KINDS = [
    ({"nightly": "20261123"}, "2.6.0.dev20261123+cpu", "2.6.0dev20261123"),
    ({"nightly": "20261124"}, "2.6.0.dev20261124+cpu", "2.6.0dev20261124"),
    ({"source_version": "2.6.0a0"}, "2.6.0a0+cpu", "2.6.0a0"),
    ({"candidate": "1"}, "2.6.0rc1+cpu", "2.6.0rc1"),
    ({"candidate": "10"}, "2.6.0rc10+cpu", "2.6.0rc10"),
    ({}, "2.6.0+cpu", "2.6.0"),
    ({"suffix": "mycompany.1"}, "2.6.0+cpu.mycompany.1", "2.6.0"),
    ({"suffix": "mycompany.10"}, "2.6.0+cpu.mycompany.10", "2.6.0"),
    ({"source_version": "2.7.0a0", "nightly": "20261123"}, "2.7.0.dev20261123+cpu", "2.7.0dev20261123"),
    ({"source_version": "2.7.0a0"}, "2.7.0a0+cpu", "2.7.0a0"),
    ({"source_version": "2.7.0a0", "candidate": "2"}, "2.7.0rc2+cpu", "2.7.0rc2"),
]


def made(members, backend=CPU, slice_name=""):
    unset = dict.fromkeys(("nightly", "candidate", "suffix", "build_number"), "")
    return versions({"source_version": "2.6.0", "blas": "mkl", **unset, **members}, backend, TARGET, slice_name)


class Versions(ToolsTest):
    def test_each(self):
        for members, version, conda in KINDS:
            with self.subTest(version):
                found = made(members)
                self.assertEqual((found["version"], found["conda_version"]), (version, conda))
                self.assertEqual(str(Version(version)), version)
                self.assertEqual(str(CondaVersion(conda)), conda)
                self.assertRegex(conda, r"^[0-9a-z.]+$")
                # As packages depend on it.
                self.assertIn(conda, str(MatchSpec(f"libtorch {conda} cpu_mkl_h0123456_0")))

    def test_order(self):
        for (_, older, older_conda), (_, newer, newer_conda) in itertools.pairwise(KINDS):
            with self.subTest(f"{older} < {newer}"):
                self.assertLess(Version(older), Version(newer))
                self.assertTrue(older_conda == newer_conda or CondaVersion(older_conda) < CondaVersion(newer_conda))

    def test_build_numbers(self):
        self.assertEqual(made({})["conda_build_number"], 0)
        self.assertEqual(made({"build_number": "2"})["conda_build_number"], 2)
        self.assertEqual(
            made({"build_number": "2"}, {"name": "a", "conda_build_number": "200"})["conda_build_number"], 202
        )
        names = [
            f"torch-2.6.0+cpu-{tag}cp311-cp311-linux_x86_64.whl" for tag in ("", "1large-", "2-", "2large-", "10-")
        ]
        tags = [parse_wheel_filename(name)[2] for name in names]
        self.assertEqual(sorted(tags), tags)

    def test_what_is_after_the_backend(self):
        """BLAS, the slice, and the suffix last."""
        backend = {"name": "official-cuda", "local_version": "official.cu132", "conda_build_number": "100"}
        found = made({"blas": "openblas", "suffix": "mine"}, backend, "sm90")
        self.assertEqual(found["version"], "2.6.0+official.cu132.openblas.sm90.mine")
        self.assertEqual(made({}, {"name": "my-own"})["version"], "2.6.0+my.own")
