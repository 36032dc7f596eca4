# SPDX-License-Identifier: BSD-3-Clause
"""Settings and the backend: what cannot be with it, what has no effect with it."""

import os

from box import ROOT, flat
from fixture import SettingsTest, as_option, in_environment

CUDA, OFFICIAL = ("cu124", "2.6.0"), ("official-cuda", "2.15.0")
MADE = "5.0 6.0 7.0 7.5 8.0 8.6 9.0"
# (name, text, message about it with this backend and release)
OF_BACKENDS = [
    ("TSB_CUDA_ARCHS", "8.0 3.5", "has 3.5, but 3.7 is the lowest that upstream makes PyTorch 2.6.0 for", CUDA),
    (
        "TSB_CUDA_SLICES",
        "6.1 9.0 4.0",
        f"has 4.0, but none of the compiled architectures ({MADE}) run on it: remove it,",
        CUDA,
    ),
    (
        "TSB_CUDA_SLICES",
        "9.0+PTX",
        f"has 9.0+PTX, but what is made is for {MADE}, without PTX: write 9.0, or name",
        CUDA,
    ),
    (
        "TSB_CUDA_SLICES",
        "native",
        "has native, and nvidia-smi names no GPU of this machine: write its archit",
        OFFICIAL,
    ),
    (
        "TSB_CUDA_SLICES",
        "7.0",
        "has 7.0, but none of the compiled architectures (7.5 8.0 8.6 9.0 10.0 12.0) run on it: remove it, or unset it",
        OFFICIAL,
    ),
    (
        "TSB_CUDA_SLICES",
        "9.0+PTX",
        "has 9.0+PTX, but what is made is for 7.5 8.0 8.6 9.0 10.0 12.0, without PTX: write 9.0",
        OFFICIAL,
    ),
]
# (name, text, why it has no effect, backend and release)
WITHOUT_EFFECT = [
    *(
        (name, text, f"PyTorch is not compiled for {OFFICIAL[0]}", OFFICIAL)
        for name, text in (
            ("TSB_BLAS", "openblas"),
            ("TSB_DEBUG_INFO", "full"),
            ("TSB_LOCAL_pytorch", "~/older"),
            ("TSB_PYTORCH_OPTIONS", "USE_ITT=OFF"),
            ("TSB_PATCHES", "releases/2.6.0"),
            ("TSB_CUDA_ARCHS", "9.0"),
            ("TSB_SUPERBUILD_DIR", "backends/cuda"),
            ("TSB_MAGMA", "OFF"),
        )
    ),
    ("TSB_CUDA_SLICES", "9.0", "cpu is made without CUDA", ("cpu", "2.6.0")),
    ("TSB_CUDA_ARCHS", "9.0", "rocm6.2 is made without CUDA", ("rocm6.2", "2.6.0")),
    ("TSB_ROCM_ARCHS", "gfx90a", "cu124 is made without ROCM", CUDA),
    ("TSB_NVSHMEM_HOME", "backends/cuda", "PyTorch 2.6.0 has no nvshmem with cu124", CUDA),
]


# (backend and release, why it is not made of it)
REFUSED = [
    (("cpu", "2.13.0"), "PyTorch 2.13.0, since the commits of its submodules were found nowhere: take a preset of off"),
    (
        ("cpu", "2.9.0"),
        "PyTorch 2.9.0, since the commits of its submodules are not known, only those of 2.9.1: take",
    ),
    (
        ("cu124", "2.8.0"),
        "2.8.0, since upstream builds it with CUDA 12.6, 12.8 and 12.9: take a preset of cpu, cu126, cu128, official-",
    ),
    (
        ("cu124", "2.11.0"),
        "2.11.0, since upstream builds it with CUDA 12.6, 12.8 and 13.0, and 13.0 alone was prepared here: take a preset of",
    ),
    (
        ("rocm6.2", "2.8.0"),
        "PyTorch 2.8.0, since upstream builds it with ROCm 6.4, which nobody has tried here: take a pre",
    ),
    (
        ("cu126", "2.14.0"),
        "since its MSLK, NVSHMEM and NCCL 2.29.3 are not prepared, with which upstream makes it for 5.0 to 9.0",
    ),
    (("cu126", "2.15.0"), "since upstream publishes none with CUDA 12.6, and neither the commit of its tag nor"),
    (
        ("cu118", "2.7.1"),
        "PyTorch 2.7.1, since nobody has looked at what it needs with this CUDA yet: take a preset of",
    ),
    (("cu118", "2.6.1"), "which has no folder in releases/"),
]


