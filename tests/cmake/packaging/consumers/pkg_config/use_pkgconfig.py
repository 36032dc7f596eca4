# SPDX-License-Identifier: BSD-3-Clause
"""Prints what Python's module pkgconfig finds, as an extension's setup.py would use it."""

import pkgconfig

found = pkgconfig.parse("torch")
print(*found["libraries"], *found["library_dirs"])
