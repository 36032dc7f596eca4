# SPDX-License-Identifier: BSD-3-Clause
"""Runs PyTorch's tool, and writes which file is a copy of which to .tsb-copies.json: {copy: original}, relative to the
working folder, the tree. The licence gate knows the copies by it: their folders have no licence files.

    cd <tree>; python3 hipify.py tools/amd_build/build_amd.py
"""

import json
import os
import runpy
import sys

sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
tree = os.getcwd()
copies = {}
results = getattr(sys.modules.get("hipify.hipify_python"), "HIPIFY_FINAL_RESULT", {})
for original, result in results.items():
    copy = result.hipified_path
    if copy and os.path.isfile(copy) and not os.path.samefile(copy, original):
        copies[os.path.relpath(copy, tree)] = os.path.relpath(original, tree)
with open(".tsb-copies.json", "w", encoding="utf-8") as stream:
    json.dump(copies, stream, indent=1, sort_keys=True)
    stream.write("\n")
