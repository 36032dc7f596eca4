# SPDX-License-Identifier: BSD-3-Clause
"""tools/count_lines.py: to which part of the project a file belongs."""

import unittest

import count_lines

CASES = {
    "CMakeLists.txt": ["product"],
    "backends/cuda/packages/nccl/nccl.cmake": ["product"],
    "packaging/torchpkg/CMakeLists.txt": ["product", "torchpkg (also in product)"],
    "packaging/consumer/CMakeLists.txt": ["consumer project"],
    "backends/cuda/consumer/checks.h": ["consumer project"],
    "tests/CMakeLists.txt": ["tests"],
    "tests/cmake/consumer/gpu.cmake": ["tests"],
    "docs/licences.md": ["documentation"],
    "LICENSE": [],
}


class CountLines(unittest.TestCase):
    def test_parts(self):
        self.assertEqual({path: count_lines.parts_of(path) for path in CASES}, CASES)
