# SPDX-License-Identifier: BSD-3-Clause
"""Installs conda packages into a new prefix, as a conda client does: solve, download, link.

    install_packages.py --prefix FOLDER --channel URL [--driver PACKAGE=VERSION] [--alone] SPEC...

What is not in the channel comes from conda-forge, or from TSB_CONDA_CHANNEL of the environment, which may have a password:
everybody on the machine could see it in a command line. With --alone nothing else is asked, and only what the specs name
is installed, without what it depends on.

With --driver __cuda=12.4, a machine without that virtual package is taken for one that has it, as CONDA_OVERRIDE_CUDA
does for any client: packages for GPUs can be installed there as well.

Needs py-rattler. Prints the packages. Exits with 1 when they cannot be installed, with 3 when a channel cannot be read.
"""

import argparse
import asyncio
import os
import sys

from rattler import Gateway, GenericVirtualPackage, PackageName, Version, VirtualPackage, install, solve
from rattler.exceptions import GatewayError, SolverError
from rattler.virtual_package import VirtualPackageOverrides


def virtual_packages(driver):
    found = [package.into_generic() for package in VirtualPackage.detect(VirtualPackageOverrides.from_env())]
    name, _, version = (driver or "").partition("=")
    if name and not any(package.name.normalized == name for package in found):
        print("there is no driver here: as with %s" % driver)
        found.append(GenericVirtualPackage(PackageName(name), Version(version), "0"))
    return found


async def find(options):
    """The records of what is installed. Errors: GatewayError, SolverError."""
    if options.alone:
        of_channels = await Gateway().query([options.channel], ["linux-64"], options.spec, recursive=False)
        return [record for records in of_channels for record in records]
    channels = [options.channel, os.environ.get("TSB_CONDA_CHANNEL") or "conda-forge"]
    return await solve(sources=channels, specs=options.spec, virtual_packages=virtual_packages(options.driver))


async def run(options):
    try:
        records = await find(options)
    except GatewayError as error:
        print("a channel cannot be read: %s" % error, file=sys.stderr)
        return 3
    except SolverError as error:
        print(error, file=sys.stderr)
        return 1
    if not records:
        print("the channel does not have %s" % ", ".join(options.spec), file=sys.stderr)
        return 1
    for record in records:
        print(record.file_name)
    await install(
        records=records, target_prefix=options.prefix, cache_dir=options.prefix + ".cache", show_progress=False
    )
    return 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--prefix", required=True)
    parser.add_argument("--channel", required=True)
    parser.add_argument("--driver")
    parser.add_argument("--alone", action="store_true")
    parser.add_argument("spec", nargs="+")
    return asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    status = main()
    sys.stdout.flush()
    sys.stderr.flush()
    # Not sys.exit(): a thread of py-rattler may still let go of objects while Python 3.12 ends, and crash it; as other
    # modules made with PyO3 do: https://github.com/PyO3/pyo3/issues/6110
    os._exit(status)
