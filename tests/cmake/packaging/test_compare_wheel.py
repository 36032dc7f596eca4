# SPDX-License-Identifier: BSD-3-Clause
"""The comparison with the official wheel: each kind of difference is found, and is an error until the data explains it."""

import json
from unittest import mock

from box import ROOT, make_wheel

from tools_fixture import ToolsTest  # isort: skip, it says where their modules are

import compare_wheel
import wheel_facts

from engine.model.data import Data

OURS, OFFICIAL = "torch-9.9.0+cpu-cp311-cp311-linux_x86_64.whl", "torch-9.9.0-cp311-cp311-manylinux_2_28_x86_64.whl"
FUNCTION = "void %s(void) {}\n"
# What is compared, and where it differs.
DIFFERENCES = """METADATA, only here: 1|Dynamic: summary
METADATA, differs: 2|Requires-Dist: sympy: >=1.13, official ==1.12|Version: 9.9.0+cpu, official 9.9.0
METADATA, only there: 1|Requires-Dist: triton
entry point, differs: 1|console_scripts: Run: a:main, official b:main
tag, differs: 2|C++ ABI: new, official old, or not seen|Tag: cp311-cp311-linux_x86_64, official cp311-cp311-manylinux_2_28_x86_64
file, only here: 1|torch/manifest.json
Python file, differs: 1|torch/a.py
header, only there: 1|torch/include/a.h
CMake package, differs: 1|torch/share/cmake/Torch/TorchConfig.cmake
needed library, only there: 1|torch/lib/libc10.so needs libv.so
symbol version, differs: 1|torch/lib/libx.so needs V: 1.10, official 1.9
exported name, only here: 1|torch/lib/libc10.so has c10::more()
weak name, only there: 1|torch/lib/libc10.so has weak c10::inlined()"""


class CompareTest(ToolsTest):
    def setUp(self):
        super().setUp()
        self.environment(TSB_ADDITIONS=str(self.box / "additions"))
        self.release("release.json", {"pythons": ["3.11"], "cxx_standard": "17", "backends": {"official-cuda": {}}})

    def release(self, file, content):
        self.write(f"additions/releases/9.9.0/{file}", content)

    def explain(self, **entry):
        self.release("differences.json", {"differences": [{"name": "all", "why": "a test"} | entry]})

    def compare(self, ends, *words, says=()):
        self.run_main(ends, compare_wheel.main, "compare_wheel", "9.9.0", *words, says=says)


