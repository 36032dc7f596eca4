# SPDX-License-Identifier: BSD-3-Clause
"""The distribution's archives, through apt.

A source package: its revision moves on while its upstream archive stays the same, so no revision is pinned: any version of
the package will do whose signed index lists the pinned sha256. A binary package, for what is not compiled (headers, Python
modules): its version is pinned.

apt gets a private state: the archives that this machine is already configured for, asked for source packages (or for binary
packages) of more releases than the machine itself uses, with lists and caches in the folder of the run, since they are large
and soon out of date. The machine's own state is left alone, and root is not needed.
"""

import contextlib
import glob
import os
import re
import shutil
import subprocess

from .apt_sources import make_source_list

NO_NETWORK = "Could not (resolve|connect)|Cannot initiate|Temporary failure|Connection (failed|timed)"


def apt(program, options, *words, **streams):
    return subprocess.run(
        [program, *options, *words],
        env={**os.environ, "LC_ALL": "C"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        **streams,
    )


def options_for(state):
    settings = {
        "Dir::State::Lists": f"{state}/lists",
        "Dir::Cache": f"{state}/cache",
        "Dir::Cache::pkgcache": "pkgcache.bin",
        "Dir::Cache::srcpkgcache": "srcpkgcache.bin",
        "Dir::Etc::SourceList": f"{state}/private.sources",
        "Dir::Etc::SourceParts": "/dev/null",
        "Acquire::Languages": "none",
        "Acquire::Retries": "1",
        "Acquire::http::Timeout": "10",
        "Acquire::https::Timeout": "10",
    }
    return [word for name, value in settings.items() for word in ("-o", f"{name}={value}")]


def let_apts_user_in(run, folder):
    """As root apt downloads as a user of its own, if that one can write into the folder; else, such as below /root, as root."""
    if os.geteuid() == 0:
        os.chmod(run.folder, 0o711)
        with contextlib.suppress(LookupError):
            shutil.chown(folder, "_apt")


def private_state(run, types):
    """The options for an up-to-date private state of these types (deb-src or deb), and why there is none. Once in a run."""

    def make():
        if not shutil.which("apt-get") or not shutil.which("apt-cache"):
            return [], "no apt on this machine"
        state = run.path(f"apt-{types}")
        os.makedirs(f"{state}/lists/partial")
        let_apts_user_in(run, f"{state}/lists/partial")
        os.makedirs(f"{state}/cache/archives/partial")
        sources = make_source_list(types, run.apt_etc, run.os_release)
        if not sources:
            return [], f"no apt sources in {run.apt_etc}"
        with open(f"{state}/private.sources", "w") as file:
            file.write(sources)
        options = options_for(state)
        done = apt("apt-get", options, "update")
        if re.search(NO_NETWORK, done.stderr):
            return [], "the archives cannot be reached"
        # A release that the archives do not have does not matter, as long as there is one.
        if not glob.glob(f"{glob.escape(state)}/lists/*_Sources*") + glob.glob(
            f"{glob.escape(state)}/lists/*_Packages*"
        ):
            fault = re.search("E: .*", done.stderr) or re.search("W: .*", done.stderr)
            return [], f"apt has no lists: {fault[0] if fault else ''}"
        return options, ""

    return run.once(f"apt-{types}", make)


def take(run, name, wanted, download, options, *words):
    """Runs apt-get in a folder of its own and takes the one file that is wanted; why it cannot, or an empty string."""
    folder = run.path("apt", name)
    let_apts_user_in(run, folder)
    done = apt("apt-get", options, "--quiet=2", *words, cwd=folder)
    # apt writes ':' and '~' of a binary package's version in its own way, so any single file is taken there.
    files = [file for file in sorted(os.listdir(folder)) if re.fullmatch(wanted, file)]
    refused = re.search(r"[^0-9](4[0-9][0-9])  ?[A-Z]", done.stderr)
    reason = ""
    if files:
        shutil.move(os.path.join(folder, files[0]), download.part)
    elif re.search(NO_NETWORK, done.stderr):
        reason = "the archives cannot be reached"
    elif refused:
        reason = f"the archives refuse it (HTTP {refused[1]})"
    else:
        fault = re.search("E: .*", done.stderr)
        reason = f"apt-get failed: {fault[0] if fault else ''}"
    shutil.rmtree(folder, ignore_errors=True)
    return reason


def provide_source(run, name, candidate, download, place):
    package = candidate["distribution"]["package"]
    options, reason = private_state(run, "deb-src")
    if reason:
        return reason, ""
    versions, found = [], None
    for record in apt("apt-cache", options, "showsrc", "--only-source", package).stdout.split("\n\n"):
        version = re.search("^Version: (.+)$", record, re.MULTILINE)
        if version:
            versions.append(version[1])
            # The archive may have another name there than in the release it was pinned from.
            file = re.search(rf"^ {download.proof['sha256']} [0-9]+ (.+)$", record, re.MULTILINE)
            found = (version[1], file[1]) if file else found
    if not versions:
        return f"{package} is not in the archives", ""
    if not found:
        return f"{package} in the archives is {', '.join(dict.fromkeys(versions))}, with other files", ""
    version, file = found
    part = "--diff-only" if re.search(r"\.(debian\.tar|diff)\.[a-z0-9]+$", file) else "--tar-only"
    words = ["source", "--only-source", "--download-only", part, f"{package}={version}"]
    return take(run, name, re.escape(file), download, options, *words), f"{package}={version}"


def provide_binary(run, name, candidate, download, place):
    wanted = candidate["distribution-binary"]
    pinned = f"{wanted['package']}={wanted['version']}"
    options, reason = private_state(run, "deb")
    return reason or take(run, name, r".*\.deb", download, options, "download", pinned), pinned
