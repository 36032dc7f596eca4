# SPDX-License-Identifier: BSD-3-Clause
"""repodata.json of a conda channel, with and without the packages; a package that is wrong is named."""

import io
import json
import subprocess
import tarfile
import zipfile

from box import sha256
from fixture import IndexTest, pack

GOOD = {"name": "demo", "version": "1.1", "build": "h0_0", "build_number": 0, "subdir": "linux-64", "depends": []}
FILE = "linux-64/demo-1.1-h0_0.conda"
INFO, PKG, INDEX = "info-demo-1.1-h0_0.tar.zst", "pkg-demo-1.1-h0_0.tar.zst", "info/index.json"


def tar(*members, **options):
    """Members: name and content, or also members of a pax header, or a name, a type and where it leads."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT, **options) as archive:
        for name, content, *target in members:
            info = tarfile.TarInfo(name)
            if target and isinstance(target[0], dict):
                info.pax_headers = target[0]
            elif target:
                info.type, info.linkname, content = content, *target, b""
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return stream.getvalue()


def zstd(content, zeros=0):
    """A Zstandard frame whose blocks are not compressed, and then zeros, 128 KiB in four bytes: RFC 8878, 3.1.1."""
    step = 1 << 17
    blocks = [content[at : at + step] for at in range(0, len(content), step)]
    parts = [(len(block) << 3).to_bytes(3, "little") + block for block in blocks]
    parts += [(step << 3 | 2).to_bytes(3, "little") + b"\0"] * (zeros // step)
    return b"\x28\xb5\x2f\xfd\0\x58" + b"".join(parts) + b"\1\0\0"


def package(index):
    """The entries of a package's zip."""
    text = index if isinstance(index, str) else json.dumps(index)
    return with_info(zstd(tar((INDEX, text.encode()))))


def with_info(info, **more):
    return {"metadata.json": '{"conda_pkg_format_version": 2}', INFO: info, PKG: "files", **more}


def without(name):
    return {other: content for other, content in package(GOOD).items() if other != name}


