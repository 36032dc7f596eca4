# SPDX-License-Identifier: BSD-3-Clause
"""Takes a download out of a mirror: a folder, or an http(s) address, with the layout of the cache. Offline, a folder is still
asked."""

import os
import re
import shutil

from engine.failure import FULL
from engine.sources.download import download as transfer
from engine.text import without_password


def provide(run, name, candidate, download, place):
    below = os.path.relpath(download.file, run.cache)
    host = re.match("(https?://)([^/]*@)?([^/@?]*)", place)
    if host:
        shown = f"{host[1]}{host[3]}/.../{below}"  # its path and query may hold a token
        if run.offline:
            return f"{host[1]}{host[3]} not asked, offline", ""
        base, mark, query = place.partition("?")
        return transfer(run, f"{base.rstrip('/')}/{below}{mark}{query}", download, name, shown), shown
    folder = place[len("file://") :] if place.startswith("file://") else place
    origin = os.path.join(folder, below)
    shown = without_password(place)
    if not folder.startswith("/"):
        return f"{shown} is neither an absolute path nor an address with http, https or file", ""
    if not os.path.isdir(folder):
        return f"no folder {folder}", ""
    try:
        with open(origin, "rb") as file, open(download.part, "wb") as part:
            shutil.copyfileobj(file, part, 1 << 20)
    except FileNotFoundError:
        return f"not in {folder}", ""
    except OSError as error:
        if error.errno in FULL:
            raise OSError(error.errno, error.strerror, download.part) from None
        return f"{origin} cannot be read: {error.strerror}", ""
    return "", origin
