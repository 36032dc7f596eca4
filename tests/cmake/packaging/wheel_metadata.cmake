# SPDX-License-Identifier: BSD-3-Clause
# What is added to the METADATA of setuptools, and where licences and bills of materials go.
include("${CMAKE_CURRENT_LIST_DIR}/package.cmake")
foreach(file IN ITEMS cmake/detail/tsb_fail packaging/wheel/metadata)
  include("${TSB_SOURCE_DIR}/${file}.cmake")
endforeach()
set(site "${TSB_TEST_DIR}/site packages")
set(info "${site}/torch-2.6.0+cpu.dist-info")
set(description "Text; with [a semicolon] and\n\nLicense-File: not a header\n")
if(NOT DEFINED HEAD)
  set(HEAD "Metadata-Version: 2.1\n")
endif()
set(
  libraries
  "Requires-Dist: cuda-toolkit[cublas]==13.2.2; platform_system == \"Linux\"\nRequires-Dist: nvidia-nccl-cu13==2.30.7\n"
)
file(
  WRITE "${info}/METADATA"
  "${HEAD}Name: torch\nVersion: 2.6.0+cpu\nLicense-File: LICENSE\nLicense-File: NOTICE\nRequires-Dist: filelock\n${libraries}\n${description}"
)
file(WRITE "${info}/LICENSE" "pytorch's")
file(WRITE "${site}/torch/share/licenses/sleef/LICENSE.txt" "sleef's")
file(WRITE "${site}/torch/sbom.spdx.json" "{}")
file(WRITE "${site}/torch/sbom.cdx.json" "{}")
if(NOT DEFINED PYTHON)
  set(PYTHON 3.11)
endif()
# What torchrun imports before Python 3.10.
file(
  WRITE "${site}/torch/distributed/elastic/rendezvous/registry.py" "    from importlib_metadata import entry_points\n"
)
set(forgotten "")
if(PYTHON STREQUAL "3.9")
  set(forgotten "Requires-Dist: importlib-metadata>=3.6\n")
endif()
# What a backend asks for holds for the machine that the wheel is for.
function(tsb_ask_backend out prefix hook)
  set(${out} demo==1 PARENT_SCOPE)
endfunction()
set(condition "platform_system == \"Linux\" and platform_machine == \"madeup64\"")
if(NOT DEFINED DEPS)
  set(DEPS with-deps)
endif()
if(DEPS STREQUAL "without-deps")
  set(libraries "")
endif()
set(artifact "{\"target\": {\"wheel_machine\": \"madeup64\"}}")
z_tsb_json_set_string(artifact python "${PYTHON}")
z_tsb_json_set_string(artifact deps "${DEPS}")
string(JSON artifact SET "${artifact}" backend [[{"consumer": {"library_wheels": ["nvidia-", "cuda-toolkit"]}}]])
tsb_set_record(artifact artifact)
z_tsb_wheel_metadata(folder "${site}")
tsb_expect("the folder" EQUAL "${folder}" "${info}")
file(READ "${info}/METADATA" text)
tsb_expect(
  "METADATA" EQUAL "${text}"
  "Metadata-Version: 2.4\nName: torch\nVersion: 2.6.0+cpu\nRequires-Dist: filelock\n${libraries}${forgotten}Requires-Dist: demo==1; ${condition}\nLicense-File: LICENSE\nLicense-File: sleef/LICENSE.txt\n\n${description}"
)
foreach(file IN ITEMS licenses/LICENSE licenses/sleef/LICENSE.txt sboms/torch.spdx.json sboms/torch.cdx.json)
  tsb_expect("dist-info" EXISTS "${info}/${file}")
endforeach()
foreach(file IN ITEMS LICENSE ../torch/share/licenses ../torch/sbom.spdx.json)
  if(EXISTS "${info}/${file}")
    message(FATAL_ERROR "${file} is there still")
  endif()
endforeach()
