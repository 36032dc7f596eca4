#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Kills a command at random moments, and looks at what is left. By hand, with the environment of the stand-in
(tests/e2e/stand_in.cmake) or a real one:

    tests/rehearsal/kill.py <checkout> [--kills <n>] [--longest <seconds>] [--again <folder>]... [--kept <folder>]...
        -- <command>...

Each time the outermost process alone or its group gets SIGKILL, SIGTERM, SIGINT or SIGHUP, and the next time the command
goes on from there; when it has ended well, the folders of --again are removed. Within ten seconds nothing that works in the
checkout may live; until then no build folder may be unlocked; and no file of dist/ or --kept may be gone or another one.
Prints a line for each kill and exits with 1 if one of them was not as it should be."""

import argparse
import fcntl
import hashlib
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time

SIGNALS = signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP


def at_work(checkout):
    """{process: command} of those that have the checkout as folder or as argument; the holders of locks are marked."""
    found = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            words = pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace")
            state = pathlib.Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(") ")[2]
            folder = os.readlink(f"/proc/{pid}/cwd")
        except OSError:
            continue
        if state[0] not in "ZX" and int(pid) != os.getpid() and f"{checkout}/" in words + folder + "/":
            holds = folder == "/" and ("one_run.lock" in words or "one_run.run" in words)
            found[int(pid)] = ("holder: " if holds else "") + words.replace("\0", " ")[:150]
    return found


def free_locks(checkout):
    for file in checkout.glob("build/*/.lock"):
        with open(file) as stream:
            try:
                fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                continue
            yield file.parent.name


def contents(options):
    folders = [options.checkout / folder for folder in ("dist", *options.kept)]
    files = (file for folder in folders for file in folder.rglob("*") if file.is_file())
    files = (file for file in files if ".json" not in file.name and "#" not in file.name)  # statements; half an upload
    return {str(file): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def default_signals():
    for number in SIGNALS[1:]:  # a shell has SIGINT ignored in the background, nohup SIGHUP
        signal.signal(number, signal.SIG_DFL)


def once(options, moment, number, group):
    """What was not as it should be."""
    before, log = contents(options), open(options.log, "wb")
    process = subprocess.Popen(
        options.command,
        cwd=options.checkout,
        stdout=log,
        stderr=log,
        start_new_session=True,
        preexec_fn=default_signals,
    )
    try:
        code = process.wait(moment)
        return f"ended with {code}", "" if code == 0 else f"it ended with {code}"
    except subprocess.TimeoutExpired:
        (os.killpg if group else os.kill)(process.pid, number)
    end, faults = time.monotonic() + 10, set()
    while left := at_work(options.checkout):
        # In this order: what has ended in between does not count.
        free = list(free_locks(options.checkout))
        still = [
            words for pid, words in left.items() if not words.startswith("holder") and pid in at_work(options.checkout)
        ]
        inside = {name for name in free if any(f"/build/{name}" in words for words in still)}
        faults |= {f"unlocked: {name}: {still}" for name in inside}
        if time.monotonic() > end:
            faults.add(f"still at work: {left}")
            process.kill()
            break
        process.poll()
        time.sleep(0.05)
    seconds = 10 - (end - time.monotonic())
    process.wait()
    now = contents(options)
    faults |= {f"lost or changed: {file}" for file, value in before.items() if now.get(file) != value}
    return f"killed, all ended after {seconds:.1f} s, exit {process.returncode}", "; ".join(sorted(faults))


def main():
    end = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("checkout", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--kills", type=int, default=15)
    parser.add_argument("--longest", type=float, default=60)
    parser.add_argument("--again", action="append", default=[])
    parser.add_argument("--kept", action="append", default=[])
    parser.add_argument("--seed", default=str(time.time()))
    parser.add_argument("--log", default="kill.log")
    options = parser.parse_args(sys.argv[1:end])
    options.command, bad, kills = sys.argv[end + 1 :], 0, 0
    random.seed(options.seed)
    print(f"seed {options.seed}")
    while kills < options.kills:
        moment, number, group = random.uniform(0.2, options.longest), random.choice(SIGNALS), random.random() < 0.5
        what, faults = once(options, moment, number, group)
        killed = what.startswith("killed")
        kills, bad = kills + killed, bad + bool(faults)
        whom = f"{number.name} to {'the group' if group else 'it alone'}" if killed else "no kill"
        print(f"{kills}: {moment:.1f} s, {whom}: {what}: {faults or 'as it should be'}", flush=True)
        for folder in [] if killed else options.again:
            shutil.rmtree(options.checkout / folder, ignore_errors=True)
    code = subprocess.run(options.command, cwd=options.checkout, stdout=subprocess.DEVNULL).returncode
    print(f"{bad} of {kills} were not as they should be; at last it ended with {code}")
    return bool(bad or code)


if __name__ == "__main__":
    sys.exit(main())