class Backends(SettingsTest):
    def test_refused(self):
        rows = self.read([as_option("TSB_JOBS", "2", backend) for backend, _ in REFUSED])
        for (backend, says), said in zip(REFUSED, rows):
            with self.subTest(backend):
                self.assertIn(says, flat(said))

    def test_of_backends(self):
        """What is known from the data, before the machine is asked."""
        self.write("bin/nvidia-smi", "#!/bin/sh\nexit 6\n", 0o755)
        self.environment(PATH=f"{self.box}/bin:{os.environ['PATH']}")
        rows = self.read([as_option(name, text, backend) for name, text, _, backend in OF_BACKENDS])
        for (name, text, says, _), said in zip(OF_BACKENDS, rows):
            with self.subTest(name=name, text=text):
                self.assertIn(f"-D {name} {says}", said)

    def test_without_effect(self):
        """A -D is refused. In the environment a setting may stand for several presets: it is named and does not count."""
        rows = [
            kind(name, text, backend)
            for name, text, _, backend in WITHOUT_EFFECT
            for kind in (as_option, in_environment)
        ]
        has_it = as_option("TSB_NVSHMEM_HOME", "backends/cuda", ("cu130", "2.11.0"))
        *said, of_release = self.read([*rows, has_it])
        self.assertEqual(of_release, f"{ROOT}/backends/cuda]")
        defaults = {"TSB_DEBUG_INFO": "lines", "TSB_BLAS": "mkl", "TSB_SUPERBUILD_DIR": f"{ROOT}/superbuild"}
        for (name, _, why, _), option, environment in zip(WITHOUT_EFFECT, said[::2], said[1::2]):
            with self.subTest(name=name):
                self.assertIn(f"-D {name} has no effect, since {why}: take another preset, or unset it", option)
                self.assertEqual(environment, f"{defaults.get(name, '')}]")
                self.assertIn(flat(f"{name} of the environment has no effect, since {why}"), flat(self.text))
        given = " ".join(name for name, *_ in WITHOUT_EFFECT if name != "TSB_BLAS")
        self.environment(BOOTSTRAP_SETTINGS=given)  # words behind a preset stand for it alone
        said = self.read([in_environment(name, text, backend) for name, text, _, backend in WITHOUT_EFFECT])
        for (name, _, why, _), refused in zip(WITHOUT_EFFECT, said):
            with self.subTest(given=name):
                text = f"] {name} has no effect, since {why}: take another preset, or unset it"
                self.assertEqual(text in refused, name != "TSB_BLAS", refused)

    def test_a_folder_that_is_named_by_its_content(self):
        """An edit of any file in it is noticed, since the next build configures again; a README decides nothing."""
        place, other = self.box / ".git/mine", self.box / "declared"  # what is above it decides nothing
        for file in place / "superbuild/shared/a.py", place / "README.md", place / ".git/HEAD", other / "a.cmake":
            self.write(file)
        depends = 'get_property(depends DIRECTORY PROPERTY CMAKE_CONFIGURE_DEPENDS)\nmessage("row [${depends}]")\n'
        rows = as_option("TSB_ADDITIONS", place), as_option("TSB_SUPERBUILD_DIR", other), depends
        found = self.read(rows)[2].rstrip("]").split(";")
        below = [place / name for name in ("", "superbuild", "superbuild/shared", "superbuild/shared/a.py")]
        expected = [*map(str, below), str(other), f"{other}/a.cmake"]
        self.assertEqual(sorted({name for name in found if name.startswith(str(self.box))}), sorted(expected))
        self.assertNotIn(f"{ROOT}/superbuild", found)

    def test_to_develop_in(self):
        """What a release decides has no effect on a checkout."""
        self.environment(TSB_PACKAGES="pytorch-develop", TSB_LOCAL_pytorch=f"{self.box}/older")
        why = "has no effect, since a checkout is compiled as its own build says (docs/develop.md#options)"
        rows = as_option("TSB_UNITY", "OFF"), in_environment("TSB_DEBUG_INFO", "full"), as_option("TSB_JOBS", "3")
        patches = as_option("TSB_PATCHES", f"{ROOT}/releases/2.6.0")
        wrong = as_option("TSB_DEBUG_INFO", "much")
        unity, debug_info, jobs, patches, both = self.read((*rows, patches, wrong))
        self.assertIn("-D TSB_DEBUG_INFO is 'much': 'much' is none of lines, full, none", both)
        self.assertIn(f"TSB_DEBUG_INFO {why}", both)
        self.assertIn(f"-D TSB_UNITY {why}", unity)
        self.assertIn(f"-D TSB_PATCHES {why}", patches)
        self.assertEqual(debug_info, "lines]")
        self.assertIn(f"TSB_DEBUG_INFO of the environment {why}", flat(self.text))
        self.assertEqual(jobs, "3]")
