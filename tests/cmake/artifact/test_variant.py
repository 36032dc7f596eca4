# SPDX-License-Identifier: BSD-3-Clause
"""A variant of the user's own: PyTorch's options that they set, and what an artifact says about itself."""

import contextlib
import io
import types

from box import ROOT, BoxTest, flat

from engine.failure import Failure
from engine.model import variant

OFF = "the official packages have none; it would tie the artifact to one MPI"
CORRECT = "correct the setting, or unset it (after a -D: -U TSB_PYTORCH_OPTIONS): docs/variants.md"
# (the setting, the message)
REFUSED = [
    (
        "USE_KINTEO=ON",
        "USE_KINTEO: PyTorch 2.6.0 has no such option. Did you mean USE_KINETO? Correct it; a variable of CMake or of a "
        "submodule has its type: USE_KINTEO:STRING=ON",
    ),
    ("OF_NOTHING=1", "OF_NOTHING: PyTorch 2.6.0 has no such option. Correct it;"),
    ("USE_MPI=maybe", "USE_MPI is 'maybe': set it to ON or OFF"),
    ("USE_MPI:BOOL=maybe", "USE_MPI is 'maybe': set it to ON or OFF"),
    ("USE_ASAN=ON USE_ASAN=OFF", "USE_ASAN is there twice: remove one"),
    (
        "BUILD_TEST=ON",
        "BUILD_TEST cannot be set here: the release has it as 'OFF': nothing of them is packed. An addition can replace "
        "that (releases/README.md)",
    ),
    *(
        (words, "it is 'MKL', which superbuild/pytorch.cmake takes from another setting, such as TSB_BLAS: remove it")
        for words in ("BLAS=x", "BLAS:STRING=x")  # not that it lacks its type first
    ),
    (
        "CMAKE_BUILD_TYPE:STRING=Debug",
        "it is the same for every package (cmake/package/z_tsb_framework.cmake): remove it",
    ),
    ("CMAKE_BUILD_TYPE:STRING=Debgu", "it is the same for every package"),
    ("CMAKE_BUILD_TYPE=Debug", "it is the same for every package"),
    ("DEBUG=1", "DEBUG: PyTorch 2.6.0 has no such option. Correct it;"),
    ("use_kineto=OFF", "use_kineto: PyTorch 2.6.0 has no such option. Did you mean USE_KINETO?"),
    ("CMAKE_INSTALL_PREFIX:PATH=/x", "what is installed is packed, or lies in your checkout's torch/"),
    ("BUILD_SHARED_LIBS=OFF", "static libraries are made of the same compile: take a preset with libtorch-static"),
    ("HAVE_SOVERSION=ON", "cannot be set here: TSB_SONAME_VERSION does it, for the zips; a wheel cannot have it"),
    *((f"USE_MAGMA={value}", "USE_MAGMA cannot be set here: TSB_MAGMA decides it") for value in ("ON", "OFF")),
    (
        "CMAKE_TOOLCHAIN_FILE:FILEPATH=/t",
        "CMAKE_TOOLCHAIN_FILE cannot be set here: set CC and CXX, for a new build folder",
    ),
    ("CMAKE_GENERATOR:INTERNAL=Xcode", "CMAKE_GENERATOR cannot be set here: it is Ninja"),
    ("CMAKE_MAKE_PROGRAM:FILEPATH=/m", "set it as a variable of CMake when you configure this project"),
    ("CMAKE_PREFIX_PATH:PATH=/opt", "CMAKE_PREFIX_PATH cannot be set here: it has what the package depends on"),
]


def package(name, source="pytorch", options=()):
    features = {"MPI": {"option": "USE_MPI", "off": OFF, "remedy": "", "setting": ""}}
    features["KINETO"] = {"option": "USE_KINETO", "off": "", "remedy": "", "setting": ""}
    features["MAGMA"] = {"option": "USE_MAGMA", "off": "", "remedy": "", "setting": "TSB_MAGMA"}
    of = {"name": name, "source": source, "declared_in": f"superbuild/{name}.cmake", "all_sources": [source]}
    return of | {"options": ["BUILD_TEST=OFF", "BLAS=MKL", *options], "features": features, "in_place": ""}


