# SPDX-License-Identifier: BSD-3-Clause
"""Makes an artifact's tree independent of this machine: one with deps gets what its libraries need, and the files that the
backend's libraries read, such as kernels; in one without only the RPATHs are set.

    bundle_tree.py --artifact <artifacts/x.json> --root <the tree> --report <file>
                   [--lib <folder>] [--needed-by <library>...] [--linked <library>...]

bundle.py says what the options mean. The backend's libraries come from the superbuild's packages; those that the
backend's hook `wheel_folders` names are left to other wheels, to which the RPATHs then lead.
"""

import argparse
import pathlib
import re
import shutil
import subprocess

from engine.artifact import Artifact
from engine.bundle import Bundler, Request
from engine.failure import Failure


def strip_built(artifact, folder):
    """Copies there the backend's libraries that were built here, without the debug information that all our packages are
    compiled with; what others compiled has none."""
    for package, libraries in artifact.library_folders.items():
        for library in libraries.glob("*.so.*") if not artifact.machine(package) else []:
            if re.search(r"\.so\.\d+$", library.name):  # by their SONAMEs
                folder.mkdir(exist_ok=True)
                command = [artifact.record["objcopy"], "--strip-unneeded", library, folder / library.name]
                if subprocess.run(command).returncode:
                    raise Failure("cannot strip %s" % library, "see the message above")


def of_backend(artifact, stage):
    """Members of the request for the backend's libraries."""
    if not artifact.library_folders:
        return {}
    members = {"also": artifact.opened_by_name(), "elsewhere": artifact.ask("wheel_folders", default=[])}
    folders = [str(folder) for folder in artifact.library_folders.values()]
    if artifact.backend.get("prebuilt"):  # their licences are for the files as they are
        loader = f"lib{artifact.backend['libraries'][0]}.so" if "libraries" in artifact.backend else ""
        return {**members, "search": folders, "unchanged": folders, "only": True, "loader": loader}
    strip_built(artifact, stage / "stripped")
    return {**members, "search": [str(stage / "stripped"), *folders]}


def copy_data(artifact, root):
    """What lies in lib/ lies beside the libraries."""
    for source, folder in artifact.ask("data", default=[]):
        (root / folder).mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, root / folder / source.name, symlinks=True)
        else:
            shutil.copy2(source, root / folder, follow_symlinks=False)


def bundle_tree(artifact, options):
    with_deps = artifact.record["deps"] != "without-deps"
    request = Request(
        torchpkg=artifact.settings["torchpkg"],
        root=options.root,
        report=options.report,
        lib=options.lib,
        needed_by=options.needed_by,
        linked=options.linked or None,
        toolkits=[artifact.libraries_file] if artifact.libraries_file else [],
        soname_version=artifact.record.get("soname_version", ""),
        rename=with_deps,
        rpath_only=not with_deps,
        **of_backend(artifact, pathlib.Path(options.report).parent),
    )
    Bundler(request).run()
    if with_deps:
        copy_data(artifact, pathlib.Path(options.root, options.lib).parent)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("--artifact", "--root", "--report"):
        parser.add_argument(name, required=True)
    parser.add_argument("--lib", default="lib")
    for name in ("--needed-by", "--linked"):
        parser.add_argument(name, nargs="*", default=[])
    options = parser.parse_args()
    bundle_tree(Artifact(options.artifact), options)
