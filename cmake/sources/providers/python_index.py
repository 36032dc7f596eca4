# SPDX-License-Identifier: BSD-3-Clause
"""Lets pip download one wheel from the Python package index that the machine is configured for. pip gets the pinned hash
too, so that it takes no other file of that version. Any Python's pip can download a wheel for one CPython: it is asked for by
the tags in the file's name."""

import os
import re
import shutil
import subprocess

from transfer import fault_in_words

OPTIONS = "--no-deps --only-binary=:all: --require-hashes --no-cache-dir --no-input --quiet --disable-pip-version-check --timeout 10 --retries 1"
UNREACHABLE = "NewConnectionError|ConnectTimeout|NameResolutionError|ProxyError|Max retries|CERTIFICATE_VERIFY_FAILED|suitable TLS CA"


def target(file):
    """pip's options for a wheel that is tied to one CPython."""
    tags = re.search(r"-cp([0-9])([0-9]+)-([a-z0-9]+)-([^-]+)\.whl$", file)
    if not tags:
        return []
    options = ["--implementation", "cp", "--python-version", f"{tags[1]}.{tags[2]}", "--abi", tags[3]]
    return options + [word for platform in tags[4].split(".") for word in ("--platform", platform)]


def provide(run, name, candidate, download, place):
    wanted = candidate["python-index"]
    pinned = f"{wanted['project']}=={wanted['version']}"
    if "python-index" in run.unreachable:
        return run.unreachable["python-index"], pinned
    folder = run.path("pip", name)
    requirements = os.path.join(folder, "requirements.txt")
    with open(requirements, "w") as file:
        file.write(f"{pinned} --hash=sha256:{download.proof['sha256']}\n")
    command = [run.python, "-m", "pip", "download", *OPTIONS.split(), *target(wanted["file"]), "--dest", folder]
    environment = {**os.environ, "LC_ALL": "C", "PYTHONWARNINGS": "ignore"}
    try:
        done = subprocess.run(
            [*command, "--requirement", requirements],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
        )
        failed, said = done.returncode != 0, done.stdout
    except OSError:
        failed, said = True, "No module named pip"
    reason = ""
    if not failed and not os.path.exists(os.path.join(folder, wanted["file"])):
        reason = f"pip did not download {wanted['file']}"
    elif not failed:
        shutil.move(os.path.join(folder, wanted["file"]), download.part)
    elif "No module named pip" in said:
        reason = run.unreachable["python-index"] = f"pip is not installed for {run.python}"
    elif re.search(UNREACHABLE, said):
        reason = fault_in_words("https://the index", said) or "the index cannot be reached"
        run.unreachable["python-index"] = reason
    elif re.search("HASHES|hashes", said):
        reason = f"the index has another file: its sha256 is not {download.proof['sha256']}"
    elif re.search("Credentials not correct|40[13] (Client )?Error", said):
        reason = run.unreachable["python-index"] = (
            "the index denies access: correct the password in pip's configuration"
        )
    elif "No matching distribution" in said:
        reason = f"the index has no {wanted['project']} {wanted['version']} for this machine"
    else:
        reason = f"pip failed: {said.strip().splitlines()[-1] if said.strip() else 'it said nothing'}"
    shutil.rmtree(folder, ignore_errors=True)
    return reason, pinned
