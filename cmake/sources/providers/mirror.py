# SPDX-License-Identifier: BSD-3-Clause
"""Takes a download out of a mirror: a folder, or an http(s) address, with the layout of the cache. Offline, a folder is still
asked."""

import errno
import os
import re
import shutil

from download import download as transfer
from text import without_password


def provide(run, name, candidate, download, place):
    below = os.path.relpath(download.file, run.cache)
    shown = without_password(place)
    if re.match("https?://", place):
        if run.offline:
            return f"{shown} not asked, offline", ""
        url = f"{place.rstrip('/')}/{below}"
        return transfer(run, url, download, name), without_password(url)
    folder = place[len("file://") :] if place.startswith("file://") else place
    origin = os.path.join(folder, below)
    if re.match("[A-Za-z+.-]+://", folder):
        reason = f"{shown} is neither a folder nor an address with http, https or file"
    elif not os.path.isdir(folder):
        reason = f"no folder {folder}"
    elif not os.path.exists(origin):
        reason = f"not in {folder}"
    elif os.path.isdir(origin):
        reason = f"{origin} is a folder"
    elif not os.path.isfile(origin):  # a device has no end
        reason = f"{origin} is not a file"
    else:
        reason = ""
        try:
            shutil.copyfile(origin, download.part)
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.EDQUOT):
                raise OSError(error.errno, error.strerror, download.part) from None
            reason = f"{origin} cannot be read: {error.strerror}"
    return reason, origin
