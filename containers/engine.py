# SPDX-License-Identifier: BSD-3-Clause
"""The program that has images and containers: buildah or podman. Their own variables choose the rest: STORAGE_DRIVER,
BUILDAH_ISOLATION."""

import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cmake/sources"))

from text import Failure  # noqa: E402

FORMAT_OF_ID = {
    "buildah": ("inspect", "--type", "image", "--format", "{{.FromImageID}}"),
    "podman": ("image", "inspect", "--format", "{{.Id}}"),
}


def engine():
    for name in FORMAT_OF_ID:
        if shutil.which(name):
            return name
    raise Failure("containers: there is neither buildah nor podman\n  install one of them")


def local_id(image):
    """The hash of an image that is here; empty when it is not."""
    name = engine()
    done = subprocess.run([name, *FORMAT_OF_ID[name], image], capture_output=True, text=True)
    return done.stdout.strip().removeprefix("sha256:") if done.returncode == 0 else ""


def image_id(image):
    """The same; it is pulled when it is not here."""
    if not local_id(image) and subprocess.run([engine(), "pull", image]).returncode:
        raise Failure(
            f"containers: there is no image {image}, and it could not be pulled\n"
            "  ./bootstrap.sh containers list says which can be built"
        )
    return local_id(image)