class Variant(BoxTest):
    def plan(self, options="", **declared):
        packages = package("pytorch"), package("pytorch-py311", options=["BUILD_PYTHON=ON"]), package("sleef", "sleef")
        artifacts = {"suffix": "", "build_number": ""} | declared.pop("artifacts", {})
        declared = {"pytorch_options": options.split(), "local": {}, "artifacts": artifacts} | declared
        declared |= {"framework_options": ["CMAKE_BUILD_TYPE=Release"]}
        declared.setdefault("folders", {"TSB_ADDITIONS": "", "TSB_SUPERBUILD_DIR": ""})
        pins = {"sources": {name: {} for name in ("pytorch", "sleef", "nccl")}}
        packages = {one["name"]: one for one in packages}
        return types.SimpleNamespace(declared=declared, packages=packages, pins=pins, release={"folder": "2.6.0"})

    def call(self, function, plan):
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            result = function(plan)
        self.text = said.getvalue()
        return result

    def test_refused(self):
        for words, says in REFUSED:
            with self.subTest(words), self.assertRaises(Failure) as raised:
                variant.set_options(self.plan(words))
            self.assertIn(says, flat(str(raised.exception)))
            self.assertIn(CORRECT, str(raised.exception))
        with self.assertRaises(Failure) as raised:
            variant.set_options(self.plan(" ".join(words for words, _ in REFUSED[:3])))
        for _, says in REFUSED[:3]:
            self.assertIn(says, flat(str(raised.exception)))

    def test_what_is_set(self):
        """PyTorch's packages get it, the Python layers as well; a feature is switched, and nobody else's options change."""
        plan = self.plan("USE_MPI=ON USE_KINETO=off USE_ASAN=ON DNNL_VERBOSE:BOOL=OFF")
        self.call(variant.set_options, plan)
        self.assertEqual(
            self.text.splitlines(),
            [
                f"TSB_PYTORCH_OPTIONS: USE_MPI=ON counts instead of the release's OFF: {OFF}",
                "TSB_PYTORCH_OPTIONS: USE_KINETO=off counts instead of the release's ON",
            ],
        )
        for name, own in (("pytorch", []), ("pytorch-py311", ["BUILD_PYTHON=ON"])):
            found = plan.packages[name]
            more = ["USE_ASAN=ON", "DNNL_VERBOSE:BOOL=OFF"]
            self.assertEqual(found["options"], ["BUILD_TEST=OFF", "BLAS=MKL", *own, *more])
            self.assertEqual(found["features"]["MPI"]["off"], "")
            self.assertEqual(found["features"]["KINETO"]["off"], "TSB_PYTORCH_OPTIONS has USE_KINETO=off")
        self.assertEqual(plan.packages["sleef"], package("sleef", "sleef"))
        for words in "USE_MPI=OFF", "USE_MPI:BOOL=n", "USE_KINETO:BOOL=Y":  # as it is
            plan = self.plan(words)
            self.call(variant.set_options, plan)
            self.assertEqual((plan.packages["pytorch"], self.text), (package("pytorch"), ""))

    def test_what_depends_on_an_option(self):
        """It goes with it, and the manifest says so, but not what needs one of two, or what is off anyway."""
        of_features = {name: {"option": f"USE_{name}", "off": "", "remedy": "", "setting": ""} for name in "GABCDEF"}
        for name, off, remedy in ("D", "nobody has it", "name a mirror"), ("F", "not wanted", ""):
            of_features[name] |= {"off": off, "remedy": remedy}
        text = "option(USE_A x ON)\noption(USE_X x ON)\n"
        for name, condition in (
            ("B", "LINUX AND USE_A"),
            ("C", "USE_A OR USE_X"),
            ("D", "USE_A"),
            ("E", "X;USE_A"),
            ("G", "USE_B"),
        ):
            text += f'cmake_dependent_option(USE_{name} x ON "{condition}" OFF)\n'
        self.write("tree/CMakeLists.txt", text)
        local = {"pytorch": str(self.box / "tree")}
        for words, gone in ("USE_A=OFF", "BEG"), ("USE_A=ON", ""), ("USE_X=OFF", ""), ("USE_B=OFF", "G"):
            plan = self.plan(words, local=local)
            features = {name: dict(feature) for name, feature in of_features.items()}
            plan.packages["pytorch"]["features"] = features
            self.call(variant.set_options, plan)
            needs = {name: "USE_B" if name == "G" else "USE_A" for name in gone}
            for name, need in needs.items():
                self.assertIn(f"{need} is off, and so is USE_{name}, which depends on it\n", self.text)
            self.assertEqual(self.text.count("depends on it"), len(gone))
            for name in set("CDEFG") | set(gone):
                off = f"it depends on {needs.get(name)}, which TSB_PYTORCH_OPTIONS has off"
                self.assertEqual(features[name]["off"], off if name in gone else of_features[name]["off"], name)

        says = "USE_B is on, and USE_A off, on which it depends: switch USE_A on, or USE_B off"
        with self.assertRaises(Failure) as raised:
            variant.set_options(self.plan("USE_A=OFF USE_B=ON", local=local))
        self.assertIn(says, str(raised.exception))

    def test_what_the_machine_lacks(self):
        """It can be off on purpose, and not on."""
        lacking = {
            "option": "USE_CUSPARSELT",
            "off": "cuSPARSELt was not found on this machine",
            "remedy": "set its folder",
            "setting": "",
        }
        for words in "USE_CUSPARSELT=OFF", "USE_CUSPARSELT=ON":
            plan = self.plan(words)
            for name in "pytorch", "pytorch-py311":
                plan.packages[name]["features"]["CUSPARSELT"] = dict(lacking)
            if words.endswith("OFF"):
                self.call(variant.set_options, plan)
                says = "TSB_PYTORCH_OPTIONS: USE_CUSPARSELT=OFF counts instead of the release's ON\n"
                self.assertEqual(self.text, says)
                off = {"off": f"TSB_PYTORCH_OPTIONS has {words}", "remedy": ""}
                self.assertEqual(plan.packages["pytorch-py311"]["features"]["CUSPARSELT"], lacking | off)
            else:
                with self.assertRaises(Failure) as raised:
                    variant.set_options(plan)
                says = "USE_CUSPARSELT cannot be set here: cuSPARSELt was not found on this machine; set its folder"
                self.assertIn(says, str(raised.exception))

    def test_to_develop_in(self):
        """A checkout that is built where it is gets them too, and how it is compiled is not the project's to say."""
        plan = self.plan("BUILD_TEST=ON CMAKE_BUILD_TYPE:STRING=Debug")
        develop = package("pytorch-develop", "") | {"in_place": "/mine", "options": ["BLAS=MKL"]}
        plan.packages = {"pytorch-develop": develop}
        variant.set_options(plan)
        self.assertEqual(develop["options"], ["BLAS=MKL", "BUILD_TEST=ON", "CMAKE_BUILD_TYPE:STRING=Debug"])
        develop["options"] = []
        for options in ["CMAKE_BUILD_TYPE:STRING=RelWithAssert"], ["DEBUG:BOOL=ON"]:
            plan.declared["pytorch_options"] = options
            variant.set_options(plan)
        known = "set it to one of Release, Debug, RelWithDebInfo, MinSizeRel, RelWithAssert"
        for word, says in (
            ("CMAKE_PREFIX_PATH:PATH=/opt", "it has what the package depends on"),
            ("CMAKE_BUILD_TYPE:STRING=Debgu", f"CMAKE_BUILD_TYPE is 'Debgu': {known}"),
            ("CMAKE_BUILD_TYPE:STRING=debug", f"CMAKE_BUILD_TYPE is 'debug': {known}"),
            ("CMAKE_BUILD_TYPE=Debug", "a variable of CMake, which needs its type here: CMAKE_BUILD_TYPE:STRING=Debug"),
            (
                "DEBUG=1",
                "DEBUG is read by PyTorch's setup.py, which does not run here: use CMAKE_BUILD_TYPE:STRING=Debug",
            ),
        ):
            plan.declared["pytorch_options"], develop["options"] = [word], []
            with self.assertRaises(Failure) as raised:
                variant.set_options(plan)
            self.assertIn(says, str(raised.exception))

    def test_a_tree_of_the_users(self):
        """Its options count."""
        self.write("tree/CMakeLists.txt", 'option(USE_MINE "x" ON) # option(NOT_ME "x")\n')
        local = {"pytorch": str(self.box / "tree")}
        plan = self.plan("USE_MINE=OFF", local=local)
        variant.set_options(plan)
        self.assertIn("USE_MINE=OFF", plan.packages["pytorch"]["options"])
        self.write("tree/CMakeLists.txt", "option(USE_MINE x ON)\noption(WITH_${part}_X x)\n")
        variant.set_options(self.plan("WITH_A_X=ON", local=local))
        for words in "USE_ASAN=ON", "NOT_ME=ON", "WITH_A_Y=ON":
            with self.assertRaises(Failure) as raised:
                variant.set_options(self.plan(words, local=local))
            self.assertIn(f"{self.box}/tree has no such option", str(raised.exception))
        for text in "option(A", "set(x)\noption", "option()", "cmake_dependent_option(A x ON)":
            self.write("tree/CMakeLists.txt", text)
            with self.subTest(text), self.assertRaises(Failure) as raised:
                variant.set_options(self.plan("A=ON", local=local))
            says = f"{self.box}/tree/CMakeLists.txt has an option() without its name or its end correct the file"
            self.assertEqual(flat(str(raised.exception)), says)

    def test_facts(self):
        """A plain artifact has none, also in a checkout that is reached through a link."""
        self.assertEqual((self.call(variant.facts_of_variant, self.plan()), self.text), ({}, ""))
        (self.box / "checkout").symlink_to(ROOT)
        folders = {"TSB_ADDITIONS": "", "TSB_SUPERBUILD_DIR": f"{self.box}/checkout/superbuild"}
        self.assertEqual(self.call(variant.facts_of_variant, self.plan(folders=folders)), {})
        self.write("mine/superbuild/greet.cmake", "greet")
        folders = {"TSB_ADDITIONS": str(self.box / "mine"), "TSB_SUPERBUILD_DIR": ""}
        artifacts = {"suffix": "mine.1", "build_number": "2"}
        local = {"sleef": "/x", "nccl": "/y"}
        plan = self.plan("USE_MPI=ON", artifacts=artifacts, folders=folders, local=local)
        for name in "sleef", "nccl":
            plan.pins["sources"][name]["patches"] = [
                {"file": f"{name}/1.patch", "source": "TSB_PATCHES"},
                {"file": "ours.patch", "source": "upstream"},
            ]
        found = self.call(variant.facts_of_variant, plan)
        digest = found["folders"].pop("TSB_ADDITIONS")
        self.assertRegex(digest, "^tree-[0-9a-f]{64}$")
        for file, same in (("superbuild/README.md", True), ("superbuild/greet.txt", False)):
            self.write(f"mine/{file}", "more")
            again = self.call(variant.facts_of_variant, plan)["folders"]["TSB_ADDITIONS"]
            self.assertEqual(again == digest, same)
        expected = {"version_suffix": "mine.1", "build_number": "2", "pytorch_options": ["USE_MPI=ON"]}
        expected |= {"patches": ["sleef/1.patch"], "sources": ["sleef"], "folders": {}}
        self.assertEqual(found, expected)
        line = "a variant: version suffix mine.1; build number 2; pytorch options USE_MPI=ON; patches sleef/1.patch; "
        self.assertEqual(self.text, line + "sources sleef; folders TSB_ADDITIONS\n")
        self.call(variant.facts_of_variant, self.plan("USE_MPI=ON"))
        self.assertIn("TSB_VERSION_SUFFIX is not set: a file of this variant takes the place of the plain", self.text)
