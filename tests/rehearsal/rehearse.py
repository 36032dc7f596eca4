#!/usr/bin/env -S python3 engine --modules tests/cmake --modules tests/cmake/operations/workflows
# SPDX-License-Identifier: BSD-3-Clause
"""Plays the whole release factory on this machine, with real servers: a fleet, the jobs of GitHub's workflow, publishing to a
folder and S3, promotion, and smoke tests from the published place. It is killed on the way, and nothing half-published
may be left.

    tests/rehearsal/rehearse.py [--presets cpu-all] [--real official-cpu-libtorch-shared] <folder> [<stage>...]

What is compiled is the stand-in of PyTorch (tests/fixtures); --real names presets that are made of the real one. <folder> gets
a clone of this checkout's HEAD and all else, 5 GB with a real preset; each stage says how long it took; stages can be run one by one.
Needs what ./bootstrap.sh --test installs.
"""

import argparse
import contextlib
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

import servers
from player import Player

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Failure(Exception):
    """What a stage was to show, and does not."""


def expect(good, what):
    if not good:
        raise Failure(what)


class Servers(contextlib.ExitStack):
    """What servers.py wants of a test."""

    def addCleanup(self, *words):
        self.callback(*words)

    def fail(self, text):
        raise Failure(text)

    def environment(self, **variables):
        os.environ.update(variables)


