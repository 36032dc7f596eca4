# SPDX-License-Identifier: BSD-3-Clause
"""Installs conda packages into a new prefix, as a conda client does: solve, download, link.

    install_packages.py --prefix FOLDER [--channel URL] [--driver=PACKAGE=VERSION] [--offline] [--missing FILE] SPEC...

What is not in the channel comes from conda-forge, or from TSB_CONDA_CHANNEL of the environment, which may have a password:
everybody on the machine could see it in a command line. Without --channel it is TSB_PUBLISHED of the environment. Where that cannot be read, or is not a folder with --offline, only what
the specs name is installed, without what it depends on; FILE gets in words what it cannot be used for want of.

With --driver=__cuda=12.4, a machine without that virtual package is taken for one that has it, as CONDA_OVERRIDE_CUDA
does for any client: packages for GPUs can be installed there as well.

Needs py-rattler. Prints the packages. Exits with 1 when they cannot be installed, with 77 when
they were without what they depend on.
"""

import argparse
import asyncio
import os
import pathlib
import re
import subprocess
import sys

from rattler import Gateway, GenericVirtualPackage, PackageName, Version, VirtualPackage, install, solve
from rattler.exceptions import GatewayError, SolverError
from rattler.virtual_package import VirtualPackageOverrides

from engine.text import without_password


def virtual_packages(driver):
    """Those of this machine, with the driver, and in words whether it was not there."""
    found = [package.into_generic() for package in VirtualPackage.detect(VirtualPackageOverrides.from_env())]
    name, _, version = (driver or "").partition("=")
    if not name or any(package.name.normalized == name for package in found):
        return found, ""
    return [
        *found,
        GenericVirtualPackage(PackageName(name), Version(version), "0"),
    ], f"; there is no driver here: as with {driver}"


def missing(options):
    """In words, what a package that was installed alone cannot be used for want of; nothing if this machine has it."""
    if any(re.match("pytorch( |$)", spec) for spec in options.spec):
        return "it was installed without what it depends on"
    libraries = sorted(pathlib.Path(options.prefix, "lib").glob("*.so"))
    environment = {**os.environ, "LD_LIBRARY_PATH": f"{options.prefix}/lib"}
    done = subprocess.run(
        ["ldd", *libraries], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    names = dict.fromkeys(re.findall(r"(\S+) => not found", done.stdout))
    return f"it needs libraries of other packages: {', '.join(names)}" if names else ""


async def run(options):
    others = os.environ.get("TSB_CONDA_CHANNEL") or "conda-forge"
    shown = re.sub("/t/[^/]+", "/t/...", without_password(others))  # a token in conda's form
    why = f"{shown} is not a folder, and TSB_OFFLINE is set"
    records = None
    try:
        if not options.offline or re.match("file://|/", others):
            packages, note = virtual_packages(options.driver)
            why = f"{shown} cannot be read"
            records = await solve(sources=[options.channel, others], specs=options.spec, virtual_packages=packages)
    except GatewayError as error:
        print("a channel cannot be read: %s" % error, file=sys.stderr)
    except SolverError as error:
        print(error, file=sys.stderr)
        return 1
    alone = records is None
    if alone:
        of_channels = await Gateway().query([options.channel], ["linux-64"], options.spec, recursive=False)
        records = [record for of_channel in of_channels for record in of_channel]
    if not records:
        print("the channel does not have %s" % ", ".join(options.spec), file=sys.stderr)
        return 1
    for record in records:
        print(record.file_name)
    await install(
        records=records, target_prefix=options.prefix, cache_dir=options.prefix + ".cache", show_progress=False
    )
    if not alone:
        print(f"with what it depends on from {shown}{note}")
        return 0
    print(f"without what it depends on: the channel {why}")
    lacks = options.missing and missing(options)
    if lacks:
        pathlib.Path(options.missing).write_text(lacks + "\n")
    return 77


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--prefix", required=True)
    parser.add_argument("--channel", default=os.environ.get("TSB_PUBLISHED"))
    parser.add_argument("--driver")
    parser.add_argument("--offline", action="store_true")
    parser.add_argument("--missing")
    parser.add_argument("spec", nargs="+")
    return asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    status = main()
    sys.stdout.flush()
    sys.stderr.flush()
    # Not sys.exit(): a thread of py-rattler may still let go of objects while Python 3.12 ends, and crash it; as other
    # modules made with PyO3 do: https://github.com/PyO3/pyo3/issues/6110
    os._exit(status)
