# SPDX-License-Identifier: BSD-3-Clause
# Which options and features of a release hold for a package and a backend.
cmake_minimum_required(VERSION 3.25)
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)
include(${TSB_SOURCE_DIR}/cmake/package/tsb_declare_package.cmake)
include(${TSB_SOURCE_DIR}/cmake/model/tsb_set_record.cmake)
include(${TSB_SOURCE_DIR}/cmake/release/tsb_release_options.cmake)
set(TSB_BACKEND_FACTS [[{"kind": "cpu"}]])
set(TSB_RELEASE_FOLDER "${TSB_TEST_DIR}")
file(
  WRITE "${TSB_TEST_DIR}/options.json"
  [[{"options": [
    {"option": "FOR_ALL", "value": "a b"},
    {"option": "EMPTY", "value": ""},
    {"backend": "cuda", "option": "KIND", "value": "cuda"},
    {"option": "KIND", "value": "any"},
    {"package": "pytorch", "option": "LAYER", "value": "OFF"},
    {"package": "pytorch-py", "option": "LAYER", "value": "ON"},
    {"package": "pytorch-py", "backend": "cuda", "option": "BOTH", "value": "1"}],
  "features": [
    {"feature": "ONE", "option": "USE_ONE", "packages": ["pytorch"]},
    {"feature": "TWO", "option": "USE_TWO", "off": "too large; too slow"},
    {"backend": "cuda", "feature": "TWO", "option": "USE_TWO", "off": "not on a GPU"},
    {"backend": "cuda", "feature": "THREE", "option": "USE_THREE"}]}]]
)

tsb_release_options(options pytorch)
tsb_expect("of libtorch" EQUAL "${options}" "FOR_ALL=a b;EMPTY=;KIND=any;LAYER=OFF")
tsb_release_options(options pytorch-py)
tsb_expect("of a Python layer" EQUAL "${options}" "FOR_ALL=a b;EMPTY=;KIND=any;LAYER=ON")
tsb_declare_package(on-cpu DESCRIPTION "P" SOURCE p)
tsb_declare_release_features(on-cpu)
set(TSB_BACKEND_FACTS [[{"kind": "cuda"}]])
tsb_release_options(options pytorch-py)
tsb_expect("with CUDA" EQUAL "${options}" "FOR_ALL=a b;EMPTY=;LAYER=ON;KIND=cuda;BOTH=1")
tsb_declare_package(on-gpu DESCRIPTION "P" SOURCE p)
tsb_declare_release_features(on-gpu)

get_property(names GLOBAL PROPERTY TSB_PACKAGE_on-cpu_FEATURES)
tsb_expect("the features" EQUAL "${names}" "ONE;TWO")
get_property(json GLOBAL PROPERTY TSB_FEATURE_on-cpu_TWO)
tsb_set_record(feature json)
tsb_expect("why a feature is off" EQUAL "${feature_OFF}" "too large; too slow")
get_property(json GLOBAL PROPERTY TSB_FEATURE_on-cpu_ONE)
tsb_set_record(feature json)
tsb_expect("what a feature needs" EQUAL "${feature_PACKAGES}" "pytorch")
get_property(json GLOBAL PROPERTY TSB_FEATURE_on-gpu_THREE)
tsb_set_record(feature json)
tsb_expect("a feature of CUDA" EQUAL "${feature_OPTION}" USE_THREE)
get_property(json GLOBAL PROPERTY TSB_FEATURE_on-gpu_TWO)
tsb_set_record(feature json)
tsb_expect("why a feature is off with CUDA" EQUAL "${feature_OFF}" "not on a GPU")
