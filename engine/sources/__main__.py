# SPDX-License-Identifier: BSD-3-Clause
"""The three things that are done with sources:

    python3 engine sources fetch --request <json file> --result <json file> [--offline]
    python3 engine sources unpack --sources <json file> --name <source> --destination <folder>
    python3 engine sources patch --package <json file> --name <source> --tree <folder> [--folder <folder>]

Exit status 0: done. 1: a required source is missing. 3: bad input, or a source that cannot be unpacked or patched; one
message on standard error says which and why. 128 + a signal: interrupted by it.
"""

import argparse
import json
import os

from engine.failure import Failure


def fetch(arguments):
    from engine.sources.fetch import fetch_sources

    return fetch_sources(arguments.request, arguments.result, arguments.offline)


def unpack(arguments):
    from engine.sources.unpack import unpack_source

    try:
        with open(arguments.sources, encoding="utf-8") as file:
            sources = json.load(file)
        source = sources.get("sources", sources)[arguments.name]
    except (OSError, KeyError, ValueError):
        raise Failure(f"{arguments.sources} has no source '{arguments.name}': run the target fetch") from None
    unpack_source(source, os.path.abspath(arguments.destination))
    return 0


def patch(arguments):
    from engine.sources.patches import patch_tree

    tree = os.path.abspath(arguments.tree)
    with open(arguments.package, encoding="utf-8") as file:
        package = json.load(file)
    folder = os.path.join(os.path.dirname(package["pins"]), "patches")
    patch_tree(tree, package["patches"][arguments.name], folder, arguments.folder or tree)
    return 0


COMMANDS = {"fetch": fetch, "unpack": unpack, "patch": patch}


def parse():
    parser = argparse.ArgumentParser(prog="engine sources", description="Fetches, unpacks and patches sources.")
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("fetch", help="bring the sources of a request into the cache, verified")
    command.add_argument("--request", required=True, help="the request: request.py")
    command.add_argument("--result", required=True, help="the file for the result, also when sources are missing")
    command.add_argument("--offline", action="store_true", help="ask folders only, whatever the request says")
    command = commands.add_parser("unpack", help="unpack one source to a folder, which it replaces")
    command.add_argument("--sources", required=True, help="the result of fetch, or a package's sources.json")
    command.add_argument("--name", required=True, help="the name of the source in it")
    command.add_argument("--destination", required=True)
    command = commands.add_parser("patch", help="apply patches to a tree")
    command.add_argument("--package", required=True, help="the package.json with the `patches` of its sources")
    command.add_argument("--name", required=True, help="the name of the source")
    command.add_argument("--tree", required=True)
    command.add_argument("--folder", default="", help="the user's folder that the tree is a copy of, for messages")
    return parser.parse_args()


def main():
    arguments = parse()
    try:
        return COMMANDS[arguments.command](arguments)
    except Failure as failure:
        raise Failure(f"{arguments.command}: {failure.what}", failure.remedy) from None
