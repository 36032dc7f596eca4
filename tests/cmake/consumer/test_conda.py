# SPDX-License-Identifier: BSD-3-Clause
"""packaging/consumer_check on conda packages, with a client of a few lines (client/) in rattler's place, and a consumer that
compiles nothing (conda/)."""

import pathlib
import re
import shutil
import subprocess
import zipfile

from fixture import CheckTest

HERE = pathlib.Path(__file__).parent
LIBTORCH = "libtorch-9.1-cpu_h0_0.conda"
PYTORCH = "pytorch-9.1-cpu_py311_h0_0.conda"
NCCL = "nccl-9.1-h0_0.conda"
CHANNEL = "https://user:secret@secret@a-channel/t/secret/x"
SHOWN = "https://a-channel/t/.../x"
WITHOUT = "skip prefix, install: without what it depends on: the channel " + SHOWN
RUN = "ok prefix, run: "
DRIVER = {"driver": "__hip=6.2"}
PUBLISHED = {"package": "libtorch-9.3-cpu_h0_0.conda", "published": "https://there/conda"}  # no file
NO_DRIVER = f"with what it depends on from {SHOWN}; there is no driver here: as with __hip=6.2"

# What is given, which rows there have to be, and what the client has said.
CASES = (
    ({}, [RUN], "['libtorch ==9.1 cpu_h0_0']"),
    ({"package": PYTORCH}, ["ok prefix, run: 2 checks, 0 failed", "ok prefix, scripts: 2 checks, 0 failed"], ""),
    (DRIVER, [RUN, NO_DRIVER], "['__linux=6.1', '__unix=6.0', '__hip=6.2']"),
    ({**DRIVER, "has": "__hip"}, [RUN, f"from {SHOWN}\n"], "['__linux=6.1', '__hip=6.0']"),
    ({"error": "gateway"}, [RUN, f"{WITHOUT} cannot be read"], ""),
    (
        {"error": "gateway", "needs": True, "status": 1},
        ["skip prefix, run: it needs libraries of other packages: libother.so.1\n"],
        "",
    ),
    (
        {"package": PYTORCH, "error": "gateway"},
        ["skip prefix, run: it was installed without what it depends on\n", "skip prefix, scripts: it was"],
        "",
    ),
    ({"package": NCCL}, ["ok prefix, files: headers and libraries: 1\n"], ""),
    ({"offline": "1"}, [RUN, f"{WITHOUT} is not a folder, and TSB_OFFLINE is set"], "alone"),
    (PUBLISHED, [RUN], "['https://there/conda', "),
    ({"offline": "1", "channel": "file:///a/channel"}, [RUN, "depends on from file:///a/channel"], "file:///a/channel"),
)
FAULTS = (
    ({"error": "solver"}, "cannot be used: prefix, install: Failed"),
    ({"brings": "python"}, "| FAIL libtorch brought a Python"),
    ({"status": 1}, "cannot be used: prefix, run: Failed"),
    (
        {"package": PYTORCH, "checks": "2 checks, 1 failed"},
        "cannot be used: prefix, run: Failed Required regular expression",
    ),
    ({"package": "nccl-9.2-h0_0.conda"}, "cannot be used: prefix, files: Failed Required regular expression not found"),
    ({"package": "libtorch-9.2-cpu_h0_0.conda"}, "libtorch-9.2-cpu_h0_0.conda', which does not exist"),
    ({"offline": "enabled"}, "error: TSB_OFFLINE is 'enabled': set it to ON or OFF, or unset it"),
    ({"package": "nameless.conda"}, "consumer_check: nameless.conda is not a conda package's file name"),
)


