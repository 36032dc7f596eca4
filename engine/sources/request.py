# SPDX-License-Identifier: BSD-3-Clause
"""A request to fetch and the pins that it names (releases/README.md).

    {"pins": "…/sources.json", "cache": "…", "work": "…", "mirrors": ["…"], "offline": false, "providers": ["local", …],
     "local": {"sleef": "/my/sleef"}, "sources": [{"name": "sleef", "required": true, "needed_by": "package sleef"}],
     "packages": {"sleef": ["sleef"]}}

Required are `pins`, `cache`, `work` and `sources`. `python` (for pip), `apt_etc` and `os_release` replace python3, /etc/apt
and /etc/os-release. `packages` have these sources: fetch writes packages/<package>/sources.json for each. `features`: those that are
wanted, {"FBGEMM": true}; true: without its sources fetch fails. `off`: those that are not, whose submodules nobody asks for.
`backend` says what is built, and `pins_hook` names the backend's hooks/pins.py.
"""

import os

from engine.build_folder import read_json
from engine.failure import Failure
from engine.folders import load_module, natural
from engine.sources import pins as pin_rules

PROVIDERS = ["local", "mirror", "upstream", "git", "distribution", "python-index", "distribution-binary"]


def members(pins, name):
    """The submodules of a source that have pins of their own."""
    return pins["sources"][name].get("submodules", [])


def choose_pins(pins, backend, off=()):
    """Takes the submodules and patches that another backend needs, or a higher version of this one, out of the pins, and
    the submodules of features that are off."""

    def needed(entry):
        lowest = natural(entry.get("lowest_backend_version", ""))
        fits = entry.get("backend", kind) == kind and natural(backend.get("version", "")) >= lowest
        return fits and entry.get("feature") not in off

    kind = backend.get("kind")
    for pin in pins["sources"].values():
        for member in {"submodules", "patches"} & set(pin):
            pin[member] = list(filter(needed, pin[member]))


def ask_hook(pins, request):
    """Lets the backend take out the candidates that it cannot be built with."""
    load_module(request["pins_hook"]).select_pins(pins, request["backend"])


def read_request(path):
    """The request with its defaults, its pins, and the names of all sources that may be needed.

    Error: what cannot be used, with its file.
    """
    request = read_json(path)
    pins = pin_rules.read(request["pins"])
    pin_rules.check(pins, {request["pins"]: pins["sources"]})
    choose_pins(pins, request.get("backend") or {}, request.get("off", ()))
    if request.get("pins_hook"):
        ask_hook(pins, request)
    for member in ("cache", "work"):
        request[member] = os.path.abspath(request[member])
    request["providers"] = request.get("providers") or PROVIDERS[:]
    # A binary package is only the way out where the source package is refused, so it is asked last.
    if "distribution" in request["providers"] and "distribution-binary" not in request["providers"]:
        request["providers"].append("distribution-binary")
    names = []
    for source in request["sources"]:
        if source["name"] not in pins["sources"]:
            raise Failure(f"{request['pins']} has no pin for '{source['name']}'")
        names += [source["name"]] + [member["name"] for member in members(pins, source["name"])]
    return request, pins, list(dict.fromkeys(names))
