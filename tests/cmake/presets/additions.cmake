# SPDX-License-Identifier: BSD-3-Clause
# The presets of a release and a backend that are not the project's, in a file that a CMakeUserPresets.json includes.
include(${CMAKE_CURRENT_LIST_DIR}/project.cmake)
set(additions "${TSB_TEST_DIR}/the additions")
file(
  WRITE "${additions}/releases/9.9.0/release.json"
  [[{"cxx_standard": "17", "libtorch_zip": "x", "pythons": ["3.13", "3.14"], "backends": {"cpu": {}, "abacus": {"7.0": {}}}}]]
)
file(
  WRITE "${additions}/releases/9.10.0/release.json"
  [[{"cxx_standard": "17", "libtorch_zip": "x", "pythons": [], "backends": {"cpu": {}}, "ready": false}]]
)
file(
  WRITE "${additions}/backends/abacus/backend.json"
  [[{"name": "ab@digits@", "title": "Abacus @version@", "wheel_styles": ["plain"]}]]
)
execute_process(
  COMMAND python3 ${TSB_SOURCE_DIR}/presets/generate_presets.py --root "${project}" --additions "${additions}" --output
          "${additions}/presets.json" COMMAND_ERROR_IS_FATAL ANY
)
file(WRITE "${project}/CMakeUserPresets.json" "{\"version\": 6, \"include\": [\"${additions}/presets.json\"]}")
expect_settings(cpu-wheel-py314-9.9.0 cpu 9.9.0 "" wheel-py314)
expect_settings(cpu-all-9.9.0 cpu 9.9.0 "" all)
expect_settings(ab70-conda-py313 ab70 9.9.0 "" conda-py313)
expect_settings(cpu-wheel-py313 cpu ${pytorch} "" wheel-py313)
list_presets(--workflow --list-presets)
tsb_expect("the list" CONTAINS "${output}" "\"cpu-libtorch-shared-9.9.0\" - PyTorch 9.9.0, CPU: libtorch, shared")
tsb_expect("the list" CONTAINS "${output}" "\"ab70-wheel-py314\" - PyTorch 9.9.0, Abacus 7.0: wheel for Python 3.14")
tsb_expect("a release that is not ready" LACKS "${output}" 9.10.0)
tsb_expect("a Python that the release is not for" LACKS "${output}" "py39-9.9.0")

# What bootstrap.sh would install for them: it follows what they include and inherit.
execute_process(
  COMMAND awk -f "${project}/presets/read_presets.awk" "${project}/CMakePresets.json" "${project}/CMakeUserPresets.json"
  OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY
)
tsb_expect("the needs" CONTAINS "${output}" "PyTorch 9.9.0, Abacus 7.0: wheel for Python 3.14 abacus python3.14")
