# SPDX-License-Identifier: BSD-3-Clause
"""What is in an artifact, the licences of what was copied into it, and what backends say about theirs."""

import json
import re
import shutil
from unittest import mock

from box import ROOT

from artifact_fixture import ArtifactTest

from engine.failure import Failure
from engine.model.data import Data
from engine.sbom.licences import place_licences
from engine.system_package import system_package

LIBSTDCXX = {"name": "libstdc++-1234.so.6", "from": "libstdc++.so.6"}


class Packages(ArtifactTest):
    def test_which_are_inside(self):
        """Out of the official wheel PyTorch is there without a library that is bundled."""
        self.package("nccl", ["libnccl.so.2"])
        self.package("cudnn", machine={"home": "/usr"})
        self.package("tool", build_only="TRUE")
        self.package("pytorch", depends=["nccl", "cudnn", "tool", "left-out"])
        self.package("pytorch-py312", depends=["pytorch"])
        for main, bundled, expected in (
            ("pytorch", [], ["pytorch", "cudnn"]),
            ("pytorch", ["libnccl.so.2"], ["pytorch", "nccl", "cudnn"]),
            ("pytorch-py312", [], ["pytorch-py312", "pytorch", "cudnn"]),
            ("pytorch-py312", ["libnccl.so.2"], ["pytorch-py312", "pytorch", "nccl", "cudnn"]),
        ):
            with self.subTest(main=main, bundled=bundled):
                artifact = self.artifact("official-cuda", package=main)
                bundle = {"bundled": [{"name": name} for name in bundled]}
                self.assertEqual(artifact.packages_inside(bundle), expected)


class Licences(ArtifactTest):
    def place(self, *libraries, **members):
        return place_licences(self.artifact(**members), self.box / "root", {"bundled": libraries})

    def test_of_the_machine(self):
        cpu = {"folder": "cpu", "version": ""}
        self.assertEqual(self.place(**cpu), {})
        self.assertFalse((self.box / "root").exists())
        unknown = self.place({"name": "libnobody-1234.so.1", "from": "libnobody.so.1"}, **cpu)["libnobody.so.1"]
        self.assertEqual(unknown["text"], "")  # the licence gate refuses it
        other = {"cross": "other-linux-gnu-", "triplet": "other-linux-gnu"}
        self.assertEqual(system_package("libstdc++.so.6", other).name, "")
        if not system_package("libstdc++.so.6", {}).license:  # it is on every machine that can run this
            self.skipTest("this distribution has no licence texts for its libraries")
        owner = self.place(LIBSTDCXX, **cpu)["libstdc++.so.6"]
        self.assertIn("GCC", (self.box / "root/share/licenses/libstdc++-1234/copyright").read_text())
        self.assertEqual(owner["text"], "libstdc++-1234/copyright")
        self.assertIn("libstdc++", owner["package"])
        self.assertRegex(owner["version"], r"^\d+\.")

    def test_of_a_backend(self):
        """Each text once, under a name of its own; what was built here has its own."""
        home = self.box / "home"
        self.write(home / "EULA.txt", "terms")
        self.package("cuda-toolkit", ["libcudart.so.13", "libcublas.so.13"], machine={"home": str(home)})
        self.package("cudnn", ["libcudnn.so.9"], machine={"home": str(self.box)})
        self.write("packages/cudnn/licenses/cudnn/LICENSE.txt", "cuDNN's")
        libraries = [{"name": name, "from": name + ".1"} for name in ("libcublas.so.13", "libcudnn.so.9")]
        owners = self.place(*libraries)
        eula = "cuda-toolkit/EULA.txt"
        self.assertEqual(owners["cuda-toolkit"], {"version": "13.0", "text": eula, "headers": "libcudart.so.13"})
        self.assertEqual(owners["libcublas.so.13.1"], {"package": "cuda-toolkit", "version": "", "text": eula})
        self.assertEqual(owners["libcudnn.so.9.1"]["text"], "cudnn/LICENSE.txt")
        self.assertEqual(self.files("root/share/licenses"), {eula, "cudnn/LICENSE.txt"})
        # The licence gate complains of a folder of the builder's; what is pinned must have its text.
        (self.box / "packages/cudnn/licenses/cudnn/LICENSE.txt").unlink()
        self.package("cudnn", ["libcudnn.so.9"])
        self.write("packages/cudnn/sources.json", {"cudnn": {"tree_sha256": "cd"}})
        self.assertEqual(self.place(*libraries)["libcudnn.so.9.1"]["text"], "")
        self.write("packages/cudnn/sources.json", {"cudnn": {"sha256": "cd"}})
        with self.assertRaisesRegex(Failure, "the licence text of libcudnn.so.9 .* is not on this machine"):
            self.place(*libraries)
        shutil.rmtree(home)
        with self.assertRaises(Failure) as caught:
            self.place(*libraries)
        what, remedy = caught.exception.args
        self.assertRegex(what, r"the licence text of libcudart.so.13 \(.*\) is not on this machine")
        self.assertIn(f"put it there: EULA.txt of the CUDA toolkit, LICENSE of the others, into {home}", remedy)

    def test_of_rocm(self):
        """A distribution's folder is called after the package, and that after the SONAME or the component. AMD's own go
        before."""
        doc = self.box / "usr/share/doc"
        self.package("rocm-toolkit", machine={"home": str(self.box / "usr")})
        artifact = self.artifact("rocm", "7.2")
        for soname, package in (
            ("librocblas.so.5", "librocblas5"),
            ("libMIOpen.so.1", "libmiopen1"),
            ("libamdhip64.so.7", "libamdhip64-7"),
            ("libamd_comgr.so.3", "libamd-comgr3"),
            ("librocm_smi64.so.7", "librocm-smi64-7"),
            ("libhiprtc.so.7", "libhiprtc7"),
            ("rocprim", "librocprim-dev"),
            ("composable_kernel", "libcomposable-kernel-dev"),
        ):
            text = self.write(doc / package / "copyright", "terms")
            self.write(doc / (package + "0") / "copyright", "others")
            self.assertEqual(artifact.ask("license", "rocm-toolkit", "/usr/lib/" + soname, soname), text)
        for soname, folder in (
            ("librocblas.so.5", "rocblas"),
            ("rocprim", "rocprim"),
            ("composable_kernel", "composablekernel"),
            ("libhsa-runtime64.so.1", "hsa-runtime64"),
            ("libhsa-runtime64.so.1", "hsa-rocr"),
            ("libhiprtc.so.7", "hip"),
            ("libroctx64.so.4", "roctracer"),
            ("librocm_smi64.so.7", "rocm-smi-lib"),
            ("libMIOpen.so.1", "miopen-hip"),
            ("libamd_comgr.so.3", "amd_comgr/comgr"),
            ("libamd_comgr.so.3", "amd_comgr"),
        ):
            text = self.write(doc / folder / "LICENSE.txt", "terms")
            self.assertEqual(artifact.ask("license", "rocm-toolkit", "/usr/lib/" + soname, soname), text)
        with self.assertRaisesRegex(Failure, "the licence text of librccl.so.1 .* is not on this machine"):
            artifact.ask("license", "rocm-toolkit", "/usr/lib/librccl.so.1", "librccl.so.1")


