# SPDX-License-Identifier: BSD-3-Clause
# As staging calls it: documents in the tree, and a refusal as one error with its remedy (UNDECLARED).
set(PLATFORM_ONLY ON)
include("${CMAKE_CURRENT_LIST_DIR}/fixture.cmake")
foreach(file IN ITEMS cmake/detail/tsb_fail cmake/detail/z_tsb_json packaging/libtorch/z_tsb_libtorch_sbom)
  include("${TSB_SOURCE_DIR}/${file}.cmake")
endforeach()
set(build "${TSB_TEST_DIR}/a build")
make_build("${build}")
set(without "")
if(UNDECLARED)
  set(without WITHOUT ${UNDECLARED})
endif()
declare(${without})
collect("${build}")
file(READ "${build}/artifact.json" artifact)
z_tsb_libtorch_sbom(
  "${artifact}" "${build}/artifact.json" "${build}/package" "${build}/package/manifest.json" "${build}/owners.json"
)
foreach(file IN ITEMS sbom.spdx.json sbom.cdx.json share/licenses/nested/LICENSE.txt)
  tsb_expect("the tree" EXISTS "${build}/package/${file}")
endforeach()
# A wheel is torch of the Python package index.
string(JSON wheel SET "${artifact}" product "\"wheel\"")
string(JSON wheel SET "${wheel}" file "\"\"")
string(JSON wheel SET "${wheel}" python_tag "\"cp311\"")
file(WRITE "${build}/wheel.json" "${wheel}")
z_tsb_libtorch_sbom(
  "${wheel}" "${build}/wheel.json" "${build}/package" "${build}/package/manifest.json" "${build}/owners.json"
)
file(READ "${build}/package/sbom.cdx.json" text)
tsb_expect("the wheel's package URL" CONTAINS "${text}" "\"pkg:pypi/torch@9.1%2Bcpu\"")
file(GLOB_RECURSE strays "${TSB_SOURCE_DIR}/packaging/sbom/*.pyc")
tsb_expect("what Python leaves in the source tree" EQUAL "${strays}" "")
