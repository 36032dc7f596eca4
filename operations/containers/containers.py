# SPDX-License-Identifier: BSD-3-Clause
"""Builds the images that presets run in, with buildah or podman.

./bootstrap.sh containers list
./bootstrap.sh containers build <kind> [--base <image>] [--tag <name>] [--push <registry>/<name>]
"""

import argparse
import shutil
import subprocess

from generate_containerfiles import FOLDER, PROJECT, kinds

from engine.containers import FORMAT_OF_ID, Failure, engine, is_of_this_machine, local_id


def tag_of(kind):
    return f"localhost/torch-superbuild-{kind['name']}"


def run(*command):
    print("containers:", *command, flush=True)
    if subprocess.run(command, cwd=PROJECT).returncode:
        raise Failure(f"containers: {command[0]} {command[1]} has failed: the lines above say why")


def build(kind, options):
    tag = options.tag or tag_of(kind)
    base = ["--build-arg", f"BASE={options.base}"] if options.base else []
    run(engine(), "build", *base, "--tag", tag, "--file", str(FOLDER / f"{kind['name']}.Containerfile"), str(PROJECT))
    if options.push:
        plain = ["--tls-verify=false"] if is_of_this_machine(options.push) else []
        run(engine(), "push", *plain, tag, f"docker://{options.push}")


def show():
    rows = [("kind", "base", "image", "for")]
    for kind in kinds():
        there = any(map(shutil.which, FORMAT_OF_ID)) and local_id(tag_of(kind))[:12] or "not built"
        rows.append((kind["name"], kind["base"], there, kind["what"]))
    widths = [max(map(len, column)) for column in zip(*rows)]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())


def parse():
    parser = argparse.ArgumentParser(prog="./bootstrap.sh containers", description=__doc__.split("\n\n")[0])
    parser.add_argument("--needs", action="store_true", help=argparse.SUPPRESS)  # for bootstrap.sh
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="show the kinds, and which are built")
    command = commands.add_parser("build", help="build the image of a kind")
    command.add_argument("kind", choices=[kind["name"] for kind in kinds()])
    command.add_argument("--base", metavar="IMAGE", help="the base image; default: the one that list shows")
    command.add_argument("--tag", metavar="NAME", help="the image's name; default: localhost/torch-superbuild-<kind>")
    command.add_argument("--push", metavar="NAME", help="push the image: registry.example.org/name:tag")
    return parser.parse_args()


def main():
    options = parse()
    if options.needs:
        print("nothing" if options.command == "list" else "build containers")
        return 0
    if options.command == "list":
        show()
    else:
        build(next(kind for kind in kinds() if kind["name"] == options.kind), options)