class Rocm(ArtifactTest):
    def test_data_keeps_its_place(self):
        """Also where a distribution has it; for the chosen GPUs only."""
        for lib, kernels in (("lib", "rocblas/library"), ("lib/x86_64-linux-gnu", "rocblas/5/library")):
            with self.subTest(lib):
                home = self.box / lib.replace("/", "_") / "usr"
                of_one, of_another = (f"{lib}/{kernels}/lazy_{arch}.dat" for arch in ("gfx90a", "gfx1100"))
                for name in (of_one, of_another, "share/miopen/db/gfx90a68.db", "share/miopen/db/gfx1030.db"):
                    self.write(home / name)
                machine = {"home": str(home), "configs": str(home / lib / "cmake"), "kernels": [kernels]}
                self.package("rocm-toolkit", machine=machine)
                found = self.artifact("rocm", "7.2", {"configured": {"archs": ["gfx90a"]}}).ask("data")
                expected = {
                    (home / of_one, "lib/" + kernels),
                    (home / "share/miopen/db/gfx90a68.db", "share/miopen/db"),
                }
                self.assertEqual(set(found), expected)


VERSIONS = {"cublas": "13.1.0.3", "cudart": "13.0", "cufft": "12.0.0.61", "curand": "10.4.0.35"}
VERSIONS.update(cusolver="12.0.4.66", cusparse="12.6.3.3", nvjitlink="13.0.88", nvrtc="13.0.88", cupti="13.0.85")
REQUIRED = """nvidia-cublas==13.1.0.3 nvidia-cuda-cupti==13.0.85 nvidia-cuda-nvrtc==13.0.88 nvidia-cuda-runtime==13.0.*
nvidia-cudnn-cu13==9.19.0.56 nvidia-cufft==12.0.0.61 nvidia-curand==10.4.0.35 nvidia-cusolver==12.0.4.66
nvidia-cusparse==12.6.3.3 nvidia-nccl-cu13==2.28.9 nvidia-nvtx==13.0.* nvidia-nvjitlink==13.0.88 triton==3.2.0"""
RELEASE = {"version": "9.9.0", "triton": "3.2.0"}


