# SPDX-License-Identifier: BSD-3-Clause
"""As staging calls it: documents in the tree, and a refusal as one error with its remedy."""

from box import ROOT
from fixture import SbomTest

STAGE = """\
cmake_minimum_required(VERSION 3.25)
foreach(file IN ITEMS cmake/detail/tsb_fail cmake/detail/z_tsb_json packaging/tree/z_tsb_libtorch_sbom
                      packaging/tree/z_tsb_bill_files)
  include("${ROOT}/${file}.cmake")
endforeach()
file(READ "${BUILD}/artifacts/a.json" artifact)
z_tsb_libtorch_sbom("${artifact}" "" "${BUILD}/package" "${BUILD}/package/manifest.json" "${BUILD}/owners.json")
z_tsb_bill_files("${artifact}" "${BUILD}/package" "${BUILD}/package/sbom")
"""


class Stage(SbomTest):
    def stage(self, ends, *says):
        self.collect()
        script = self.write("stage.cmake", STAGE)
        self.run_program(ends, "cmake", f"-DROOT={ROOT}", f"-DBUILD={self.build}", "-P", script, says=says)

    def test_stage(self):
        # Without a header of the machine that the gate refuses.
        self.make_build(**{"third_party/nested/inner.h": ""})
        self.declare("nested")
        evidence = "third_party/nested/inner.h goes into CMakeFiles/nested.dir/third_party/nested/nested.c.o"
        undeclared = (
            "error: third_party/nested is in the libraries or headers of package pytorch, and no component declares it"
        )
        self.stage(1, f"{undeclared}: {evidence}", "declare it under 'components' in")
        self.declare()
        self.stage(0)
        licence = "share/licenses/nested/LICENSE.txt"
        self.assertLessEqual({"sbom.spdx.json", "sbom.cdx.json", licence}, self.files(self.tree))
        for kind in ("spdx", "cdx"):
            self.assertIn(licence, self.bill(kind))
        # A wheel is torch of the Python package index.
        self.write_artifact(product="wheel", python_tag="cp311")
        self.stage(0)
        self.assertIn('"pkg:pypi/torch@9.1%2Bcpu"', self.bill("cdx"))
        # What Python leaves in the source tree.
        self.assertEqual(list((ROOT / "packaging/sbom").rglob("*.pyc")), [])
