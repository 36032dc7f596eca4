# SPDX-License-Identifier: BSD-3-Clause
"""Publishes what was packed, for pip, uv, conda clients, people and programs that download.

    ./bootstrap.sh publish add [--channel test|nightly] <target> [<file or folder>...]
    ./bootstrap.sh publish promote <target> [<version>...]
    ./bootstrap.sh publish prune <target> --keep <number> [--channel nightly|test|release]
    ./bootstrap.sh publish yank <target> <version>... --reason <text> [--channel ...]
    ./bootstrap.sh publish remove <target> <version>... [--channel ...] [--yes]
    ./bootstrap.sh publish number <target> <version>...
    ./bootstrap.sh publish smoke [--channel ...] [--kind wheel|conda|zip] <target or address> [<pattern>...]

A target is a folder or s3://bucket/prefix. docs/publishing.md says more. Exit status: 0 good, 1 a check has failed, 2 wrong
use, 3 a file is wrong, missing or its name is taken, 4 the target cannot be reached, read or written, 128 + the signal's
number after an interrupt; the same command then goes on.
"""

import argparse
import os
import pathlib
import re
import sys

from channels import CHANNELS, STAGING, UNLISTED

from engine.failure import Failure
from engine.folders import PROJECT as ROOT
from engine.text import counted, in_words, say, without_password

TARGET = "a folder or s3://bucket/prefix"
VERSIONS = "2.6.0, 2.6.0+cpu or a build of it, 2.6.0+cpu-2; default: all but nightlies and candidates"


def known_address(text):
    """A target, or an address to read from."""
    return text if re.match(r"https?://[^/]", text) else known_target(text)


def known_target(text):
    """Refuses what would otherwise be taken for a folder."""
    if not text:
        raise argparse.ArgumentTypeError("the target is empty")
    if re.match(r"[A-Za-z0-9+]*:/", text) and not re.match(r"s3://[^/]", text):
        raise argparse.ArgumentTypeError(f"{text} is neither a folder nor s3://bucket/prefix")
    return text


def staging_channel(text):
    if text == "release":
        raise argparse.ArgumentTypeError("files get into the channel release by promote: add them to test or nightly")
    return text


def positive(text):
    if not text.isdigit() or not int(text):
        raise argparse.ArgumentTypeError(f"{text} is not a positive number")
    return int(text)


def folder_of(setting, default):
    """What a setting names: as for a build, a relative one lies in the checkout."""
    return ROOT / pathlib.Path(os.environ.get(setting) or default).expanduser()