class PinnedTest(ArtifactTest):
    features = {"CUFILE": {"enabled": False}}

    def pin(self, **versions):
        """A build of the official wheel with pins of NVIDIA's wheels, by their names after nvidia-."""
        pins = {f"nvidia-{name}": {"candidates": [{"version": version}]} for name, version in versions.items()}
        self.package("pytorch", pins=str(self.write("pins/sources.json", {"sources": pins})))


class CudaWheels(PinnedTest):
    def of_machine(self, versions, folder="cuda", style="small", release=RELEASE):
        self.package("cuda-toolkit", machine={"version": "13.0.88", "library_versions": versions})
        self.package("cudnn", machine={"version": "9.19.0"})
        self.write("packages/pytorch/manifest.json", {"features": self.features})
        self.write("packages/cudnn/install/lib/libcudnn_graph.so.9", "...cudnn_version_9_19_0_56_abc...")
        numbers = zip(("MAJOR", "MINOR", "PATCH"), (2, 28, 9))
        header = "".join(f"#define NCCL_{name} {number}\n" for name, number in numbers)
        self.write("packages/nccl/install/include/nccl.h", header)
        return self.artifact(folder, style=style, release=release)

    def test_requirements(self):
        self.assertEqual(self.of_machine(VERSIONS).ask("wheel"), REQUIRED.split())
        self.package("cusparselt", machine={"version": "0.8.0"})
        self.features = {"CUSPARSELT": {"enabled": True}}
        required = [*REQUIRED.split(), "nvidia-cusparselt-cu13==0.8.0"]
        self.assertEqual(sorted(self.of_machine(VERSIONS).ask("wheel")), sorted(required))
        unknown = {name: version for name, version in VERSIONS.items() if name != "cufft"}
        with self.assertRaises(Failure) as caught:
            self.of_machine(unknown).ask("wheel")
        what, remedy = caught.exception.args
        self.assertEqual(
            what,
            "which nvidia-cufft the small wheel must require is not known: the toolkit does not say the version of cufft",
        )
        self.assertIn("take a toolkit with version.json (TSB_CUDA_HOME), or make the large wheel", remedy)
        with self.assertRaises(Failure) as caught:
            self.of_machine(VERSIONS, release={"version": "9.9.0"}).ask("wheel")
        what, remedy = caught.exception.args
        self.assertEqual(what, "which triton a CUDA wheel of PyTorch 9.9.0 requires is not known")
        self.assertIn("write it as triton into releases/9.9.0/release.json", remedy)

    def test_code_of_others(self):
        """NVSHMEM's archive is linked into libtorch with code for all of its GPUs, and so is a MAGMA that somebody else made."""
        self.package("nvshmem", build_system="none")
        for file in "nvshmem/install/lib/libnvshmem_device.a", "magma/install/lib/libmagma.a":
            self.write(f"packages/{file}", "")
        nvshmem = {"from": "nvshmem", "archs": ["9.0", "10.0", "12.0+PTX"]}
        found = {"cmake": [nvshmem], "none": [{**nvshmem, "from": "magma"}, nvshmem]}
        with mock.patch("backends.cuda.device_code.code_archs", return_value=({"9.0", "10.0", "12.0"}, {"12.0"})):
            for build_system, expected in found.items():
                self.package("magma", build_system=build_system)
                artifact = self.of_machine(VERSIONS)
                artifact.backend["configured"] = {"archs": ["9.0"]}
                self.assertEqual(artifact.ask("manifest", self.box)["other_code"], expected)

    def test_folders(self):
        """An official wheel leaves more to others."""
        of_all = {("libcublas.so.*", "nvidia/cu13/lib"), ("libcudnn_*.so.*", "nvidia/cudnn/lib")}
        of_official = {("libcufile.so.*", "nvidia/cu13/lib"), ("libnvshmem*.so.*", "nvidia/nvshmem/lib")}
        found = set(self.of_machine(VERSIONS).ask("wheel_folders"))
        self.assertTrue(of_all <= found and not of_official & found, found)
        self.features = {"CUFILE": {"enabled": True}, "NVSHMEM": {"enabled": True}}
        found = set(self.of_machine(VERSIONS).ask("wheel_folders"))
        self.assertLessEqual(of_all | of_official, found)
        self.pin()
        found = set(self.of_machine(VERSIONS, "official-cuda").ask("wheel_folders"))
        self.assertLessEqual(of_all | of_official, found)
        self.assertEqual(self.of_machine(VERSIONS, style="large").ask("wheel_folders"), [])
        self.features = {"CUSPARSELT": {"enabled": True}}
        for version, folder in (
            ("0.6.3", "cusparselt/lib"),
            ("0.7.1", "nvidia/cusparselt/lib"),
            ("0.9.0", "nvidia/cu13/lib"),
        ):
            self.package("cusparselt", machine={"version": version})
            self.assertIn(("libcusparseLt.so.*", folder), self.of_machine(VERSIONS).ask("wheel_folders"))

    def test_folders_of_the_pinned_wheels(self):
        """Each library in the wheels of NVIDIA that a release pins is in a folder to which the RPATH leads; as the wheels' own
        lists of files say."""
        lists = json.loads((ROOT / "tests/fixtures/nvidia_wheels.json").read_text())
        files, seen = sorted(ROOT.glob("releases/*/sources.json")), set()
        for file in files:
            merged = Data().merged(file.parent.name, "sources.json")
            pins = {
                name: pin["candidates"][-1]
                for name, pin in merged["sources"].items()
                if re.match("nvidia-(?!.*aarch64)", name)
            }
            if not pins:
                continue
            (cuda,) = json.loads((file.parent / "release.json").read_text())["backends"]["official-cuda"]
            self.package("pytorch", pins=str(self.write("merged.json", merged)))
            led_to = {place for _, place in self.artifact("official-cuda", cuda, style="small").ask("wheel_folders")}
            for pin in pins.values():
                with self.subTest(release=file.parent.name, wheel=pin["filename"]):
                    self.assertLessEqual({*lists[pin["filename"]].split()}, led_to)
                seen.add(pin["filename"])
        self.assertEqual(seen, set(lists))


