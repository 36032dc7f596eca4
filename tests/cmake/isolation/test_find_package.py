# SPDX-License-Identifier: BSD-3-Clause
"""A package finds with find_package() what its declaration names, and nothing else. (check-found: with other commands.)"""

from box import ROOT, BoxTest

ERRORS = {
    "depends": "package c asks for {0}, which package {1} provides, but does not declare it. "
    "Add 'DEPENDS {1}' to superbuild/c.cmake, or switch off the option that asks for it.",
    "provides": "package c asks for {0}, and depends on package {1}, which does not provide that name. "
    "Add 'PROVIDES {0}' to the declaration of {1}.",
    "system": "package c asks for {0}, which none of our packages provides. "
    "If it may come from the machine, add 'SYSTEM {0}' to superbuild/c.cmake",
    "module": "package c asks for {0}, for which it has cmake/modules/Find{0}.cmake, but does not declare it. "
    "Add 'MODULES {0}' to superbuild/c.cmake if that module may look, "
    "or 'OPTIONS CMAKE_DISABLE_FIND_PACKAGE_{0}=ON' if it must not be found.",
}
NOT_DECLARED = "isolation: {0} is not declared, so it counts as not found"


class FindPackage(BoxTest):
    def setUp(self):
        super().setUp()
        self.machine, self.ours = self.box / "machine", self.box / "ours"
        for prefix in self.machine, self.ours:
            self.write(prefix / "lib/cmake/a/aConfig.cmake", f"set(a_SAYS {prefix.name})")
        self.write(self.machine / "lib/cmake/a/aConfigVersion.cmake", "set(PACKAGE_VERSION_COMPATIBLE TRUE)")
        self.write(self.machine / "lib/cmake/stray/strayConfig.cmake", "set(stray_SAYS hello)")
        self.write("modules/Findelsewhere.cmake", "set(elsewhere_FOUND 1)")

    def find(self, ends, arguments, says, *options, **declared):
        """`declared`: depends, system, modules."""
        lines = ["set(TSB_ISOLATION_PACKAGE c)", "set(TSB_ISOLATION_DECLARED_IN superbuild/c.cmake)"]
        lines += ['set(TSB_ISOLATION_PROVIDED "a=a;Unrelated=unrelated")']
        lines += [f"set(TSB_ISOLATION_{member.upper()} {name})" for member, name in declared.items()]
        lines.append(f'include("{ROOT}/cmake/isolation/tsb_isolate_package.cmake")')
        isolation = self.write("isolation.cmake", "\n".join(lines))
        name, _, more = arguments.partition(" ")
        settings = {
            "CMAKE_PROJECT_TOP_LEVEL_INCLUDES": isolation,
            "CMAKE_PREFIX_PATH": self.ours,
            "CMAKE_SYSTEM_PREFIX_PATH": self.machine,
            "CMAKE_MODULE_PATH": self.box / "modules",
            "NAME": name,
            "ARGUMENTS": more.replace(" ", ";"),
        }
        words = [f"-D{variable}={value}" for variable, value in settings.items()]
        project = ROOT / "tests/cmake/isolation/project"
        build = self.box / "build"
        self.run_program(ends, "cmake", "--fresh", "-GNinja", "-S", project, "-B", build, *words, *options, says=[says])

    def test_find_package(self):
        no_module, found, none = "-DCMAKE_DISABLE_FIND_PACKAGE_own=ON", "found: [1] [{}]", "found: [0] []"
        for ends, arguments, says, declared in (
            (1, "a", ERRORS["depends"].format("a", "a"), {}),
            (1, "Unrelated QUIET", ERRORS["depends"].format("Unrelated", "unrelated"), {}),
            (0, "a REQUIRED", found.format("ours") + f" [{self.ours}/lib/cmake/a]", {"depends": "a"}),
            (1, "ZLIB 1.2 REQUIRED", ERRORS["system"].format("ZLIB"), {}),
            (0, "stray", NOT_DECLARED.format("stray"), {}),
            (0, "stray", none, {}),
            (0, "stray 1.0 CONFIG QUIET COMPONENTS part", none, {}),
            (0, "elsewhere 1.0", none, {}),
            (0, "Unnamed", none, {"depends": "unnamed"}),
            (1, "Unnamed REQUIRED", ERRORS["provides"].format("Unnamed", "unnamed"), {"depends": "unnamed"}),
            (0, "stray REQUIRED", found.format("hello"), {"system": "stray"}),
            (1, "own", ERRORS["module"].format("own"), {}),
            (0, "own", found.format("module"), {"modules": "own"}),
            (0, "own CONFIG", none, {}),
        ):
            with self.subTest(arguments, **declared):
                self.find(ends, arguments, says, **declared)
        self.find(0, "own", "found: [] []", no_module)

    def test_another_one_does_not_stand_in_for_ours(self):
        """Ours is refused: it has no version file, so that any request is too much."""
        says = "package c asks for a, which package a provides, but what was found is another one: "
        self.find(1, "a 2.0", f"{says}{self.machine}/lib/cmake/a.", depends="a")
