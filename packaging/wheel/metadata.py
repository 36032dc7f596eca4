# SPDX-License-Identifier: BSD-3-Clause
"""Completes torch-*.dist-info, which PyTorch's setup.py wrote.

    metadata.py <artifacts/x.json> <site-packages>

licenses/ gets the licence texts of everything that is inside, each named by a License-File line (PEP 639: that is
metadata 2.4), and sboms/ the bills of materials (PEP 770). Both lie below torch/ before. What the modules need and
setup.py does not require is added. Without deps the wheels that have libraries, which an official METADATA requires, are
not required: other packages have them. Nothing else of METADATA is changed.

Refuses METADATA that pip or a package index would refuse. Needs packaging.
https://peps.python.org/pep-0639/ https://peps.python.org/pep-0770/
"""

import email
import pathlib
import re

from packaging.metadata import ExceptionGroup, Metadata
from packaging.version import Version

from engine.artifact import Artifact
from engine.failure import Failure

REGISTRY = "torch/distributed/elastic/rendezvous/registry.py"


def forgotten_requirements(root, python):
    """torchrun needs importlib_metadata before Python 3.10, and does not start in the official wheel without it:
    https://github.com/pytorch/pytorch/issues/163946"""
    if Version(python) >= Version("3.10") or not (root / REGISTRY).exists():
        return []
    found = "from importlib_metadata import entry_points" in (root / REGISTRY).read_text(encoding="utf-8")
    return ["importlib-metadata>=3.6"] if found else []  # the first with entry_points(group=...)


def move_texts(root, info):
    """The licences and the bills of materials."""
    (info / "licenses").mkdir(exist_ok=True)  # setuptools 77 has written LICENSE there, an older one into info
    for text in list((root / "torch/share/licenses").iterdir()):
        text.rename(info / "licenses" / text.name)
    (root / "torch/share/licenses").rmdir()
    for name in ("LICENSE", "NOTICE"):
        if (info / name).exists():
            (info / name).rename(info / "licenses" / name)
    (info / "sboms").mkdir(exist_ok=True)
    for kind in ("spdx", "cdx"):
        (root / "torch/sbom.{}.json".format(kind)).rename(info / "sboms/torch.{}.json".format(kind))


def complete(artifact, root, info):
    """METADATA with other lines in its header, which ends with the first empty line; the description follows."""
    record, text = artifact.record, (info / "METADATA").read_bytes().decode()
    header, empty, description = text.partition("\n\n")
    lines = header.split("\n")
    if not empty or not re.fullmatch(r"Metadata-Version: [0-9.]+", lines[0]):
        raise Failure("%s is not as setuptools writes it" % (info / "METADATA"), "see packaging/wheel/metadata.py")
    left_out = ["License-File: "]
    if record["deps"] == "without-deps":
        wheels = artifact.backend.get("consumer", {}).get("library_wheels", [])
        left_out += ["Requires-Dist: " + name for name in wheels]
    kept = [line for line in lines[1:] if not line.startswith(tuple(left_out))]
    condition = 'platform_system == "Linux" and platform_machine == "%s"' % record["target"]["wheel_machine"]
    required = forgotten_requirements(root, record["python"])
    required += ["%s; %s" % (name, condition) for name in artifact.ask("wheel", default=[])]
    licenses = sorted(str(path.relative_to(info / "licenses")) for path in info.glob("licenses/**/*") if path.is_file())
    lines = ["Metadata-Version: 2.4", *kept, *("Requires-Dist: " + name for name in required)]
    lines += ["License-File: " + name for name in licenses]
    (info / "METADATA").write_bytes(("\n".join(lines) + empty + description).encode())


def problems(info):
    """What pip or a package index would refuse."""
    text = (info / "METADATA").read_bytes()
    # Python reads the rest of such a header as the description.
    if email.message_from_bytes(text).defects:
        return ["a line of the header has no field"]
    try:
        metadata = Metadata.from_email(text)
    except ExceptionGroup as group:
        return ["%s: %s" % (problem.field, problem) for problem in group.exceptions]
    licenses = info / "licenses"
    return [
        "license-file: %s is missing" % (licenses / file)
        for file in metadata.license_files or []
        if not (licenses / file).is_file()
    ]


def main(artifact, root):
    root = pathlib.Path(root)
    (info,) = root.glob("torch-*.dist-info")
    move_texts(root, info)
    complete(Artifact(artifact), root, info)
    found = problems(info)
    if found:
        what = "%s is not valid: %s" % (info / "METADATA", "; ".join(found))
        raise Failure(what, "correct what setup.py, or packaging/wheel/metadata.py, writes into it")
