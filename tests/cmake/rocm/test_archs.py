# SPDX-License-Identifier: BSD-3-Clause
"""Each way to get the list of GPUs wrong, with its remedy. (tests/cmake/doctor/test_rocm.py has the rest.)"""

from box import BoxTest

from backends.rocm.doctor.rocm_archs import fault


class Archs(BoxTest):
    def setUp(self):
        super().setUp()
        for gpu in "900", "906", "90a", "1100":
            self.write(f"bitcode/oclc_isa_version_{gpu}.bc")
        self.kernels = self.box / "gfx90a.d/library"

    def fault(self, *archs, folders=()):
        return fault(archs, "6.2", self.box / "bitcode", [self.kernels, *folders], "leave it out")

    def test_unknown(self):
        what = "ROCm 6.2 does not know gfx950, only gfx90a gfx900 gfx906 gfx1100"
        self.assertEqual(self.fault("gfx950", "gfx90a"), (what, "leave it out, or take another ROCm"))

    def test_without_kernels(self):
        """A name that goes on is another GPU's."""
        remedy = "install rocBLAS with kernels for gfx90a, or leave it out"
        what = f"rocBLAS has no kernels for gfx90a in {self.kernels}; for others: "
        self.assertEqual(self.fault("gfx90a"), (f"{what}none", remedy))
        for name in "TensileLibrary.dat", "a_gfx90a68.dat", "Kernels.so-000-gfx900-xnack-.hsaco", "a_gfx1100.dat":
            self.write(self.kernels / name)
        self.assertEqual(self.fault("gfx1100", "gfx90a"), (f"{what}gfx90a68 gfx900 gfx1100", remedy))
        names = (
            "TensileLibrary_lazy_gfx90a.dat",
            "a_gfx90a.co",
            "000-gfx90a-xnack+.hsaco",
            "a_fallback_gfx90a-xnack-.hsaco",
        )
        for name in names:
            folder = self.write(f"{name}/{name}").parent
            self.assertIsNone(self.fault("gfx1100", "gfx90a", folders=[folder]), name)
