# SPDX-License-Identifier: BSD-3-Clause
"""Files of data that are not what they must be, of an addition."""

import argparse
import json
import pathlib
import platform
import shutil
import sys

from box import ROOT, BoxTest, flat

sys.path.insert(0, str(ROOT / "cmake/model"))

import data  # noqa: E402
import model  # noqa: E402

ASK = pathlib.Path(__file__).parent / "ask.cmake"
TARGET = f"targets/{platform.machine()}.json"
BACKEND, RELEASE = "backends/abacus/backend.json", "releases/9.9.0/release.json"
OPTIONS, HOOK = "releases/9.9.0/options.json", "backends/abacus/hooks/needs.cmake"
LIBRARIES, MODULE = "backends/abacus/libraries.json", "backends/abacus/hooks/artifact.py"
OPTION = {"option": "A", "value": ""}
GOOD = {
    RELEASE: {"cxx_standard": "17", "libtorch_zip": "x", "pythons": [], "backends": {"abacus": {}}},
    OPTIONS: {"options": [OPTION], "features": []},
    BACKEND: {"name": "abacus", "title": "x", "wheel_styles": []},
    TARGET: json.loads((ROOT / "targets/x86_64.json").read_text()),
}
FEATURE = {"feature": "F", "option": "A", "packages": "a"}


def options(*entries, features=()):
    return json.dumps({"options": entries, "features": features})


def changed(file, **members):
    return json.dumps(GOOD[file] | members)


def wrong_type(name, file, found, wanted):
    return f"'{name}' in {file} is of type {found} it must be of type {wanted}"


# (file, its text, the message)
REFUSED = [
    (TARGET, "{}", f"{TARGET} has no member 'processor' add it, of type STRING"),
    (BACKEND, '{"title": "x"}', f"{BACKEND} has no member 'name' add it, of type STRING"),
    ("releases/9.8.0/sources.json", "{}", "releases/9.8.0 adds to a release that does not exist there are: 9.9.0, "),
    (
        "releases/2.6.0/option.json",
        "{}",
        "releases/2.6.0/option.json has no effect: nothing reads it there may be: sources",
    ),
    *(
        (f"backends/abacus/{file}", "", f"backends/abacus/{file} has no effect: nothing reads it there may be: {known}")
        for file, known in (
            ("setings.cmake", "backend libraries"),
            ("hooks/toolchian.cmake", "artifact cmake_options"),
            ("doctor/tsb_doctor_check_abacsu.cmake", "detail"),
        )
    ),
    (
        MODULE,
        "def manifets(a):\n    pass\n",
        f"{MODULE}/manifets has no effect: nothing reads it there may be: versions",
    ),
    ("backends/abakus/libraries.json", "{}", "backends/abakus adds to a backend that does not exist there are: "),
    (LIBRARIES, '{"libraries": [{}]}', f"{LIBRARIES}: 'libraries' 0 has no member 'package' add it, of type STRING"),
    (OPTIONS, options({}), "'options' 0 has no member 'option' add it, of type STRING"),
    (OPTIONS, options({"option": "A"}), "'options' 0 has no member 'value' add it, of type STRING"),
    (OPTIONS, options("A"), "'options' 0 has no member 'option' add it"),
    (OPTIONS, options(OPTION | {"backend": "cdua"}), "'A' is for the backend 'cdua' there are:"),
    (OPTIONS, options(OPTION | {"package": "t"}), "'A' is for the package 't' there are: pytorch, pytorch-py"),
    (OPTIONS, options(OPTION | {"packges": []}), "'A' has an unknown member 'packges' correct it, or remove it"),
    (OPTIONS, options(OPTION, OPTION), "'A' is twice in 'options' for pytorch remove one"),
    (OPTIONS, options(features=[FEATURE]), wrong_type("packages", f"{OPTIONS}: 'features' 0", "STRING", "ARRAY")),
]
REFUSED += [
    (file, changed(file, tritonn="x"), f"{file} has a member 'tritonn', which nothing reads correct its name")
    for file in (TARGET, RELEASE, BACKEND)
]
REFUSED += [
    (file, text, f"{file} {what}")
    for file in (TARGET, RELEASE, BACKEND)
    for text, what in (
        ("", "is not valid JSON: "),
        ('{"title": ', "is not valid JSON: "),
        ("[]", "is not a JSON object but of type ARRAY correct it"),
    )
]
REFUSED += [
    (
        file,
        changed(file, archs="8.0;9.0"),
        f"{file} holds a ';', which ends an element of a list of CMake's write lists",
    )
    for file in (RELEASE, BACKEND)
]
# Members that must be there, and members that may.
REFUSED += [
    (file, changed(file, **{name.partition(".")[0]: value}), wrong_type(name, file, found, wanted))
    for file, name, value, found, wanted in (
        (RELEASE, "pythons", "3.11", "STRING", "ARRAY"),
        (RELEASE, "python_targets", "a", "STRING", "ARRAY"),
        (RELEASE, "triton", 3, "NUMBER", "STRING"),
        (RELEASE, "ready", "no", "STRING", "BOOLEAN"),
        (RELEASE, "backends.abacus", {"abacus": []}, "ARRAY", "OBJECT"),
        (TARGET, "unity_groups", "yes", "STRING", "BOOLEAN"),
        (TARGET, "openblas_options", "A", "STRING", "ARRAY"),
        (BACKEND, "conda_build_number", 100, "NUMBER", "STRING"),
        (BACKEND, "checks", "a", "STRING", "ARRAY"),
        (BACKEND, "consumer.may_load", {"may_load": "a"}, "STRING", "ARRAY"),
    )
]


class Refused(BoxTest):
    def load(self):
        data.check_folder.cache_clear()
        asked = argparse.Namespace(backend="abacus", release="9.9.0", processor="", pins="", machine=platform.machine())
        model.load(data.Data(self.box), asked)

    def test_good(self):
        for file, content in GOOD.items():
            self.write(file, content)
        self.load()
        (self.box / OPTIONS).unlink()
        with self.assertRaisesRegex(data.Failure, "options.json is missing, or is a folder\n  add the file"):
            self.load()

    def test_where_additions_are(self):
        """As CMake reads a setting: a relative one lies in the checkout, and ~ is replaced."""
        for text, folder in (("my/own", ROOT / "my/own"), ("~/own", pathlib.Path.home() / "own"), ("/own", "/own")):
            self.assertEqual(data.Data(text).folders[0], pathlib.Path(folder))

    def test_refused(self):
        for file, text, says in REFUSED:
            with self.subTest(file=file, text=text):
                for good, content in GOOD.items():
                    self.write(good, content)
                self.write(file, text)
                with self.assertRaises(data.Failure) as raised:
                    self.load()
                self.assertIn(says, flat(str(raised.exception).replace(f"{self.box}/", "")))
                shutil.rmtree((self.box / file).parent)

    def test_a_hook_without_its_function(self):
        for file, content in GOOD.items():
            self.write(file, content)
        self.write(HOOK, "function(z_tsb_abacus_need)\nendfunction()\n")
        self.run_program(1, "cmake", f"-DTSB_SOURCE_DIR={ROOT}", f"-DTSB_ADDITIONS={self.box}", "-P", ASK)
        self.assertIn(f"{HOOK} does not define the function z_tsb_abacus_needs", flat(self.text))
