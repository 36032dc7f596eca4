# SPDX-License-Identifier: BSD-3-Clause
"""The program for images and containers: buildah or podman. It reads its own variables, such as STORAGE_DRIVER and
BUILDAH_ISOLATION."""

import shutil
import subprocess

from engine.failure import Failure

FORMAT_OF_ID = {
    "buildah": ("inspect", "--type", "image", "--format", "{{.FromImageID}}"),
    "podman": ("image", "inspect", "--format", "{{.Id}}"),
}


def engine():
    for name in FORMAT_OF_ID:
        if shutil.which(name):
            return name
    raise Failure("containers: neither buildah nor podman is installed", "install one of them", 2)


def is_of_this_machine(registry):
    """Such a registry has no certificate."""
    return registry.startswith(("localhost:", "127.0.0.1:"))


def local_id(image):
    """The hash of an image on this machine; empty if there is none."""
    name = engine()
    done = subprocess.run([name, *FORMAT_OF_ID[name], image], capture_output=True, text=True)
    return done.stdout.strip().removeprefix("sha256:") if done.returncode == 0 else ""


def image_id(image):
    """The same; pulls the image if this machine does not have it."""
    if not local_id(image) and subprocess.run([engine(), "pull", image]).returncode:
        raise Failure(
            f"containers: there is no image {image}, and it could not be pulled",
            "./bootstrap.sh containers list shows which can be built",
            2,
        )
    return local_id(image)
