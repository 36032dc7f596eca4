# SPDX-License-Identifier: BSD-3-Clause
"""The distribution's archives, with stand-ins for apt: whatever version of the package has the pinned
archive will do; a refusal is passed on; the private state is updated once, from the machine's own sources."""

import os
import shutil

from box import BoxTest
from fixture import CommandTest

from engine.sources.providers.apt_sources import make_source_list

ZEROS, ONES = "0" * 64, "1" * 64
APT_CACHE = """#!/bin/sh
for last; do :; done
[ "$last" = absent ] && exit 100
cat <<END
Package: $last
Version: 2.0-1
Checksums-Sha256:
 {zeros} 10 $last\\_2.0.orig.tar

Package: $last
Version: 1.0-3~old
Checksums-Sha256:
 {zeros} 10 $last\\_1.0-3.dsc
 {sha256} {size} demo_1.0.orig.tar

END
"""
APT_GET = """#!/bin/sh
echo "$@" >>"{box}/apt.log"
for last; do :; done
for argument; do
  case $argument in
    Dir::State::Lists=*) lists=${{argument#*=}};;
    Dir::Etc::SourceList=*) list=${{argument#*=}};;
  esac
done
case $last in
  update) touch "$lists/x_Sources" "$lists/x_Packages"; folder=${{list%/*}}; cp "$list" "{box}/${{folder##*/}}.list";;
  demo=1.0-3~old) cp "{box}/demo_1.0.orig.tar" .;;
  tool=7) cp "{box}/demo_1.0.orig.tar" tool_7_all.deb;;
  *) echo 'E: Failed to fetch x  404  Not Found' >&2; exit 100;;
esac
"""


class Distribution(CommandTest):
    def setUp(self):
        super().setUp()
        self.environment(PATH=f"{self.box}/bin:{os.environ['PATH']}")

    def program(self, name, text, **values):
        self.write(f"bin/{name}", text.format(box=self.box, **values), 0o755)

    def ask(self, sources, *asked, says):
        """With this list of the machine's sources, by its name and text."""
        self.write(*sources)
        system = {"apt_etc": self.box / "etc", "os_release": self.write("os-release", "ID=other\n")}
        self.fetch(0, *asked, says=says, **system)

    def test_versions(self):
        candidate = self.archive("demo_1.0.orig.tar")
        size = (self.box / "demo_1.0.orig.tar").stat().st_size
        self.program("apt-cache", APT_CACHE, zeros=ZEROS, sha256=candidate["sha256"], size=size)
        self.program("apt-get", APT_GET)
        for name in ("demo", "refused", "absent", "moved"):
            package = "demo" if name == "moved" else name
            self.pin(name, {**candidate, "filename": "demo.tar", "distribution": {"package": package}})
        self.pins["moved"]["candidates"][0]["sha256"] = ONES
        binary = {"package": "tool", "version": "7"}
        tool = {**candidate, "version": "7", "filename": "tool.deb", "strip": 0, "distribution-binary": binary}
        self.pin("tool", tool)
        reasons = {
            "refused": "distribution: the archives refuse it (HTTP 404)",
            "absent": "distribution: absent is not in the archives",
            "moved": "distribution: demo in the archives is 2.0-1, 1.0-3~old, with other files",
        }
        optional = [{"name": name, "required": False} for name in reasons]
        lines = ["demo 1.0 from distribution (demo=1.0-3~old)", "tool 7 from distribution-binary (tool=7)"]
        sources = ("etc/sources.list", "deb http://archive.invalid/x stable main\n")
        self.ask(sources, "demo", "tool", *optional, says=lines)
        self.assertEqual(self.entries["tool"]["kind"], "deb")
        self.assertEqual({name: self.entries[name]["reason"] for name in reasons}, reasons)
        log = (self.box / "apt.log").read_text()
        self.assertEqual(log.count(" update\n"), 2, "one for sources and one for binaries")
        self.assertIn(f"Dir::State::Lists={self.box}/scratch/fetch-", log)
        self.assertIn("--download-only --tar-only demo=1.0-3~old", log)
        sources = "Types: deb-src\nURIs: http://archive.invalid/x\nSuites: stable\nComponents: main\n"
        self.assertEqual((self.box / "apt-deb-src.list").read_text(), sources)


OWN = """\
# made by hand
Types: deb deb-src
URIs: http://own.invalid/debian
 http://second.invalid
Suites: bookworm bookworm-updates
Components: main
Signed-By: /keys/own.gpg

Types: deb
URIs: http://own.invalid/security
Suites: bookworm-security
"""
KEY = " -----BEGIN KEY-----\n .\n abc;[d]=\n -----END KEY-----\n"
KEY_IN_FILE = f"Types: deb\nURIs: http://own.invalid/debian\nSuites: bookworm\nSigned-By:\n{KEY}"
OFF = "Types: deb\nURIs: http://off.invalid\nSuites: bookworm\nEnabled: no\n"
DEBIAN = "URIs: http://own.invalid/debian\nSuites: bookworm trixie forky sid experimental\nComponents: main contrib non-free\n"
UBUNTU = (
    "URIs: http://own.invalid/ubuntu\nSuites: noble noble-updates\nComponents: main universe multiverse restricted\n"
)
OTHER = "URIs: http://own.invalid/x\nSuites: rolling\nComponents: main\n"


class AptSources(BoxTest):
    def test_source_list(self):
        """It is made of the machine's own, in both formats, on Debian, on Ubuntu and elsewhere."""
        debian = 'PRETTY_NAME="x"\nID=debian\nVERSION_CODENAME=bookworm\n'
        ubuntu, other = "ID=ubuntu\nVERSION_CODENAME=noble\n", "ID=other\n"
        another = "deb [arch=amd64] https://tool.invalid/deb bookworm-tool main\n"
        line = "# a comment\n\ndeb [ signed-by=/keys/a.gpg trusted=yes ] http://own.invalid/debian bookworm main\n"
        in_debian = {"another.list": another, "off.sources": OFF, "own.sources": OWN}
        for what, release, files, types, expected in (
            ("deb822", debian, in_debian, "deb-src", f"{DEBIAN}Signed-By: /keys/own.gpg\n"),
            ("lines", debian, {"../sources.list": line}, "deb", f"{DEBIAN}Signed-By: /keys/a.gpg\nTrusted: yes\n"),
            ("a key in the file", debian, {"own.sources": KEY_IN_FILE}, "deb-src", f"{DEBIAN}Signed-By:\n{KEY}"),
            ("Ubuntu", ubuntu, {"../sources.list": "deb http://own.invalid/ubuntu noble main\n"}, "deb-src", UBUNTU),
            ("elsewhere", other, {"../sources.list": "deb http://own.invalid/x rolling main\n"}, "deb-src", OTHER),
            ("no sources at all", other, {}, "deb-src", ""),
        ):
            with self.subTest(what):
                shutil.rmtree(self.box / "etc", ignore_errors=True)
                (self.box / "etc/sources.list.d").mkdir(parents=True)
                for name, text in files.items():
                    self.write(f"etc/sources.list.d/{name}", text)
                found = make_source_list(types, str(self.box / "etc"), str(self.write("os-release", release)))
                self.assertEqual(found, expected and f"Types: {types}\n{expected}")