class CudaManifest(ArtifactTest):
    def test_what_the_release_adds(self):
        more = [{"with": "9.0", "arch": "9.0a", "lowest_cuda": "12.0"}]
        for archs, cuda, expected in (
            (["8.0", "9.0+PTX"], "12.4", ["9.0a"]),
            (["9.0"], "11.8", []),
            (["8.0"], "12.4", []),
        ):
            with self.subTest(archs=archs, cuda=cuda):
                release = {"cuda": {"additional_archs": more}}
                artifact = self.artifact(version=cuda, backend={"configured": {"archs": archs}}, release=release)
                manifest = artifact.ask("manifest", self.box)
                self.assertEqual((manifest["archs"], manifest["additional_archs"]), (archs, expected))


class CudaConda(PinnedTest):
    def test_depends(self):
        """Any driver of the major version will do, 525 to 549 among them, but for code that the older ones cannot load; NVIDIA's
        packages when nothing tells their versions."""
        of_size = {"configured": {"compression": ["-compress-mode=size"]}}
        of_12 = "cuda-version >=12.4,<13.0a0|__glibc|libcublas >=12.4,<13.0a0"
        for cuda, backend, packages, expected in (
            ("12.4", {}, ["__glibc", "libcublas"], "__cuda >=12|" + of_12),
            ("11.8", {}, ["cudatoolkit"], "__cuda >=11|cuda-version >=11.8,<12.0a0|cudatoolkit >=11.8,<12.0a0"),
            ("12.4", of_size, ["__glibc", "libcublas"], "__cuda >=12.4|" + of_12),
            ("13.0", of_size, [], "__cuda >=13|cuda-version >=13.0,<14.0a0"),
        ):
            with self.subTest(cuda=cuda):
                found = self.artifact(version=cuda, backend=backend).ask("conda", packages)
                self.assertEqual("|".join(found), expected)

    def test_of_the_official_wheel(self):
        self.pin(cublas="13.4.1.3", nvshmem="3.7.2")
        packages = ["libcublas", "libnvshmem3", "cuda-bindings >=13.0.3,<14"]
        found = self.artifact("official-cuda", "13.2").ask("conda", packages)
        bounds = ["libcublas >=13.4.1.3,<14.0a0", "libnvshmem3 >=3.7.2,<4.0a0", packages[2]]
        self.assertEqual(found, ["__cuda >=13", "cuda-version >=13.2,<14.0a0", *bounds])
