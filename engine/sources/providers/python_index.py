# SPDX-License-Identifier: BSD-3-Clause
"""Lets pip download one wheel from the Python package index that the machine is configured for. pip gets the pinned hash
too, so that it takes no other file of that version. Any Python's pip, on any processor, can download a wheel for one CPython
or one processor: it is asked for by the tags in the file's name."""

import os
import re
import shutil
import urllib.error

from engine.sources import wheel_members
from engine.sources.download import Fault, fault_of, fault_of_answer
from engine.sources.index_links import pages_of
from engine.sources.remote_file import NoRanges, RemoteFile
from engine.sources.run_pip import pip
from engine.sources.transfer import fault_in_words

# Only pip's debug output says that an index denies access.
OPTIONS = "-vv --no-deps --only-binary=:all: --require-hashes"
UNREACHABLE = "NewConnectionError|ConnectTimeout|NameResolutionError|ProxyError|Max retries|CERTIFICATE_VERIFY_FAILED|suitable TLS CA"


def target(file):
    """pip's options for a wheel that is tied to one CPython or to one processor."""
    tags = re.search(r"-(?:cp([0-9])([0-9]+)-([a-z0-9]+)|py3-none)-([^-]+)\.whl$", file)
    if not tags or tags[4] == "any":
        return []
    options = []
    if tags[1]:
        options = ["--implementation", "cp", "--python-version", f"{tags[1]}.{tags[2]}", "--abi", tags[3]]
    return options + [word for platform in tags[4].split(".") for word in ("--platform", platform)]


def patience(run):
    """Options by which a machine without a network does not wait for a minute, unless the user has chosen others."""
    _, chosen = run.once("pip config", lambda: pip(run.python, "config", "list"))
    wanted = {"timeout": 10, "retries": 1}
    return [f"--{name}={value}" for name, value in wanted.items() if f"{name}=" not in chosen]


def reason_of(run, wanted, sha256, said):
    """Why pip failed, in this project's words. What is so for every wheel is not asked again."""
    if "No module named pip" in said:
        run.unreachable["python-index"] = f"pip is not installed for {run.python}"
        return run.unreachable["python-index"]
    if re.search("Credentials not correct|40[13] (Client )?Error", said):
        return "the index denies access: correct the user name and password in pip's configuration"
    if re.search(UNREACHABLE, said):
        run.unreachable["python-index"] = fault_in_words("https://the index", said) or "the index cannot be reached"
        return run.unreachable["python-index"]
    if "DO NOT MATCH THE HASHES" in said:
        return f"the index has another file: its sha256 is not {sha256}"
    if "No matching distribution" in said:
        return f"the index has no {wanted['project']} {wanted['version']} for this machine"
    errors = re.findall("ERROR: (.*)", said) or said.strip().splitlines() or ["it said nothing"]
    return f"pip failed: {errors[-1]}"


def copy_members(run, wanted, part):
    """Writes the members of a wheel that are wanted; why not. The next candidate is the whole wheel, for an index that has no
    ranges."""
    try:
        pages = pages_of(run.python, wanted["project"])
        url = next((page[wanted["file"]] for page in pages if wanted["file"] in page), "")
        if not url:
            return f"the index has no {wanted['file']}"
        remote = RemoteFile(url)
        members = wheel_members.choose(wheel_members.read_directory(remote.read, remote.size), wanted["members"])
        with open(part, "wb") as file:
            wheel_members.write_members(remote.read_blocks, members, file)
    except urllib.error.HTTPError as error:
        return f"no members of {wanted['file']}: {fault_of_answer(error, 'the index')}"
    except urllib.error.URLError as error:
        run.unreachable["python-index"] = str(fault_of(error, "https://the index"))
        return run.unreachable["python-index"]
    except (OSError, ValueError, Fault, NoRanges, wheel_members.NotAWheel) as error:
        return f"no members of {wanted['file']}: {error}"
    return ""


def provide(run, name, candidate, download, place):
    own, sha256 = {"version": candidate["version"], "file": candidate["filename"]}, candidate["sha256"]
    wanted = own | candidate["python-index"]
    pinned = f"{wanted['project']}=={wanted['version']}"
    if "python-index" in run.unreachable:
        return run.unreachable["python-index"], pinned
    if "members" in wanted:
        return copy_members(run, wanted, download.part), pinned
    folder = run.path("pip", name)
    requirements = os.path.join(folder, "requirements.txt")
    with open(requirements, "w") as file:
        file.write(f"{pinned} --hash=sha256:{sha256}\n")
    words = [*OPTIONS.split(), *patience(run), *target(wanted["file"]), "--dest", folder, "--requirement", requirements]
    status, said = pip(run.python, "download", *words)
    reason = ""
    if status:
        reason = reason_of(run, wanted, sha256, said)
    elif not os.path.exists(os.path.join(folder, wanted["file"])):
        reason = f"pip did not download {wanted['file']}"
    else:
        shutil.move(os.path.join(folder, wanted["file"]), download.part)
    shutil.rmtree(folder, ignore_errors=True)
    return reason, pinned