class Wheels(CompareTest):
    def wheel(self, name, more, script, files):
        """Each has a file that both have, and what differs."""
        info = "-".join(name.split("-")[:2]) + ".dist-info"
        scripts = f"[console_scripts]\nRun = {script}:main\n"
        return make_wheel(self.box / name, {**files, f"{info}/entry_points.txt": scripts, "torch/b.py": "same"}, more)

    def libraries(self):
        """{path: content} of our wheel, and of the official one."""
        self.write("versions.map", "V_1.9 { f; };\nV_1.10 { g; };\n")
        options = (f"-Wl,--version-script={self.box / 'versions.map'}", "-Wl,-soname,libv.so")
        used = self.library("libv.so", *options, source=FUNCTION % "f" + FUNCTION % "g")
        new = FUNCTION % "_ZN3c105parseERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"
        old = FUNCTION % "_ZN3c105parseERKSbIcSt11char_traitsIcESaIcEE"
        inlined = "__attribute__((weak)) " + FUNCTION % "_ZN3c107inlinedEv"
        found = []
        used = ("-Wl,--no-as-needed", used)
        for source, calls, needs in (
            (new + FUNCTION % "_ZN3c104moreEv", "f(); g();", ()),
            (old + inlined, "f();", used),
        ):
            c10 = self.library("libc10.so", "-nostdlib", *needs, source=source)
            x = self.library("libx.so", "-nostdlib", *used, source=f"void f(); void g(); void x(void) {{ {calls} }}")
            found.append({"torch/lib/libc10.so": c10.read_bytes(), "torch/lib/libx.so": x.read_bytes()})
        return found

    def both(self):
        ours, official = self.libraries()
        ours |= {"torch/manifest.json": "{}", "torch/a.py": "1", "torch/share/cmake/Torch/TorchConfig.cmake": "1"}
        official |= {"torch/include/a.h": "", "torch/a.py": "2", "torch/share/cmake/Torch/TorchConfig.cmake": "2"}
        more, other = (
            "Dynamic: summary\nRequires-Dist: sympy (>=1.13)\n",
            "Requires-Dist: sympy==1.12\nRequires-Dist: triton\n",
        )
        return self.wheel(OURS, more, "a", ours), self.wheel(OFFICIAL, other, "b", official)

    def test_each_difference(self):
        ours, official = self.both()
        words = ("--wheel", ours, "--official", official)
        self.compare(1, *words)
        for line in DIFFERENCES.splitlines():
            self.assertIn("\nnot explained: " + line.replace("|", "\n  ") + "\n", self.text + "\n")
        self.assertEqual(self.text.count("not explained: "), len(DIFFERENCES.splitlines()), self.text)
        self.assertIn("| file | 3 | 2 | 1 | 0 | 0 | 1 |\n", self.text)

        self.explain(here=[".*"], there=[".*"], differs=[".*"], wheel=".*[+]cpu")
        self.compare(0, *words, says=["| 15 | all | `Dynamic: summary` | a test |"])
        self.explain(here=[".*"], there=[".*"], differs=[".*"], wheel=".*[+]cu124")
        self.compare(1, *words, says=["| file | 3 | 2 | 1 | 0 | 0 | 1 |"])
        self.explain(here=[".*"], there=[".*"], differs=["(?!.*a[.]py).*"])
        self.compare(1, *words)
        self.assertEqual(self.text.partition("not explained: ")[2], "Python file, differs: 1\n  torch/a.py\n")

    def test_the_index_is_asked(self):
        """For the newest build of the same Python, of which zipfile reads parts."""
        _, official = self.both()
        content = official.read_bytes()
        server = mock.Mock(
            size=len(content),
            read_blocks=lambda begin, end: iter([content[begin : begin + 9], content[begin + 9 : end]]),
        )
        page = {
            OFFICIAL.replace("9.9.0-", f"9.9.0-{build}", 1): f"https://index/{build}" for build in ("", "2-", "10-")
        }
        page |= {
            name: "https://index/other"
            for name in (OFFICIAL.replace("cp311-cp311", "cp311-cp311t"), "torch-9.9.0.tar.gz")
        }
        with mock.patch.object(compare_wheel, "pages_of", lambda *_: iter([page])):
            with mock.patch.object(wheel_facts, "RemoteFile", return_value=server) as opened:
                self.compare(1, "--wheel", self.box / OURS, says=["not explained: Python file, differs: 1"])
                opened.assert_called_once_with("https://index/10-")
            none = ["error: pip's index has no torch 9.9.0 for cp311 and aarch64 name a file with --official"]
            self.compare(3, "--machine", "aarch64", says=none)
        with mock.patch.object(compare_wheel, "pages_of", side_effect=OSError("away")):
            self.compare(3, says=["error: pip's index cannot be read: away name a file with --official"])

    def test_what_is_refused(self):
        none, wheel = self.box / OFFICIAL, self.write(OURS, "no zip")
        self.compare(3, "--official", none, says=[f"error: {none} cannot be read as a wheel: ", "name another file"])
        self.compare(3, "--official", wheel, says=[f"error: {wheel} cannot be read as a wheel: File is not a zip file"])
        self.run_main(
            3, compare_wheel.main, "", "9.9.1", says=["error: there is no release 9.9.1 name one of: 9.9.0, "]
        )
        self.both()
        words = ("--wheel", wheel, "--official", none)
        self.explain(here=["("])
        self.compare(3, *words, says=["differences.json: ['('] has no valid expression: ", "correct it"])
        self.explain(heer=[])
        self.compare(3, *words, says=["'differences' 0 has a member 'heer', which nothing reads correct its name"])