class Channel(IndexTest):
    def add(self, entries):
        pack(self.dist / FILE, entries)

    def test_good(self):
        """As it is packed: with Zstandard."""
        self.write("info/info/index.json", GOOD)
        subprocess.run(
            ["cmake", "-E", "tar", "cf", self.box / INFO, "--zstd", "info"], cwd=self.box / "info", check=True
        )
        self.add(with_info((self.box / INFO).read_bytes()))
        # A link to a folder does not name its packages once more.
        (self.dist / "latest").symlink_to("linux-64")
        self.make_index(0, ["1 conda packages"])
        hash_, repodata = sha256(self.dist / FILE), self.json("linux-64/repodata.json")
        record = {**GOOD, "sha256": hash_, "size": (self.dist / FILE).stat().st_size}
        self.assertEqual(repodata["packages.conda"], {"demo-1.1-h0_0.conda": record})
        self.assertEqual(repodata["info"], {"subdir": "linux-64"})
        self.assertEqual(self.json("noarch/repodata.json")["packages.conda"], {})
        self.assertEqual((self.dist / "SHA256SUMS").read_text(), f"{hash_}  {FILE}\n")
        for part in ("This folder is a conda channel.", f'href="{FILE}#sha256='):
            self.assertIn(part, (self.dist / "index.html").read_text())
        # A package that is gone is not listed any more.
        (self.dist / FILE).unlink()
        self.make_index()
        self.assertEqual(self.json("linux-64/repodata.json")["packages.conda"], {})

    def test_index_json(self):
        name = "has another name than its index.json says, or is in the wrong folder: linux-64/demo-1.0-h0_0.conda"
        nested = json.dumps(GOOD)[:-1] + ', "x": %s%s}'
        rows = [
            ({**GOOD, "version": "1.0"}, name),
            ("[]", "has an info/index.json that is not a JSON object"),
            ("no JSON", "is damaged: "),
            ({**GOOD, "timestamp": float("nan")}, "is damaged: Out of range float"),
            (nested % ("[" * 100, "]" * 100), "has an info/index.json that is nested more than 100 levels deep"),
            (nested % ("[" * 100000, "]" * 100000), "is damaged: "),  # Python refuses to read that
        ]
        wrong = {"build_number": [None, -1, 1.5, True], "depends": [None, [1]], "constrains": ["a"], "name": ["Demo"]}
        for member, values in {**wrong, "version": ["1-1", 1.1], "build": [""], "subdir": [None]}.items():
            for value in values:
                index = {**GOOD, member: value}
                if value is None:
                    del index[member]
                rows.append((index, f"has no valid {member} in its info/index.json: "))
        for index, words in rows:
            self.add(package(index))
            self.is_bad(FILE, words)
        self.add(package(nested % ("[" * 99, "]" * 99)))
        self.make_index()

    def test_what_is_in_it(self):
        secret, good = str(self.write("secret", GOOD)), (INDEX, b"{}")
        (self.box / "outside").mkdir()
        link, below = (INDEX, tarfile.SYMTYPE, f"{self.box}/outside"), (f"{INDEX}/evil", b"x")
        kinds = (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.DIRTYPE)
        same = ("./info/index.json", "info//index.json", "info/../info/index.json")
        large, entry = tar((INDEX, bytes(17 << 20))), tar(good)
        kind = "has an info/index.json that is not a file, or is a link"
        wrong = f"has a wrong {INFO}: "
        odd = "has a header of the type b'g', which no conda package has there"
        moved = tar(pax_headers={"path": INDEX})[:1024] + tar(("info/x", b"{}"))
        for info, words in (
            (tar(("x", b"")), "has no info/index.json"),
            # A link would put somebody's file on the page.
            *((tar((INDEX, type_, secret)), kind) for type_ in kinds),
            # What comes behind a link and below it would be written where the link leads.
            (tar(link, below), "has more than one info/index.json"),
            (tar(below), kind),
            # The same file by another name.
            *((tar((name, b"{}"), good), "has more than one info/index.json") for name in same),
            (large, "has more than 16 MiB of info/index.json"),
            (b"no tar", f"{wrong}what should be a header is none of a tar"),
            # What programs read differently.
            (entry[:1024] + moved, f"{wrong}b'././@PaxHeader' {odd}"),
            (tar((INDEX, b"{}", {"GNU.sparse.map": "0,1"})), f"{wrong}a pax header has b'GNU.sparse.map', which"),
            (
                tar((INDEX, b"{}", {"path": "a"}))[:1024] + tar(("l" * 200, b"")),
                f"{wrong}b'././@PaxHeader' has a header",
            ),
            (entry + entry, f"{wrong}something else than zeros comes after its end"),
            (entry[:1024], f"{wrong}something else than zeros comes after its end"),
            (entry[:513], f"{wrong}b'info/index.json' is cut off"),
        ):
            self.add(with_info(zstd(info)))
            self.is_bad(FILE, words)
        for entries, words in (
            (with_info(entry), f"{wrong}it is not Zstandard"),
            (with_info(zstd(entry, 64 << 20)), f"{wrong}it is not Zstandard, or unpacks to more than 64 MiB"),
            (with_info(zstd(entry) + zstd(entry)), f"{wrong}it goes on after its Zstandard frame"),
            ({**package(GOOD), "info-other-1.1-h0_0.tar.zst": "another"}, "has more than one info-*.tar.zst"),
            (without(INFO), "has no info-*.tar.zst"),
            (without(PKG), f"is damaged: \"There is no item named '{PKG}' in the archive\""),
            (without("metadata.json"), "is damaged: \"There is no item named 'metadata.json' in the archive\""),
            (
                {**package(GOOD), "metadata.json": '{"conda_pkg_format_version": 3}'},
                "has a metadata.json that does not say that it is of format 2",
            ),
        ):
            self.add(entries)
            self.is_bad(FILE, words)
        self.assertEqual(self.files("outside"), set())

    def test_zip(self):
        pack(self.dist / FILE, package(GOOD), zipfile.ZIP_DEFLATED)
        self.is_bad(FILE, f"is compressed twice: {INFO}")
        self.add(package(GOOD))
        content = (self.dist / FILE).read_bytes()
        for damaged, words in (
            (b"no zip", "is damaged: "),
            (content.replace(b"files", b"filet", 1), f"is damaged: the CRC of {PKG} is wrong"),
        ):
            self.write(f"a dist/{FILE}", damaged)
            self.is_bad(FILE, words)
