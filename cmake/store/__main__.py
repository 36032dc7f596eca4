# SPDX-License-Identifier: BSD-3-Clause
"""python3 cmake/store: as python3 engine store."""

import os
import sys

engine = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../engine")
os.execv(sys.executable, [sys.executable, engine, "store", *sys.argv[1:]])
