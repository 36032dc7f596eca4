# SPDX-License-Identifier: BSD-3-Clause
"""find_toolkits.py <folder> <root>: writes toolkits.json, and a record for each, toolkit-<index>.json, with what is found with
TSB_CUDA_HOME of the environment."""

import json
import os
import pathlib
import sys

from backends.cuda.doctor.detail.toolkits import find_toolkits
from engine.model.record import write_record

ROOT = pathlib.Path(__file__).resolve().parents[3]

folder, root = sys.argv[1:]
facts = json.loads((ROOT / "backends/cuda/libraries.json").read_text())
found = find_toolkits(facts, "x86_64-linux", root, os.environ.get("TSB_CUDA_HOME", ""))
pathlib.Path(folder, "toolkits.json").write_text(json.dumps(found))
for index, toolkit in enumerate(found):
    write_record(f"{folder}/toolkit-{index}.json", toolkit, "machine")