def parse(words):
    parser = argparse.ArgumentParser(
        prog="./bootstrap.sh publish", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    add = commands.add_parser("add", help="uploads files into a channel")
    add.add_argument("target", type=known_target, help=TARGET)
    add.add_argument(
        "places",
        nargs="*",
        type=pathlib.Path,
        default=[folder_of("TSB_DIST", "dist")],
        metavar="place",
        help="a file or folder; default: TSB_DIST, which is dist unless set",
    )
    add.add_argument("--channel", type=staging_channel, choices=STAGING, default="test", help="default: test")
    promote = commands.add_parser("promote", help="copies tested files to the channel release")
    promote.add_argument("target", type=known_target, help=TARGET)
    promote.add_argument("versions", nargs="*", metavar="version", help=VERSIONS)
    prune = commands.add_parser("prune", help="removes all but the newest versions for each backend")
    prune.add_argument("target", type=known_target, help=TARGET)
    prune.add_argument("--keep", type=positive, required=True, help="this many versions")
    prune.add_argument("--channel", choices=CHANNELS, default="nightly", help="default: nightly")
    yank = commands.add_parser("yank", help="marks files as bad: clients take them only if they are named")
    how = yank.add_mutually_exclusive_group(required=True)
    how.add_argument("--reason", help="what pip and the page show")
    how.add_argument("--undo", action="store_true", help="takes the mark back")
    remove = commands.add_parser("remove", help="removes files, also those of a killed upload")
    remove.add_argument("--yes", action="store_true", help="does not ask")
    for command in yank, remove:
        command.add_argument("target", type=known_target, help=TARGET)
        command.add_argument("versions", nargs="+", metavar="version", help="2.6.0, 2.6.0+cpu, 2.6.0+cpu-2 or a file")
        command.add_argument("--channel", choices=CHANNELS, help="default: all")
    number = commands.add_parser("number", help="prints the TSB_BUILD_NUMBER that gives new files new names")
    number.add_argument("target", type=known_target, help=TARGET)
    number.add_argument(
        "versions", nargs="+", metavar="version", help="of PyTorch; TSB_NIGHTLY, ... count as in a build"
    )
    smoke = commands.add_parser("smoke", help="installs what was published, and uses it")
    smoke.add_argument("target", type=known_address, help=TARGET + ", or the address of a site")
    smoke.add_argument("patterns", nargs="*", metavar="pattern", help="of file names; default: the newest files")
    smoke.add_argument("--channel", choices=CHANNELS, default="test", help="default: test")
    smoke.add_argument("--kind", action="append", choices=("wheel", "conda", "zip"), help="default: all")
    smoke.add_argument(
        "--consumer",
        type=pathlib.Path,
        default=folder_of("TSB_CONSUMER_DIR", "packaging/consumer"),
        help="folder of the programs that use the files; default: packaging/consumer",
    )
    smoke.add_argument("--extra-index-url", help="has what a wheel depends on; default: what pip is configured for")
    if words and words[0] in commands.choices:  # options and names in any order
        options = commands.choices[words[0]].parse_intermixed_args(words[1:])
        options.command = words[0]
        return options
    return parser.parse_args(words)


def needs(options):
    """What ./bootstrap.sh installs. Ends before it does when there is nothing to publish."""
    for place in options.places if options.command == "add" else []:
        if not any(file.suffix in (".whl", ".zip", ".conda") for file in (place, *place.glob("*"), *place.glob("*/*"))):
            raise Failure("%s has no wheel, zip or conda package to read" % place, "build a preset, or name others")
    return "build remote-tools publish-tools"


def withdraw(target, options):
    """Yanks or removes files. Error: Failure, without the user's consent."""
    channels = [options.channel] if options.channel else CHANNELS
    found = target.find(options.versions, channels if options.command == "yank" else (*channels, UNLISTED))
    for channel, names in found.items():
        print("%s from %s:\n  %s" % (options.command, channel, "\n  ".join(sorted(names))), flush=True)
    if options.command == "yank":
        target.yank(found, "" if options.undo else options.reason or "no reason given")
        return
    if not options.yes and sys.stdin.isatty():
        say("Remove these files for good? [y/N]")
        options.yes = sys.stdin.readline().strip().lower() in ("y", "yes")
    if not options.yes:
        raise Failure("nothing was removed: add --yes")
    target.remove(found)


def next_number(target, options):
    """The number that is free among all files, including those of killed uploads. `target` is None of a new site."""
    from choice import next_build

    from engine.model.versions import versions

    settings = {name: os.environ.get("TSB_" + name.upper(), "") for name in ("nightly", "candidate", "build_number")}
    settings.update(blas="", suffix=os.environ.get("TSB_VERSION_SUFFIX", ""))
    files = {}
    if target:
        files = {name: file for channel in (UNLISTED, *CHANNELS) for name, file in target.files_of(channel).items()}
    numbers = []
    for release in options.versions:
        version = versions({**settings, "source_version": release}, {"name": ""}, {})["version"].partition("+")[0]
        numbers.append(next_build(files, version, settings["suffix"], settings["build_number"]))
    return max(numbers, key=lambda text: int(text or 0))


def check_features(artifacts):
    """Error: Failure, for a file without a feature that TSB_ALLOW_MISSING does not name."""
    allowed = re.split(r"[;,\s]+", os.environ.get("TSB_ALLOW_MISSING", ""))
    if "all" in allowed or os.environ.get("TSB_STRICT", "").upper() in ("0", "OFF", "FALSE", "N", "NO"):
        return
    for artifact in artifacts:
        lost = sorted(set(artifact.get("off", {})) - set(allowed))
        if lost:
            what = "; ".join(f"{name} is off: {artifact['off'][name]}" for name in lost)
            remedy = f"build it with their sources, or publish it without: TSB_ALLOW_MISSING={','.join(lost)}"
            raise Failure(f"{artifact['path']} lacks features: {what}", remedy)


def run(options):
    from artifacts import read_artifacts
    from choice import nightlies
    from static_site import Site

    if options.command == "smoke":
        from smoke import smoke

        return smoke(options)
    if options.command == "add":
        artifacts = read_artifacts(options.places)
        check_features(artifacts)
        if options.channel == "nightly":
            artifacts = nightlies(artifacts)
    place = pathlib.Path(options.target)
    if options.command == "number" and "://" not in options.target and place.parent.is_dir() and not place.exists():
        print("there is no folder %s yet, so no number is taken" % place, file=sys.stderr)
        print("TSB_BUILD_NUMBER=" + next_number(None, options))
        return 0
    target = Site(options.target, create=options.command == "add")  # before the first file
    if options.command in ("yank", "remove"):
        withdraw(target, options)
    elif options.command == "number":
        print("TSB_BUILD_NUMBER=" + next_number(target, options))
    elif options.command == "add":
        count = target.add(artifacts, options.channel)
        counts = count, counted(len(artifacts), "file"), options.channel, without_password(options.target)
        print("%d of %s new in the channel %s of %s" % counts)
    elif options.command == "promote":
        print("released: %s" % (", ".join(sorted(target.promote(options.versions))) or "nothing new"))
    else:
        print("removed: %s" % (", ".join(sorted(target.prune(options.channel, options.keep))) or "nothing"))
    return 0


def main():
    words = sys.argv[1:]
    if words[:1] == ["--needs"]:
        print(needs(parse(words[1:])))
        return 0
    options = parse(words)
    # Before those that somebody has installed.
    sys.path[:0] = [str(ROOT / "build" / name) for name in ("remote-tools", "publish-tools")]
    from obstore.exceptions import BaseError

    try:
        return run(options)
    except BrokenPipeError:
        raise
    except (BaseError, OSError) as error:
        check = "rights and free space"
        if "://" in options.target:
            check = "the address, the network and the rights (AWS_...)"
        what = f"{without_password(options.target)}: {in_words(error)}"
        raise Failure(what, f"check {check}; then run the command again", 4) from None
