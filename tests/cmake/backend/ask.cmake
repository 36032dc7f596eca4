# SPDX-License-Identifier: BSD-3-Clause
# A hook gets each argument as it is, and sees the backend; without a hook, and without a backend, nothing is added.
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)
include(${TSB_SOURCE_DIR}/cmake/backend/tsb_ask_backend.cmake)
set(TSB_ADDITIONS "${TSB_TEST_DIR}/additions")
file(
  WRITE "${TSB_TEST_DIR}/additions/backends/abacus/hooks/tell.cmake"
  [[function(z_tsb_abacus_tell out list empty text)
  set(${out} "${backend_kind} ${backend_beads}|${list}|${empty}|${text}" PARENT_SCOPE)
endfunction()]]
)
set(json [[{"folder": "abacus", "kind": "abacus", "beads": "10"}]])
tsb_set_record(mine json)
set(backend_beads 7)
tsb_ask_backend(answer mine tell "a;b c" "" [["$x\]])
tsb_expect("what the hook got" EQUAL "${answer}" [[abacus 10|a;b c||"$x\]])
tsb_ask_backend(answer mine nothing "a")
tsb_expect("without a hook" EQUAL "${answer}" "")
tsb_ask_backend(answer "" tell "a" "" "")
tsb_expect("without a backend" EQUAL "${answer}" "")
