# SPDX-License-Identifier: BSD-3-Clause
"""Files of data that are not what they must be, of an addition."""

import argparse
import json
import pathlib
import platform
import shutil

from box import ROOT, BoxTest, flat

from engine.failure import Failure
from engine.model import data, model

ASK = pathlib.Path(__file__).parent / "ask.cmake"
TARGET = f"targets/{platform.machine()}.json"
BACKEND, RELEASE = "backends/abacus/backend.json", "releases/9.9.0/release.json"
OPTIONS, HOOK = "releases/9.9.0/options.json", "backends/abacus/hooks/needs.cmake"
LIBRARIES, MODULE = "backends/abacus/libraries.json", "backends/abacus/hooks/artifact.py"
MISTYPED = "def manifets(a):\n    pass\n"
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
    *(
        (f"{folder}/{file}", text, f"{folder}/{named or file} has no effect: nothing reads it {says}")
        for folder, file, text, named, says in (
            ("releases/2.6.0", "option.json", "{}", "", "did you mean options.json? there may be: sources.json"),
            ("releases/2.6.0", "options.jsn", "", "", "did you mean options.json? there"),
            ("releases/2.6.0", "sources.jsn", "", "", "did you mean sources.json? there"),
            ("releases/2.6.0", "pathces/a.patch", "", "pathces", "did you mean patches? there"),
            ("releases/2.6.0", "wheel_check.txt", "", "", "did you mean wheel_check? there"),
            ("releases/2.6.0", "fixes/a.patch", "", "fixes", "there may be: sources.json"),
            ("backends/abacus", "setings.cmake", "", "", "did you mean settings.cmake? there may be: backend.json"),
            ("backends/abacus", "library.json", "library", "", "did you mean libraries.json? there"),
            ("backends/abacus", "version.json", "version", "", "did you mean versions.json? there"),
            ("backends/abacus", "mine.cmake", "mine", "", "there may be: backend.json"),
            (
                "backends/abacus",
                "hooks/toolchian.cmake",
                "",
                "",
                "did you mean toolchain.cmake? there may be: artifact",
            ),
            ("backends/abacus", "hooks/need.cmake", "# what builds need", "", "did you mean needs.cmake? there"),
            ("backends/abacus", "doctor/tsb_doctor_check_abacsu.cmake", "", "", "there may be: detail"),
            (
                "backends/abacus",
                "hooks/artifact.py",
                MISTYPED,
                "hooks/artifact.py/manifets",
                "did you mean manifest? there",
            ),
        )
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
        f"{file} contains a ';', which separates the elements of a CMake list write lists",
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
        asked = argparse.Namespace(backend="abacus", release="9.9.0", processor="", pins="", machine=platform.machine())
        model.load(data.Data(self.box), asked)

    def test_good(self):
        for file, content in GOOD.items():
            self.write(file, content)
        self.load()
        (self.box / OPTIONS).unlink()
        with self.assertRaisesRegex(Failure, "options.json is missing, or is a folder\n  add the file"):
            self.load()

    def test_what_is_left_behind(self):
        """By editors and merges; and what says something to people, is a check that is named, or is used by a hook."""
        good = {file: content for file, content in GOOD.items() if file != BACKEND}
        for file, content in (good | {BACKEND: GOOD[BACKEND] | {"checks": ["one", "two"]}}).items():
            self.write(file, content)
        for file in (
            "backends/abacus/#backend.json#",
            *(f"backends/abacus/{name}" for name in ("README", "README.txt", "notes.md", "x.bak", "LICENSE")),
            *(f"{BACKEND}{end}" for end in (".orig", "~", ".~1~", ".rej", ".BASE.12.json")),
            *(f"{HOOK}{end}" for end in (".orig", "~")),
            "backends/abacus/doctor/one.py",
            "backends/abacus/doctor/tsb_doctor_check_two.cmake",
            "releases/2.6.0/options.json.orig",
        ):
            self.write(file, b"\xff")
        for file in ("backends/abacus/.#backend.json", "releases/2.6.0/.#options.json"):
            (self.box / file).symlink_to("somebody@somewhere.1234")
        for file in ("backends/abacus/patches/x.patches", "releases/2.6.0/patches/x.patches"):
            (self.box / file).mkdir(parents=True)
        self.write(MODULE, "def own():\n    pass\n\n\ndef manifest(artifact, root):\n    return own()\n")
        self.load()
        shutil.rmtree(self.box / "backends/abacus/doctor")
        self.load()
        data.Data(self.box).release("2.6.0")

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
                with self.assertRaises(Failure) as raised:
                    self.load()
                self.assertIn(says, flat(str(raised.exception).replace(f"{self.box}/", "")))
                shutil.rmtree((self.box / file).parent)

    def test_a_hook_without_its_function(self):
        for file, content in GOOD.items():
            self.write(file, content)
        self.write(HOOK, "function(z_tsb_abacus_need)\nendfunction()\n")
        self.run_program(1, "cmake", f"-DTSB_SOURCE_DIR={ROOT}", f"-DTSB_ADDITIONS={self.box}", "-P", ASK)
        self.assertIn(f"{HOOK} does not define the function z_tsb_abacus_needs", flat(self.text))
