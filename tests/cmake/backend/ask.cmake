# SPDX-License-Identifier: BSD-3-Clause
# A hook gets the backend and each argument as it is; without a hook, and without a backend, nothing is added.
cmake_minimum_required(VERSION 3.25)
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)
include(${TSB_SOURCE_DIR}/cmake/backend/tsb_ask_backend.cmake)
set(TSB_ADDITIONS "${TSB_TEST_DIR}/additions")
file(
  WRITE "${TSB_TEST_DIR}/additions/backends/abacus/hooks/tell.cmake"
  [[function(z_tsb_abacus_tell out backend list empty text)
  set(${out} "${backend}|${list}|${empty}|${text}" PARENT_SCOPE)
endfunction()]]
)
set(backend [[{"folder": "abacus", "kind": "abacus"}]])
tsb_ask_backend(answer "${backend}" tell "a;b c" "" [["$x\]])
tsb_expect("what the hook got" EQUAL "${answer}" [[{"folder": "abacus", "kind": "abacus"}|a;b c||"$x\]])
tsb_ask_backend(answer "${backend}" nothing "a")
tsb_expect("without a hook" EQUAL "${answer}" "")
tsb_ask_backend(answer "" tell "a" "" "")
tsb_expect("without a backend" EQUAL "${answer}" "")
