# SPDX-License-Identifier: BSD-3-Clause
# Which options and features of a release hold for a package and a backend.
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)
include(${TSB_SOURCE_DIR}/tests/fixtures/release.cmake)
include(${TSB_SOURCE_DIR}/cmake/model/tsb_load_model.cmake)
include(${TSB_SOURCE_DIR}/cmake/package/tsb_declare_package.cmake)
include(${TSB_SOURCE_DIR}/cmake/release/tsb_declare_release_features.cmake)
set(CMAKE_BINARY_DIR "${TSB_TEST_DIR}")
set(TSB_ADDITIONS "${TSB_TEST_DIR}/additions")
file(
  WRITE "${TSB_ADDITIONS}/releases/9.9.0/release.json"
  [[{"cxx_standard": "17", "libtorch_zip": "x", "pythons": [], "backends": {"cpu": {}, "cuda": {"12.4": {}}}}]]
)
file(
  WRITE "${TSB_ADDITIONS}/releases/9.9.0/options.json"
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
    {"backend": "cuda", "feature": "THREE", "option": "USE_THREE"},
    {"backend": "cuda", "feature": "FOUR", "option": "USE_FOUR"}]}]]
)

# What the user's addition says takes the place of what the release says, here one of the project's.
function(expect_options_of_addition)
  set(TSB_ADDITIONS "${TSB_TEST_DIR}/more")
  file(
    WRITE "${TSB_ADDITIONS}/releases/${pytorch}/options.json"
    [[{"options": [{"option": "BUILD_TEST", "value": "ON"}, {"option": "USE_CUDA", "value": "MINE"},
       {"option": "USE_MINE", "value": "1", "backend": "cuda"}],
       "features": [{"feature": "FBGEMM", "option": "USE_FBGEMM", "off": "not mine"}]}]]
  )
  foreach(backend IN ITEMS cpu cu124)
    tsb_load_model(--backend=${backend} --release=${pytorch})
    set(found "${release_options_pytorch}")
    list(FILTER found INCLUDE REGEX "^(BUILD_TEST|USE_CUDA|USE_MINE|BUILD_PYTHON)=")
    list(SORT found)
    set(expected "BUILD_PYTHON=OFF;BUILD_TEST=ON;USE_CUDA=MINE")
    if(backend STREQUAL "cu124")
      list(APPEND expected USE_MINE=1)
    endif()
    tsb_expect("with an addition for ${backend}" EQUAL "${found}" "${expected}")
    set(off "")
    foreach(index IN LISTS release_features_pytorch)
      if(release_features_pytorch_${index}_feature STREQUAL "FBGEMM")
        list(APPEND off "${release_features_pytorch_${index}_off}")
      endif()
    endforeach()
    tsb_expect("its feature for ${backend}" EQUAL "${off}" "not mine")
  endforeach()
endfunction()
expect_options_of_addition()

tsb_load_model(--backend=cpu --release=9.9.0)
tsb_expect("of libtorch" EQUAL "${release_options_pytorch}" "FOR_ALL=a b;EMPTY=;KIND=any;LAYER=OFF")
tsb_expect("of a Python layer" EQUAL "${release_options_pytorch-py}" "FOR_ALL=a b;EMPTY=;KIND=any;LAYER=ON")
tsb_declare_package(on-cpu DESCRIPTION "P" SOURCE p)
tsb_declare_release_features(on-cpu pytorch)
tsb_load_model(--backend=cu124 --release=9.9.0)
tsb_expect("with CUDA" EQUAL "${release_options_pytorch-py}" "FOR_ALL=a b;EMPTY=;LAYER=ON;KIND=cuda;BOTH=1")
tsb_declare_package(on-gpu DESCRIPTION "P" SOURCE p)
foreach(name IN ITEMS TWO THREE)
  set(feature_${name} OFF "not on this machine" REMEDY "install it")
endforeach()
set(feature_FOUR PACKAGES four)
tsb_declare_release_features(on-gpu pytorch-py)

# expect_feature(<package> <feature> <member> <expected>)
function(expect_feature package feature member expected)
  get_property(json GLOBAL PROPERTY TSB_FEATURE_${package}_${feature})
  tsb_set_record(feature json)
  tsb_expect("${feature} of ${package}: ${member}" EQUAL "${feature_${member}}" "${expected}")
endfunction()
get_property(names GLOBAL PROPERTY TSB_PACKAGE_on-cpu_FEATURES)
tsb_expect("the features" EQUAL "${names}" "ONE;TWO")
expect_feature(on-cpu TWO OFF "too large; too slow")
expect_feature(on-cpu ONE PACKAGES pytorch)
expect_feature(on-gpu THREE OPTION USE_THREE)
expect_feature(on-gpu THREE OFF "not on this machine")
expect_feature(on-gpu THREE REMEDY "install it")
expect_feature(on-gpu TWO OFF "not on a GPU") # whatever this machine has
expect_feature(on-gpu TWO REMEDY "")
expect_feature(on-gpu FOUR PACKAGES four)
