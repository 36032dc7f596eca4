# SPDX-License-Identifier: BSD-3-Clause
# What is corrected in PyTorch's modules, and for which Python.
include("${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake")
include("${TSB_SOURCE_DIR}/packaging/wheel/stage.cmake")
set(site "${TSB_TEST_DIR}/site packages")
set(module "${site}/torch/distributed/flight_recorder/components/types.py")
set(before "a = [\n    t for t in globals().values()\n]; b\n")
set(after "a = [\n    t for t in list(globals().values())\n]; b\n")
foreach(python IN ITEMS 3.9 3.12 3.13 3.14)
  file(WRITE "${module}" "${before}")
  z_tsb_fix_modules("${site}" ${python})
  file(READ "${module}" text)
  set(expected "${before}")
  if(python MATCHES "^3.1[34]$")
    set(expected "${after}")
  endif()
  tsb_expect("the module for ${python}" EQUAL "${text}" "${expected}")
endforeach()
z_tsb_fix_modules("${site}" 3.13)
tsb_expect_file("a second time" EQUAL "${module}" "${after}")
file(REMOVE "${module}")
z_tsb_fix_modules("${site}" 3.13)
tsb_expect("a wheel without it" ABSENT "${module}")

# One compile makes several wheels: each gets its own version.
file(WRITE "${site}/torch/version.py" "__all__ = ['__version__']\n__version__ = '9.9.0+cu124'\ndebug = False\n")
file(
  WRITE "${site}/torch-9.9.0.dist-info/METADATA"
  "Metadata-Version: 2.1\nName: torch\nVersion: 9.9.0\n\nVersions; [1]\n"
)
foreach(version IN ITEMS 9.9.0+cu124.sm90 9.9.0+cu124.sm75)
  z_tsb_set_wheel_version("${site}" ${version})
  tsb_expect_file(
    "METADATA" EQUAL "${site}/torch-${version}.dist-info/METADATA"
    "Metadata-Version: 2.1\nName: torch\nVersion: ${version}\n\nVersions; [1]\n"
  )
  tsb_expect_file(
    "torch.__version__" EQUAL "${site}/torch/version.py"
    "__all__ = ['__version__']\n__version__ = '${version}'\ndebug = False\n"
  )
endforeach()
file(GLOB infos "${site}/*.dist-info")
tsb_expect("metadata" EQUAL "${infos}" "${site}/torch-9.9.0+cu124.sm75.dist-info")
