# SPDX-License-Identifier: BSD-3-Clause
"""Downloads the archive that the project itself publishes, from one of the addresses under `url`."""

from engine.sources.download import download as transfer
from engine.text import without_password


def provide(run, name, candidate, download, place):
    shown = without_password(place)
    return transfer(run, place, download, name, shown), shown
