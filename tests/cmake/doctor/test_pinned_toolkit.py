# SPDX-License-Identifier: BSD-3-Clause
"""The toolkit that a release pins: where it is looked for, and how it gets there from wheels."""

import hashlib
import json
import shutil
import zipfile

from fixture import GCC, ToolkitTest

PINNED = {
    "archs": ["9.0"],
    "cudnn": "9.19.0.56",
    "cusparselt": "0.8.0",
    "toolkit": "13.0.2",
    "artifacts": "conda-magma",
}
RELEASE = {"version": "9.9.0", "pythons": [], "cxx_standard": "17", "backends": {"cuda": {"13.0": PINNED}}}
CUDA_H = """\
#define cuMemFree cuMemFree_v2
CUresult cuInit(unsigned);
CUresult cuMemFree(unsigned long);
#ifdef __CUDA_API_VERSION_INTERNAL
#undef cuMemFree
CUresult cuMemFree(unsigned);
#endif
"""


class PinnedToolkit(ToolkitTest):
    version, checks = "13.0", "provided_toolkit"

    def setUp(self):
        super().setUp()
        self.tools_of_machine("c++", "as", "ld")
        self.sources, self.mirror, self.cache = self.box / "sources.json", self.box / "mirror", self.box / "cache"
        self.settings = {
            "TSB_ADDITIONS": self.box / "additions",
            "TSB_SOURCES": self.cache,
            "TSB_SOURCE_MIRROR": self.mirror,
            "TSB_PROVIDERS": "mirror",
        }
        self.write("additions/releases/9.9.0/release.json", RELEASE)
        self.pins = {}
        self.tool("python3", "exit 1")  # no site-packages

    def wheel(self, source, project, folder, version="13.0.88"):
        """A wheel of this folder on the mirror, and its pin."""
        name = f"{project}-{version}-py3-none-any.whl"
        file = self.write(self.mirror / source / version / name)
        with zipfile.ZipFile(file, "w") as wheel:
            for path in sorted(folder.rglob("*")):
                wheel.write(path, path.relative_to(folder))
            wheel.writestr("nvidia/__init__.py", "")
            wheel.writestr(f"{project}-{version}.dist-info/licenses/License.txt", "the EULA")
        candidate = {"version": version, "filename": name, "size": file.stat().st_size}
        candidate["sha256"] = hashlib.sha256(file.read_bytes()).hexdigest()
        self.pins[source] = {
            "license": "LicenseRef-NVIDIA",
            "candidates": [candidate | {"python-index": {"project": project}}],
        }

    def wheels(self):
        self.make(("fake_toolkit", "wheel/nvidia/cu13", "13.0.88 LAYOUT pip"))
        wheel, rest = self.root / "wheel", self.box / "rest"
        self.write(wheel / "nvidia/cu13/include/cudaProfiler.h", "CUresult cuProfilerStart(void);\n#include <cuda.h>\n")
        self.write(wheel / "nvidia/cu13/include/cuda.h", CUDA_H)
        for place in "include/cudnn.h", "lib/libcudnn.so.9", "lib/stubs/libcuda.so":
            (wheel / "nvidia/cu13" / place).unlink(missing_ok=True)
        version = "#define CUDNN_MAJOR 9\n#define CUDNN_MINOR 19\n#define CUDNN_PATCHLEVEL 0\n"
        self.write(rest / "nvidia/cudnn/include/cudnn_version.h", version)
        self.write(rest / "nvidia/cudnn/lib/libcudnn.so.9")
        self.wheel("cuda-toolkit-nvcc", "nvidia_cuda_nvcc", wheel)
        self.wheel("nvidia-cudnn", "nvidia_cudnn_cu13", rest)
        self.wheel("nvidia-cuda-runtime", "nvidia_cuda_runtime", self.box / "nothing", "13.0.96")
        for other in "nvidia-nccl", "nvidia-cudnn-aarch64", "torch-cuda":  # are not the toolkit's
            self.pins[other] = json.loads(json.dumps(self.pins["nvidia-cudnn"]).replace("88", "89"))
        shutil.rmtree(wheel)
        # The release inherits one wheel, and has no more what the one before had.
        before = {"cuda-toolkit-nvcc": self.pins["cuda-toolkit-nvcc"], "cuda-toolkit-crt": self.pins["nvidia-cudnn"]}
        own = self.pins | {"cuda-toolkit-crt": None}
        del own["cuda-toolkit-nvcc"]
        self.write("additions/releases/9.8.0/release.json", RELEASE | {"version": "9.8.0"})
        self.write("additions/releases/9.8.0/sources.json", {"schema": 1, "sources": before})
        self.write("additions/releases/9.9.0/release.json", RELEASE | {"from": "9.8.0"})
        self.write("additions/releases/9.9.0/sources.json", {"schema": 1, "sources": own})

    def provide(self, *says, problems=0, **more):
        environment = {name: str(value) for name, value in (self.settings | more).items()}
        self.ask(*says, problems=problems, release="9.9.0", **environment)

    def look(self, *says, checks="cuda_toolkit cuda_host_compiler cudnn", problems=0):
        self.ask(*says, checks=checks, problems=problems, release="9.9.0", **self.settings)

    def test_brought(self):
        self.wheels()
        none = "CUDA toolkit: 13.0 is needed, and there is no toolkit here"
        remedy = "-> ./bootstrap.sh --install-only <preset> takes 13.0.2 from the Python index"
        self.look(f"{none} {remedy}", checks="cuda_toolkit", problems=1)
        # What is missing is named, and nothing is left.
        moved = (self.mirror / "nvidia-cudnn").rename(self.box / "moved")
        self.provide(
            "-- CUDA toolkit: fetching 13.0.2, 3 wheels",
            "nvidia-cudnn 13.0.88, needed by the CUDA toolkit",
            "CUDA toolkit: some of its wheels are not available -> the lines above say why",
            problems=1,
        )
        self.assertNotIn("tsb_progress", self.text)
        self.assertEqual(list(self.root.rglob("cuda-13.0*")), [])
        moved.rename(self.mirror / "nvidia-cudnn")
        self.provide("CUDA toolkit: 13.0.2 of the Python index is in")
        (place,) = self.root.rglob("cuda-13.0-*")
        home = place / "nvidia/cu13"
        self.run_program(0, "nm", "-D", "--defined-only", home / "lib/stubs/libcuda.so")
        names = {line.split()[-1] for line in self.text.splitlines()}
        self.assertEqual(names, {"cuInit", "cuMemFree", "cuMemFree_v2", "cuProfilerStart"})
        self.run_program(0, "readelf", "-d", home / "lib/stubs/libcuda.so", says=["Library soname: [libcuda.so.1]"])

        self.tool("c++", GCC.format(13, 2))
        found = f"-- CUDA toolkit: 13.0.88 in {home} (pip)"
        self.look(
            found,
            f"-- cuDNN 9.19.0 in {place}/nvidia/cudnn (pip)",
            "TSB_CUDA_TOOLKIT_library_versions_cudart is [13.0.96]",
        )
        # It is there: without what it came from nothing is missed.
        shutil.rmtree(self.cache)
        shutil.rmtree(self.mirror / "nvidia-cudnn")
        self.provide()
        # The machine's own goes before it.
        self.toolkit(more="13.0.48")
        self.look("-- CUDA toolkit: 13.0.48 in", "would take another one: 13.0.88 in", checks="cuda_toolkit")
        # With other pins it is another one.
        shutil.rmtree(self.root / "opt")
        self.pins["nvidia-cudnn"]["candidates"][0]["sha256"] = "0" * 64
        self.write("additions/releases/9.9.0/sources.json", {"schema": 1, "sources": self.pins})
        self.look(f"{none} {remedy}", checks="cuda_toolkit", problems=1)

    def test_not_brought(self):
        """Where the machine has one, where the user names one, and where the release pins none."""
        self.wheels()
        self.toolkit(more="13.0.48")
        self.provide()
        shutil.rmtree(self.root / "opt")
        self.toolkit("mine", "12.4.131")
        mine = self.root / "mine"
        self.provide(f"TSB_CUDA_HOME is {mine}, which is CUDA 12.4.131, but", problems=1, TSB_CUDA_HOME=mine)
        self.assertNotIn("fetching", self.text)
        del RELEASE["backends"]["cuda"]["13.0"]["toolkit"]
        self.addCleanup(PINNED.update, toolkit="13.0.2")
        self.write("additions/releases/9.9.0/release.json", RELEASE | {"from": "9.8.0"})
        self.provide()
        self.assertEqual(list(self.root.rglob("cuda-13.0-*")), [])

    def test_damaged(self):
        self.wheels()
        for file in self.mirror.rglob("nvidia_cuda_nvcc*"):
            file.write_bytes(b"PK, but no wheel")
        self.provide("cuda-toolkit-nvcc 13.0.88, needed by", "some of its wheels are not available", problems=1)
        self.assertEqual(list(self.root.rglob("cuda-13.0*")), [])

    def test_no_compiler(self):
        self.wheels()
        self.tool("c++", "exit 1")
        says = "CUDA toolkit: its wheels cannot be unpacked: c++ cannot make a stub of the driver's library, libcuda.so"
        self.provide(f"{says} -> correct that, then run this again", problems=1)
        self.assertEqual(list(self.root.rglob("cuda-13.0*")), [])
