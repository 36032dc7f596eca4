# SPDX-License-Identifier: BSD-3-Clause
"""The data of every release: each member is known, each option has a reason, no symbol's name matches every symbol."""

import json
import re

from box import ROOT, BoxTest

from fetch_wheels import requirements_for
from pip._vendor.packaging.requirements import Requirement

from engine.model.data import Data
from engine.model.variant import needs

DATA = Data()
RELEASE = {
    "version",
    "from",
    "refused",
    "least",
    "sources",
    "pythons",
    "python_targets",
    "triton",
    "cxx_standard",
    "libtorch_zip",
}
KNOWN = {
    "cuda": {"arch_letters", "additional_archs", "heavy_sources"},
    "CUDA": {"archs", "artifacts", "cudnn", "cusparselt", "experimental", "nvshmem", "toolkit"},
    "options": {"backend", "package", "option", "value", "why"},
    "features": {"backend", "package", "option", "feature", "off", "packages"},
    "hidden": {"names", "library", "archive"},
    "exported": {"names", "library", "why", "archive"},
    "renamed": {"library", "namespace", "as"},
}


class Releases(BoxTest):
    def test_what_wheels_require(self):
        """Is pinned for each Python that one is made for, in a version that METADATA allows: so its check can use it."""
        for version in DATA.names("releases"):
            release, folder = DATA.release(version), ROOT / f"releases/{version}"
            rows = [row for one in DATA.backends(release) for row in DATA.artifacts(release, one, "").values()]
            files = [folder / "wheel_check" / name for name in ("requirements.txt", "beside.txt")]
            files += [] if files[1].exists() else DATA.of_backends("wheel_check.txt")
            required = map(Requirement, json.loads((folder / "upstream_versions.json").read_text())["requires_dist"])
            required = [one for one in required if "platform" not in str(one.marker)]  # those are for CUDA
            for python in sorted({row["python"] for row in rows if row["product"] == "wheel"}):
                lines = "".join(requirements_for(file, python) for file in files if file.exists())
                pinned = dict(re.findall(r"(?m)^([^=]+)==(\S+)", lines))
                for one in required:
                    if not one.marker or one.marker.evaluate({"python_version": python}):
                        with self.subTest(release=version, python=python, requirement=str(one)):
                            self.assertTrue(one.specifier.contains(pinned.get(one.name, "0")) and one.name in pinned)

    def test_names_of_zips(self):
        """Upstream's have the ABI in their names for as long as there were two."""
        for version, has_abi in (("2.6.0", True), ("2.7.0", True), ("2.8.0", False), ("2.14.0", False)):
            name = DATA.release(version).get("libtorch_zip", "libtorch-@linkage@-@deps@-@version@.zip")
            self.assertEqual("-cxx11-abi-" in name, has_abi, version)

    def known(self, value, members):
        """Members that nothing reads are mistyped."""
        self.assertEqual(set(value) - members, set())

    def check_release(self, folder):
        release = DATA.release(folder.name)
        self.known(release, RELEASE | {"cuda", "backends"})
        self.known(release.get("cuda", {}), KNOWN["cuda"])
        self.known(release.get("least", {}), {"cmake", "gcc"})
        for entry in release["backends"].get("cuda", {}).values():
            self.known(entry, KNOWN["CUDA"])
        self.assertEqual(release["version"], folder.name)
        for python in release["pythons"]:
            self.assertRegex(python, r"^3\.\d+$")
        for part in ("@linkage@", "@deps@", "@version@") if "libtorch_zip" in release else ():
            self.assertIn(part, release["libtorch_zip"])

    def check_options(self, folder):
        options = DATA.merged(folder.name, "options.json")
        self.known(options, {"options", "features"})
        for array, entries in options.items():
            names = [(entry.get("backend"), entry.get("package"), entry[array[:-1]]) for entry in entries]
            self.assertEqual(len(names), len(set(names)), f"one of them is there twice: {array}")
            for entry in entries:
                self.known(entry, KNOWN[array])
                self.assertTrue(array == "features" or entry["why"], entry)
        for feature in options["features"]:
            for option in options["options"]:
                same = all(len({feature.get(one), option.get(one), None}) < 3 for one in ("backend", "package"))
                twice = same and option["option"] == feature["option"]
                self.assertFalse(twice, f"{option} and {feature} set the same option")

    def check_dependent_options(self, folder):
        """No feature is on whose option depends on one that is off, or on another processor: PyTorch would leave it out."""
        known = DATA.merged(folder.name, "upstream.json")["options"]
        for backend in DATA.backends(DATA.release(folder.name)):
            if backend.get("prebuilt"):
                continue
            options, features = DATA.options(folder.name, backend)
            for package in options:
                off = {option.partition("=")[0] for option in options[package] if option.endswith("=OFF")}
                off |= {feature["option"] for feature in features[package] if "off" in feature}
                off |= {"CPU_INTEL"} if backend.get("target", "x86_64") != "x86_64" else {"CPU_AARCH64"}
                for feature in (one for one in features[package] if "off" not in one):
                    lost = off & needs(known.get(feature["option"], ""))
                    self.assertFalse(lost, f"{backend['name']}: {feature['feature']} is on and depends on it")

    def check_symbols(self, folder):
        symbols = DATA.merged(folder.name, "symbols.json")
        self.known(symbols, {"hidden", "exported", "renamed"})
        self.assertTrue(symbols["hidden"])
        for array, entries in symbols.items():
            for entry in entries:
                self.known(entry, KNOWN[array])
                self.assertTrue(all(entry.values()), entry)
                self.assertRegex(entry.get("archive", "liba.a"), r"^lib[^/:,]+[.]a$")
                for name in entry.get("names", []):
                    matches = re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]+(::)?", name)
                    self.assertTrue(matches, f"{name} is neither a namespace:: nor the beginning of a symbol")

    def test_what_a_tree_holds(self):
        """Which fetch looks for in a tree of the user's, whichever release it is of."""
        for version in DATA.names("releases"):
            pins = DATA.merged(version, "sources.json")["sources"]
            for name in {"pytorch", "xnnpack"} & set(pins):
                self.assertTrue(pins[name].get("holds"), f"{version}: {name}")

    def test_all(self):
        folders = [path.parent for path in ROOT.glob("releases/*/release.json")]
        self.assertTrue(folders)
        for folder in folders:
            checks = [self.check_release]
            # One that is only taken from the official wheel has no options, nor one of which only a package is made.
            backends = json.loads((folder / "release.json").read_text())["backends"]
            own = [backends[name] for name in backends if not name.startswith("official-")]
            if any("artifacts" not in version for versions in own for version in list(versions.values()) or [{}]):
                checks += [self.check_options, self.check_dependent_options, self.check_symbols]
            for check in checks:
                with self.subTest(release=folder.name, check=check.__name__):
                    check(folder)
