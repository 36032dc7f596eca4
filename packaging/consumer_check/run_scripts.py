# SPDX-License-Identifier: BSD-3-Clause
"""Runs each console script of the installed torch: it has to show its help. PyTorch's setup.py has those of torch.distributed
also where that is off, and then they cannot be imported. Exits with 77 when there are no others, with 1 without any."""

import importlib.metadata
import json
import pathlib
import subprocess
import sys

torch = importlib.metadata.distribution("torch")
features = json.loads(torch.read_text("../torch/manifest.json") or "{}").get("features", {})
off = () if features.get("DISTRIBUTED", {}).get("enabled", True) else ("torch.distributed.",)
scripts, shown = [one for one in torch.entry_points if one.group == "console_scripts"], []
if not scripts:
    sys.exit("torch has no console scripts: its entry_points.txt is empty, or missing")
for script in scripts:
    print(script.name, flush=True)
    if not script.value.startswith(off):
        subprocess.run([pathlib.Path(sys.executable).parent / script.name, "--help"], check=True)
        shown.append(script.name)
print(*shown, "show their help" if shown else "torch.distributed is off, and there are no other scripts")
sys.exit(0 if shown else 77)
