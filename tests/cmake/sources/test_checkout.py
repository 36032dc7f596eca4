# SPDX-License-Identifier: BSD-3-Clause
"""engine/sources/checkout.py: a checkout that cannot be built where it is, and a Python that cannot build it."""

import os
import sys

from box import BoxTest

from engine.sources import checkout

PYTHON = "#!/bin/sh\nprintf '%s\\n' '{}' {} {}\n"  # that answers the script


class Checkout(BoxTest):
    def setUp(self):
        super().setUp()
        self.folder = self.box / "my pytorch"
        self.write("my pytorch/torch/csrc/stub.c")
        modules = "".join(f'[submodule "{name}"]\n\tpath = third_party/{name}\n' for name in ("gloo", "fmt", "onnx"))
        self.write("my pytorch/.gitmodules", modules)
        for name in ("gloo", "fmt", "onnx"):
            self.write(f"my pytorch/third_party/{name}/CMakeLists.txt")
        self.python = self.write("python", PYTHON.format("", True, True), mode=0o755)

    def check(self, ends, *says):
        self.run_main(ends, lambda: checkout.main(str(self.folder), str(self.python)), says=says)

    def test_whole(self):
        self.check(0)
        self.assertEqual(self.text, "")

    def test_submodules(self):
        for name in ("gloo", "onnx"):
            (self.folder / f"third_party/{name}/CMakeLists.txt").unlink()
        self.check(
            3,
            f"the checkout {self.folder} lacks 2 submodules: third_party/gloo and 1 more",
            f"git -C '{self.folder}' submodule update --init --recursive",
        )

    def test_submodules_inside(self):
        """After an update that was not recursive. Those that only tests of such a project need are not asked for."""
        inside = "".join(f'[submodule "{name}"]\n\tpath = external/{name}\n' for name in ("googletest", "asmjit"))
        self.write("my pytorch/third_party/fbgemm/.gitmodules", inside)
        self.check(3, f"the checkout {self.folder} lacks 1 submodule: third_party/fbgemm/external/asmjit")
        self.write("my pytorch/third_party/fbgemm/external/asmjit/CMakeLists.txt")
        self.check(0)

    def test_another_folder(self):
        (self.folder / "torch/csrc/stub.c").unlink()
        self.check(
            3,
            f"TSB_LOCAL_pytorch names {self.folder}, which is not a checkout of PyTorch: it has no torch/csrc/stub.c correct it",
        )

    def test_python(self):
        self.python.write_text(PYTHON.format("numpy yaml", True, True))
        self.check(
            3,
            f"{self.python} lacks numpy, yaml, which PyTorch's build imports",
            f"{self.python} -m pip install -r '{self.folder}/requirements.txt'; or name another one as TSB_PYTHON",
        )
        self.python.write_text(PYTHON.format("yaml", True, False))
        make = f"{self.python} -m venv ~/venv && ~/venv/bin/pip install -r '{self.folder}/requirements.txt'; then set TSB_PYTHON="
        self.check(3, f"{self.python} lacks yaml, which PyTorch's build imports", make)
        self.python.write_text(PYTHON.format("", False, True))
        self.check(3, f"{self.python} has no headers (Python.h)", "install them, as python3-dev")

    def test_what_is_asked(self):
        self.python.write_text('#!/bin/sh\nshift 2\necho "$@"\necho True\necho True\n')
        self.check(3, f"{self.python} lacks numpy, packaging, setuptools, typing_extensions, yaml, which PyTorch's")

    def test_a_real_python(self):
        """Which has no module of such a name."""
        needed = checkout.NEEDED
        self.addCleanup(setattr, checkout, "NEEDED", needed)
        checkout.NEEDED = ("json", "no_such_module", "my_folder")
        self.python = sys.executable
        self.write("my_folder/a.txt")
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.box)  # where Python would find a module of this name
        self.check(3, f"{sys.executable} lacks no_such_module, my_folder, which PyTorch's build imports")
