# SPDX-License-Identifier: BSD-3-Clause
# What CMake sees of a release that inherits from another one: options, pins, and of other files the nearest of each
# name. Why something is not made of it.
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)
include(${TSB_SOURCE_DIR}/cmake/model/tsb_load_model.cmake)
include(${TSB_SOURCE_DIR}/cmake/release/tsb_release_files.cmake)
include(${TSB_SOURCE_DIR}/cmake/release/z_tsb_why_refused.cmake)
set(CMAKE_BINARY_DIR "${TSB_TEST_DIR}")
set(TSB_ADDITIONS "${TSB_TEST_DIR}/more")
set(releases "${TSB_ADDITIONS}/releases")
file(WRITE "${releases}/9.8.0/release.json" [[{"cxx_standard": "17", "pythons": ["3.12"], "backends": {"cpu": {}}}]])
file(
  WRITE "${releases}/9.9.0/release.json"
  [[{"from": "9.8.0", "backends": {"cpu": {}},
     "refused": [{"backends": "cpu", "artifacts": "wheel-.*", "why": "it is so"},
                 {"backends": "cu.*", "why": "it is otherwise"}]}]]
)
file(WRITE "${releases}/9.8.0/options.json" [[{"options": [{"option": "A", "value": "1"}], "features": []}]])
file(WRITE "${releases}/9.9.0/options.json" [[{"options": [{"option": "B", "value": "2"}]}]])
foreach(file IN ITEMS 9.8.0/pytorch/unity_groups.txt 9.8.0/pytorch/unity_exclude.txt 9.9.0/pytorch/unity_groups.txt)
  file(WRITE "${releases}/${file}" "")
endforeach()

tsb_load_model(--backend=cpu --release=9.9.0)
tsb_expect("the options" EQUAL "${release_options_pytorch}" "A=1;B=2")
tsb_expect("the Pythons" EQUAL "${release_pythons}" "3.12")
# Configure depends on the files of each of these.
tsb_expect("the folders of pins" EQUAL "${model_pins}" "${releases}/9.8.0;${releases}/9.9.0")
tsb_release_files(lists pytorch/unity_*.txt)
tsb_expect(
  "the nearest" EQUAL "${lists}"
  "${releases}/9.9.0/pytorch/unity_groups.txt;${releases}/9.8.0/pytorch/unity_exclude.txt"
)
get_property(depends DIRECTORY PROPERTY CMAKE_CONFIGURE_DEPENDS)
tsb_expect("what is noticed" EQUAL "${depends}" "${releases}/9.9.0/pytorch;${releases}/9.8.0/pytorch")
tsb_release_files(lists pytorch/step_costs.txt)
tsb_expect("none" EQUAL "${lists}" "")

tsb_expect("no symbols" EQUAL "${model_symbols}" "")
file(WRITE "${releases}/9.8.0/symbols.json" [[{"hidden": [{"library": "A", "names": ["a_"]}], "exported": []}]])
file(WRITE "${releases}/9.9.0/symbols.json" [[{"exported": [{"library": "B", "names": ["b_"]}]}]])
z_tsb_write_model(folder --release=9.9.0)
tsb_read_record("${folder}/model.json" model)
tsb_expect("a package's input" EQUAL "${model_symbols}" "${folder}/symbols.json")
tsb_read_record("${model_symbols}" symbols)
file(REMOVE_RECURSE "${folder}")
tsb_expect("what is hidden" EQUAL "${symbols_hidden_0_names}" "a_")
tsb_expect("what is exported" EQUAL "${symbols_exported_0_names}" "b_")
tsb_load_model(--backend=cpu --release=9.9.0)

tsb_expect("the artifacts" LACKS "${model_artifacts}" "wheel-py312")
z_tsb_why_refused(why wheel-py312)
tsb_expect("why" EQUAL "${why}" ", since it is so")
z_tsb_why_refused(why conda-py312)
tsb_expect("not refused" EQUAL "${why}" "")
tsb_load_model(--backend=cu124 --release=9.9.0)
z_tsb_why_refused(why "")
tsb_expect("why" EQUAL "${why}" ", since it is otherwise")
