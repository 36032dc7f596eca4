# SPDX-License-Identifier: BSD-3-Clause
"""Artifacts of a few bytes, and publish.py on them."""

import io
import json
import tarfile
import unittest
import zipfile

from box import BoxTest, wheel_files

import publish

try:
    import obstore  # noqa: F401
    import rattler  # noqa: F401
    import zstandard
except ImportError as error:
    print(f"SKIP: {error}: ./bootstrap.sh --install-only --test installs it", flush=True)
    raise unittest.SkipTest("no tools") from error

ZIP = "libtorch-shared-with-deps-{}.zip"


def pack(file, entries, compression=zipfile.ZIP_STORED):
    file.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(file, "w", compression) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)


def wheel_entries(name="demo_package", version="1.0+cpu"):
    return wheel_files(name, version, {f"{name}.py": "answer = 42\n"}, "Requires-Python: >=3.8,<4\n\ntext\n")


def info_of(index):
    """info-*.tar.zst of a conda package."""
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w") as tar:
        text = (index if isinstance(index, str) else json.dumps(index)).encode()
        member = tarfile.TarInfo("info/index.json")
        member.size = len(text)
        tar.addfile(member, io.BytesIO(text))
    return zstandard.ZstdCompressor().compress(content.getvalue())


class PublishTest(BoxTest):
    def setUp(self):
        super().setUp()
        self.dist, self.site = self.box / "a dist", self.box / "a site"
        self.dist.mkdir()
        self.environment(TSB_SIGN=None)

    def publish(self, ends, *words, says=()):
        self.run_main(ends, publish.main, "publish.py", *words, says=says)

    def wheel(self, version="1.0+cpu", name="demo_package"):
        file = self.dist / f"{name}-{version}-py3-none-any.whl"
        pack(file, wheel_entries(name, version), zipfile.ZIP_DEFLATED)
        return file

    def zip(self, version, build="", content="content"):
        file = self.dist / ZIP.format(version + build)
        pack(file, {"libtorch/build-version": version + "\n", "libtorch/file": content})
        return file

    def conda(self, version="1.1"):
        index = {"name": "demo", "version": version, "build": "cpu_py311_h0_0", "build_number": 0, "subdir": "linux-64"}
        name = f"demo-{version}-cpu_py311_h0_0"
        file = self.dist / f"linux-64/{name}.conda"
        pack(file, {f"info-{name}.tar.zst": info_of({**index, "depends": []}), f"pkg-{name}.tar.zst": "files"})
        return file

    def magma(self, version, content="archive"):
        """A package without PyTorch, which has a version of its own, and the backend only in its name."""
        index = {"name": "magma-cuda124", "version": version, "build": "h0123456_200", "build_number": 200}
        name = f"magma-cuda124-{version}-h0123456_200"
        file = self.dist / f"linux-64/{name}.conda"
        info = info_of({**index, "subdir": "linux-64", "depends": []})
        pack(file, {f"info-{name}.tar.zst": info, f"pkg-{name}.tar.zst": content})
        return file

    def read(self, path):
        return (self.site / path).read_text()

    def json(self, path):
        return json.loads(self.read(path))
