# SPDX-License-Identifier: BSD-3-Clause
"""Where this machine has the licence text of a library of NVIDIA's. The doctor asks before anything is compiled, and what packs
the library asks again."""

import pathlib

from engine.system_package import package_of


def of_pip(library):
    """The licence text of the wheel that a file was installed from: the *.dist-info in a folder above it whose RECORD names
    the file. dist-info/: where somebody has put the wheels of CUDA 13 into the layout of a toolkit."""
    for folder in list(library.parents)[:5]:
        for pattern in ("nvidia*.dist-info/RECORD", "dist-info/nvidia*.dist-info/RECORD"):
            for record in sorted(folder.glob(pattern)):
                texts = [*sorted(record.parent.glob("[Ll][Ii][Cc][Ee][Nn][Ss][Ee]*.txt"))]
                texts += sorted(record.parent.glob("licenses/[Ll]*"))
                if texts and "/%s," % library.name in record.read_text(encoding="utf-8"):
                    return texts[0]
    return None


def of_distribution(library, soname, in_toolkit):
    """The text in share/doc of the distribution's packages, also of those that were unpacked below a folder. By policy a
    library's package is called after its SONAME."""
    root, usr, _ = str(library).rpartition("/usr/lib/")
    name, so, version = soname.rpartition(".so.")
    if not usr or not so:
        return None
    names = [name.lower() + version, name.lower() + "-" + version]
    if in_toolkit:
        names.append("nvidia-cuda-toolkit")
    texts = [pathlib.Path(root + "/usr/share/doc", package, "copyright") for package in names]
    return next((text for text in texts if text.exists()), None)


def text_of(library, soname, home, in_toolkit):
    """The text of the wheel that the library came in, of the distribution's package (NVIDIA's own packages are some), or in
    `home`, the folder of the toolkit or library: EULA.txt, LICENSE. None: there is none."""
    library = pathlib.Path(library).resolve()
    text = of_pip(library) or of_distribution(library, soname, in_toolkit) or package_of(str(library)).license
    if not text and home and not home.endswith("/usr"):  # a distribution's folder has everybody's
        patterns = ("EULA.txt", "LICENSE*", "License.txt", "*cuDNN*.txt")
        text = next((file for pattern in patterns for file in sorted(pathlib.Path(home).glob(pattern))), None)
    return text


def remedy(home):
    return (
        "put it there: EULA.txt of the CUDA toolkit, LICENSE of the others, into %s; or install the library with pip"
        % home
    )