class CondaTest(CheckTest):
    def setUp(self):
        super().setUp()
        self.channel = self.box / "a dist/linux-64"
        self.channel.mkdir(parents=True)
        for package in LIBTORCH, PYTORCH, NCCL, "nccl-9.2-h0_0.conda":
            self.make_package(package)

    def make_package(self, package):
        name, version, build = re.fullmatch(r"(.+)-([^-]+)-([^-]+)\.conda", package).groups()
        index = {"name": name, "version": version, "build": build, "build_number": 0, "subdir": "linux-64"}
        self.write("info/index.json", {**index, "depends": []})
        tar = ["cmake", "-E", "tar", "cf", "info.tar.zst", "--zstd", "info"]
        subprocess.run(tar, cwd=self.box, check=True)
        with zipfile.ZipFile(self.channel / package, "w") as file:
            file.writestr("metadata.json", '{"conda_pkg_format_version": 2}')
            file.writestr(f"pkg-{package[:-6]}.tar.zst", "files")
            file.write(self.box / "info.tar.zst", f"info-{package[:-6]}.tar.zst")

    def check(self, ends, says, package=LIBTORCH, has="__unix", error="", brings="", status=0, needs=False, **options):
        """`checks`: what Python says in the prefix. The other options are those of the tests, or in the environment."""
        checks, channel = options.pop("checks", "2 checks, 0 failed"), options.pop("channel", CHANNEL)
        settings = {name: options.pop(name.lower()[4:], None) for name in ("TSB_OFFLINE", "TSB_PUBLISHED")}
        for folder in "client", "installed", "a consumer", "a work folder":
            shutil.rmtree(self.box / folder, ignore_errors=True)
        shutil.copytree(HERE / "client", self.box / "client")
        shutil.copytree(HERE / "conda", self.box / "a consumer")
        self.write("client/rattler/case.json", {"installed": self.box / "installed", "has": has, "error": error})
        self.write("installed/share/cmake/Torch/TorchConfig.cmake")
        self.write("a consumer/conda/use_libtorch.sh", f"#!/bin/sh\nexit {status}\n", 0o755)
        self.write("a consumer/wheel_checks.py")
        if package == NCCL:
            self.write("installed/include/nccl.h")
        if needs:  # a library that nobody has, and one of its own
            own, other = self.write("installed/lib/libown.so", ""), self.write("libother.so.1", "")
            for library, needed in ((own, []), (other, []), (own.with_name("libtorch.so"), [own, other])):
                flags = ["-shared", f"-Wl,-soname,{library.name},--no-as-needed", "-o", library]
                subprocess.run(["cc", *flags, "-x", "c", "/dev/null", "-x", "none", *needed], check=True)
        if brings or package == PYTORCH:
            self.write("installed/bin/python", f"#!/bin/sh\necho '{checks}'\n", 0o755)
        self.environment(TSB_CONDA_CHANNEL=channel, **settings)
        options.update(package=self.channel / package, consumer=self.box / "a consumer", tools=self.box / "client")
        self.run_check(ends, says, **options)

    def test_cases(self):
        for case, says, client in CASES:
            with self.subTest(**case):
                self.check(0, says, **case)
                self.assertIn(client, self.log("prefix-install"))
                if "has" in case:
                    self.assertNotIn("there is no driver here", self.text)
                self.assertNotIn("secret", self.text + str(self.rows))

    def test_what_is_not_beside_it(self):
        """pytorch needs the libtorch that was packed with it, or that lies in dist/, for the same platform."""
        packed = self.box / "packed/conda-libtorch/linux-64"
        packed.mkdir(parents=True)
        (self.channel / LIBTORCH).rename(packed / LIBTORCH)
        shutil.copytree(packed, packed.parent / "linux-aarch64")
        (packed.parent / "linux-aarch64" / LIBTORCH).rename(packed.parent / "linux-aarch64/other-1-0.conda")
        self.check(0, [], package=PYTORCH, channels=f"{self.box}/none/*.conda;{self.box}/packed/*/*/*.conda")
        self.assertIn(f" {LIBTORCH} {NCCL} nccl-9.2-h0_0.conda {PYTORCH}", self.log("prefix-index"))

    def test_faults(self):
        for case, says in FAULTS:
            with self.subTest(says=says):
                if case.get("package") == "nameless.conda":
                    self.write("a dist/linux-64/nameless.conda")
                self.check(1, [says], **case)