class Releases(CompareTest):
    def test_without_a_wheel_of_ours(self):
        """What the data says is compared with METADATA and some members."""
        libraries = json.loads((ROOT / "backends/cuda/libraries.json").read_text())["libraries"]
        pins = {one["wheel"]["project"]: {"candidates": [{"version": "1.2.3.4"}]} for one in libraries}
        pins |= {"pytorch": {"candidates": [{"commit": "1" * 40}]}, "pybind11": {"candidates": [{"version": "2.13.6"}]}}
        pins |= {
            "onednn": {"candidates": [{"version": "3.7", "commit": "4" * 40}]},
            "sleef": {"candidates": [{"version": "56e1f79"}]},
        }
        self.release("sources.json", {"sources": pins})
        cuda = {"12.8": {"archs": ["7.5"], "cudnn": "9.1.0.1"}}
        facts = {"pythons": ["3.10", "3.11"], "cxx_standard": "17", "triton": "3.1", "python_targets": ["functorch"]}
        self.release(
            "release.json", facts | {"backends": {"cuda": cuda, "official-cuda": {"12.8": {"archs": ["7.5", "8.0"]}}}}
        )
        self.release("upstream_versions.json", {"wheel": "x", "requires_dist": ["sympy >=1.13", "fsspec"]})
        cusparselt = {"backend": "cuda", "feature": "CUSPARSELT", "option": "USE_CUSPARSELT"}
        self.release("options.json", {"features": [cusparselt]})
        without = ("CUFILE", "NVSHMEM")  # features that this release does not have
        there = [one for one in libraries if one.get("feature") not in without]
        of_cuda = [f"{one['wheel']['project']}-cu12==1.2.3.4" for one in there]
        required = [
            "triton==3.2",
            "nvidia-new-cu12==1",
            *(line.replace("cudnn-cu12==1.2.3.4", "cudnn-cu12<9") for line in of_cuda),
        ]
        lines = [
            "sympy>=1.13",
            "jinja2",
            'optree; extra == "optree"',
            *(f'{one}; platform_system == "Linux"' for one in required),
        ]
        members = {
            "torch/version.py": f"cuda: str = '12.8'\ngit_version = '{'2' * 40}'\n",
            "torch/lib/libtorch_python.so": "sm_75 sm_80\0",
            "torch/share/cmake/Torch/TorchConfig.cmake": "CXX_STANDARD 20",
            "torch/include/pybind11/detail/common.h": "".join(
                f"#define PYBIND11_VERSION_{name} {number}\n"
                for name, number in (("MAJOR", 3), ("MINOR", 0), ("PATCH", 1))
            ),
            "torch/include/oneapi/dnnl/dnnl_version_hash.h": f'#define DNNL_VERSION_HASH "{"3" * 40}"',
            "torch/include/sleef.h": "#define SLEEF_VERSION_MAJOR 3",
            "torch-9.9.0.dist-info/entry_points.txt": "[console_scripts]\nrun = torch.run:main\ntrace = tools.trace:main\n",
            "torch/run.py": "",
        }
        official = make_wheel(self.box / OFFICIAL, members, "".join(f"Requires-Dist: {line}\n" for line in lines))
        page = {OFFICIAL.replace("cp311", python): "" for python in ("cp311", "cp312", "cp313t")}
        with mock.patch("tools.import_official.import_official.pages_of", lambda *_: iter([page])):
            self.compare(1, "--official", official)
        for line in (
            "Python, only here: 1|3.10",
            "Python, only there: 1|3.12",
            "release, differs: 3|C++ standard: 17, official 20|GPUs of cuda: 7.5, official 7.5 8.0"
            "|extension of functorch: True, official False",
            f"source, differs: 3|onednn: {'4' * 40}, official {'3' * 40}|pybind11: 2.13.6, official 3.0.1"
            f"|pytorch: {'1' * 40}, official {'2' * 40}",
            "entry point with a module, only here: 1|console_scripts: trace",
            "noted requirement, only here: 1|fsspec",
            "requirement for CUDA, only there: 1|nvidia-new-cu12",
            "requirement for CUDA, differs: 2|nvidia-cudnn-cu12: ==9.1.0.1, official <9|triton: ==3.1, official ==3.2",
        ):
            self.assertIn("\nnot explained: " + line.replace("|", "\n  ") + "\n", self.text + "\n")
        self.assertEqual(self.text.count("not explained: "), 9, self.text)


class Shipped(CompareTest):
    def test_the_data_of_releases(self):
        """Each entry has a reason and valid expressions, and none is there that nothing can match any more."""
        for release in Data().names("releases"):
            with self.subTest(release=release):
                for (name, why), sides in compare_wheel.expected(Data(), release, "").items():
                    self.assertTrue(name and why and sides)
