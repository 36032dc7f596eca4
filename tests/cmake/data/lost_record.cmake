# SPDX-License-Identifier: BSD-3-Clause
# A record is read as its variables, and again when it is another one. Somebody has removed the last one.
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)
include(${TSB_SOURCE_DIR}/cmake/model/tsb_read_record.cmake)
set(file "${TSB_TEST_DIR}/package.json")
file(
  WRITE "${file}"
  [[{"name": "a;b\"\n", "list": ["1;2", "3"], "features": {"X": {"on": true}}, "each": [{"n": 1}], "no": []}]]
)
tsb_read_record("${file}" package)
tsb_expect("a text" EQUAL "${package_name}" "a;b\"\n")
tsb_expect("a list" EQUAL "${package_list}" "1\\;2;3")
tsb_expect("objects" EQUAL "${package_features} ${package_features_X_on} ${package_each_0_n}" "X ON 1")
tsb_expect("an empty list" EQUAL "${package_no}" "")
file(WRITE "${file}" [[{"name": "other"}]])
tsb_read_record("${file}" package)
tsb_expect("another one" EQUAL "${package_name} ${package_list} ${package_features_X_on}" "other  ")
file(REMOVE "${file}")
tsb_read_record("${file}" package)