class Rehearsal:
    def __init__(self, options, stack):
        self.options, self.stack = options, stack
        self.folder = options.folder.resolve()
        self.checkout = self.folder / "checkout"
        self.site = self.folder / "site"

    @property
    def today(self):
        return time.strftime("%Y%m%d", time.gmtime())

    def command(self, *words):
        return [str(self.checkout / "bootstrap.sh"), *map(str, words)]

    def run(self, *words, environment=None, ends=0):
        """The output of a command of bootstrap.sh."""
        print("$ ./bootstrap.sh", *words, flush=True)
        done = subprocess.run(
            self.command(*words), env={**os.environ, **(environment or {})}, stdout=subprocess.PIPE, text=True
        )
        print(done.stdout, end="", flush=True)
        expect(done.returncode == ends, f"it ended with {done.returncode}")
        return done.stdout

    def kill(self, *words, when, environment=None):
        """Runs a command, and kills it and all that it has started once `when` holds."""
        print("$ ./bootstrap.sh", *words, "(to be killed)", flush=True)
        process = subprocess.Popen(
            self.command(*words), env={**os.environ, **(environment or {})}, start_new_session=True
        )
        while not when():
            expect(process.poll() is None, "it ended before it could be killed")
            time.sleep(0.002)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    @property
    def stand_in(self):
        """The environment in which presets make the stand-in: tests/e2e/stand_in.cmake."""
        return {
            "TSB_PINS_FILE": str(self.folder / "stand-in/pins/sources.json"),
            "TSB_SOURCE_MIRROR": str(self.folder / "stand-in/mirror"),
            "TSB_PROVIDERS": "mirror",
            "TSB_CONSUMER_DIR": str(self.checkout / "tests/fixtures/consumer-stand-in"),
            "TSB_SOURCES": str(self.folder / "sources"),
            "TSB_STORE": str(self.folder / "store"),
            "TSB_STORE_REMOTE": self.store,
            "TSB_CONDA_CHANNEL": "/nowhere",
            "PIP_NO_DEPS": "1",
            "TSB_DOCTOR_SKIP": "disk,memory",
            "CCACHE_DIR": str(self.folder / "ccache"),
        }

    def prepare(self):
        """The checkout, the sources of the stand-in."""
        subprocess.run(["git", "clone", "--quiet", ROOT, self.checkout], check=True)
        make = [f"-DTSB_OUTPUT={self.folder}/stand-in", "-P", f"{ROOT}/tests/fixtures/make_mirror.cmake"]
        subprocess.run(["cmake", *make], check=True, stdout=subprocess.DEVNULL)
        wheels, target = self.folder / "stand-in/mirror/wheels", self.folder / "python-tools"
        fetch = [ROOT / "packaging/libraries/fetch_wheels.py", "--cache", wheels, "--target", target]
        tools = ["--tools", ROOT / "packaging/libraries/requirements.txt"]
        subprocess.run([sys.executable, "-I", "-B", *fetch, *tools], check=True)

    def serve(self):
        """The store on a web server that takes PUT, S3; the site on a web server."""
        put = "dav_methods PUT; create_full_put_path on;"
        self.store, _ = servers.nginx(self.stack, self.folder / "servers/store", f"location / {{ {put} }}")
        servers.s3(self.stack, self.folder / "servers/s3", "torch")
        os.environ["AWS_ALLOW_HTTP"] = "true"
        # As website hosting of S3 does it: a page for a folder.
        pages = f"rewrite ^(.*)/$ $1/index.html break; proxy_pass {os.environ['AWS_ENDPOINT_URL']};"
        address, _ = servers.nginx(self.stack, self.folder / "servers/website", f"location / {{ {pages} }}")
        self.bucket = f"{address}/torch"

    def fleet(self):
        """All presets of the selection, killed while the first one compiles; then what is done is not made again."""
        log = self.checkout / "build/fleet"

        def compiles():
            return any("pytorch build" in file.read_text(errors="replace") for file in log.glob("*.log"))

        self.kill("fleet", *self.options.presets, when=compiles, environment=self.stand_in)
        expect(not list((self.checkout / "dist").glob("*")), "dist/ has something half-made")
        said = self.run("fleet", *self.options.presets, environment=self.stand_in)
        expect("failed" not in said, "a preset has failed")
        again = self.run("fleet", *self.options.presets, environment=self.stand_in)
        ran = re.findall(r"(?m)^fleet: \d+ of \d+: ", said)
        expect(again.count("is already done") == len(ran) > 0, "a preset that is done was made again")

    def real(self):
        """Presets of the real PyTorch, into a folder of their own."""
        if self.options.real:
            self.run("fleet", *self.options.real, environment={"TSB_DIST": str(self.folder / "real")})

    def jobs(self):
        """The nightly workflow of GitHub, one compile of it: plan, build, test, upload to S3, smoke from there."""
        variables = {"TSB_TARGET": "s3://torch/night", "TSB_ADDRESS": f"{self.bucket}/night"}
        names = "AWS_ENDPOINT_URL", "AWS_REGION"
        variables |= {name: os.environ[name] for name in names} | {"TSB_STORE_REMOTE": self.store}
        secrets = {name: os.environ[name] for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY")}
        environment = {**self.stand_in, "TSB_STORE": str(self.folder / "store of jobs"), "TSB_PYTHONS": "3.11"}
        environment["GITHUB_STEP_SUMMARY"] = str(self.folder / "summary.md")
        player = Player(
            self.checkout,
            self.folder,
            only={"compile": "cpu"},
            environment=environment,
            vars=variables,
            secrets=secrets,
            inputs={"channel": "nightly", "presets": "", "build_number": "", "candidate": "", "suffix": ""},
        )
        good, _ = player.play(".github/workflows/binaries.yml")
        print(*player.log, sep="\n", flush=True)
        expect(good, "a job has failed")
        self.check_site(f"{self.bucket}/night", ["nightly"])
        said = self.run("publish", "number", "s3://torch/night", "2.6.0", environment={"TSB_NIGHTLY": self.today})
        expect("TSB_BUILD_NUMBER=2" in said, "another build of tonight would have the same names")

    def publish(self):
        """Into a folder and S3; killed in the middle of S3."""
        dist = [self.checkout / "dist", *([self.folder / "real"] if self.options.real else [])]
        self.run("publish", "add", self.site, *dist)

        def uploads():
            with contextlib.suppress(OSError):
                listing = f"{os.environ['AWS_ENDPOINT_URL']}/torch?list-type=2&prefix=site/files/"
                listing = urllib.request.urlopen(listing).read().decode()
                return "<Key>" in listing

        self.kill("publish", "add", "s3://torch/site", *dist, when=uploads)
        self.check_site(f"{self.bucket}/site", ["test"])
        self.run("publish", "add", "s3://torch/site", *dist)
        self.check_site(f"{self.bucket}/site", ["test"], most=True)

    def promote(self):
        """From test to release; the same pages as before, and the site is whole."""
        for target in self.site, "s3://torch/site":
            self.run("publish", "promote", target)
        self.check_site(f"{self.bucket}/site", ["test", "release"], most=True)

    def smoke(self):
        """By pip, uv, a conda client, and as a zip: out of the folder through nginx, out of S3."""
        address, _ = servers.nginx(self.stack, self.folder / "servers/site", "", self.site)
        digits = "%d%d" % sys.version_info[:2]
        patterns = f"torch-*-cp{digits}-*", f"linux-64/*py{digits}*", "linux-64/libtorch-*", "libtorch-cxx11-*"
        for place, some in (address, patterns), (f"{self.bucket}/site", patterns[:1]):
            words = "publish", "smoke", "--channel", "release", place, *some
            expect("FAIL" not in self.run(*words, environment=self.stand_in), f"{place} does not work")

    def check_site(self, base, channels, most=False):
        """Whatever an index names is there. most: there must be an index."""
        count = 0
        for channel in channels:
            with contextlib.suppress(urllib.error.HTTPError):
                count += len(self.links(f"{base}/{channel}/"))
        print(f"{base}: all of {count} links of {', '.join(channels)} are there", flush=True)
        expect(count or not most, "there is nothing")

    def links(self, page):
        """Follows the links of a page to the files: each must be there."""
        with urllib.request.urlopen(page + "index.html") as answer:
            text = answer.read().decode()
        found = {urllib.parse.urljoin(page, link.partition("#")[0]) for link in re.findall(r'href="([^"#]+)', text)}
        for link in [one for one in found if "/simple/" in one and one.endswith("/") and one.startswith(page)]:
            found |= set(self.links(link))
        for link in found:
            request = urllib.request.Request(link if not link.endswith("/") else link + "index.html", method="HEAD")
            try:
                urllib.request.urlopen(request).close()
            except urllib.error.HTTPError as error:
                raise Failure(f"{page} names {link}: {error}") from error
        with contextlib.suppress(urllib.error.HTTPError):
            for platform in "linux-64", "noarch":
                with urllib.request.urlopen(f"{page}conda/{platform}/repodata.json") as answer:
                    packages = json.load(answer)["packages.conda"]
                for name in packages:
                    urllib.request.urlopen(f"{page}conda/{platform}/{urllib.parse.quote(name)}").close()
                    found.add(name)
        return found


PRESETS = ["cpu-all", "cpu-libtorch-shared", "cpu-libtorch-static", "cpu-*-without-deps", "cpu-wheel-*", "cpu-conda-*"]
STAGES = "prepare", "fleet", "real", "jobs", "publish", "promote", "smoke"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("stages", nargs="*", metavar="stage", help=", ".join(STAGES))
    parser.add_argument("--presets", action="append", help="default: all that the stand-in has sources for")
    parser.add_argument("--real", action="append", default=[])
    options = parser.parse_args()
    options.presets = options.presets or PRESETS
    options.folder.mkdir(parents=True, exist_ok=True)
    took = []
    with Servers() as stack:
        rehearsal = Rehearsal(options, stack)
        rehearsal.serve()
        for stage in options.stages or STAGES:
            begin = time.monotonic()
            print(f"== {stage}", flush=True)
            try:
                getattr(rehearsal, stage)()
            except Failure as failure:
                print(f"{stage} has failed: {failure}")
                return 1
            took.append(f"{stage:10}{time.monotonic() - begin:7.0f} s")
    print(*took, sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
