# SPDX-License-Identifier: BSD-3-Clause
"""pip installs the wheels that files of requirements name with their hashes, and nothing else:

    python install_requirements.py --wheels=FOLDER --index=WORDS FILE
    python install_requirements.py --wheels=FOLDER --index=WORDS --modules=FOLDER --gpus=N --of-wheel=FOLDER STATE

from the folder of wheels, where the step fetch puts them, or else from pip's index. The second form installs what the
installed torch requires (choose_requirements.py). Where that cannot be, the file "no dependencies" in the folder STATE says
why, and "no libraries" if torch cannot be used without them; what lies in the folder of modules can be imported then.

Exits with 77 when they cannot be installed, with 1 when an index has other files of these names: what it has is not
what everybody has; or when GPUs are to be used and libraries are missing.
"""

import argparse
import importlib.metadata
import json
import os
import pathlib
import subprocess
import sys
import sysconfig

from engine.folders import PROJECT, Folders

HERE = pathlib.Path(__file__).resolve().parent


def installed(options, file):
    """Whether pip has installed them."""
    pip = [sys.executable, "-m", "pip", "install", "--require-hashes", "--only-binary", ":all:", "--no-deps"]
    for place in ["--no-index", "--find-links", options.wheels], ["--timeout", "10", "--retries", "1"]:
        done = subprocess.run([*pip, "--requirement", file, *place], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        text = done.stdout.decode(errors="replace")
        print(text, end="", flush=True)
        if done.returncode == 0:
            return True
    if "DO NOT MATCH THE HASHES" in text:
        print("FAIL pip was given other files than those with the pinned hashes")
        print("FAIL let pip use an index or folder with the published files (PIP_INDEX_URL)")
        sys.exit(1)
    return False


def library_wheels():
    """What torch takes its libraries from."""
    backends = [
        json.loads(file.read_text()) for file in Folders(os.environ.get("TSB_ADDITIONS")).of_backends("backend.json")
    ]
    beginnings = tuple(name for one in backends for name in one.get("consumer", {}).get("library_wheels", ()))
    required = (line.replace(";", " ").split()[0] for line in importlib.metadata.requires("torch") or ())
    return [name for name in required if name.startswith(beginnings)]


def install_of_wheel(options, state):
    file, reasons = state / "requirements.txt", [state / "no dependencies", state / "no libraries"]
    for reason in reasons:
        reason.unlink(missing_ok=True)
    command = [
        sys.executable,
        "-B",
        PROJECT / "engine",
        HERE / "choose_requirements.py",
        file,
        *filter(None, [options.of_wheel]),
    ]
    unknown = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    if not unknown and installed(options, file):
        return 0
    why = f"no hash is known for {unknown}" if unknown else f"pip could not install them {options.index}"
    reasons[0].write_text(f"{why}; what needs them was not checked\n")
    pathlib.Path(sysconfig.get_path("purelib"), "modules.pth").write_text(f"{options.modules}\n")
    libraries = " ".join(library_wheels())
    if libraries:
        reasons[1].write_text(f"it needs the libraries of {libraries}: installed, but not used\n")
    if libraries and options.gpus:
        print(f"FAIL it needs the libraries of {libraries}: {why}")
        print(
            "FAIL let pip reach an index that has them (PIP_INDEX_URL), or add their hashes to the release's libraries.txt"
        )
        return 1
    print(reasons[0].read_text(), end="")
    return 77


def main():
    parser = argparse.ArgumentParser()
    for name in "wheels", "index", "modules", "gpus", "of-wheel":
        parser.add_argument(f"--{name}")
    parser.add_argument("file", type=pathlib.Path)
    options = parser.parse_args()
    if options.of_wheel is not None:
        return install_of_wheel(options, options.file)
    if installed(options, options.file):
        return 0
    print(f"pip could not install NumPy and onnx {options.index}; what needs them was not checked")
    return 77
