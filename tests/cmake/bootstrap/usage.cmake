# SPDX-License-Identifier: BSD-3-Clause
# What it says to wrong and right questions; none of these may install or run anything.
include(${CMAKE_CURRENT_LIST_DIR}/machine.cmake)
bootstrap(--help)
tsb_expect("status" EQUAL "${status}" 0)
tsb_expect("help" CONTAINS "${output}" "Usage: ./bootstrap.sh <preset>")
bootstrap(--list)
tsb_expect("status" EQUAL "${status}" 0)
tsb_expect("list" CONTAINS "${output}" "cpu-libtorch-shared PyTorch 2.6.0, CPU: libtorch, shared, with dependencies")
tsb_expect("list" LACKS "${output}" "-check")
tsb_expect("list" LACKS "${output}" "base")
bootstrap(cpu-libtorch-shred)
tsb_expect("status" EQUAL "${status}" 2)
tsb_expect(
  "unknown" CONTAINS "${output}" "bootstrap.sh: unknown preset: cpu-libtorch-shred
Nearest presets (./bootstrap.sh --list has all of them): cpu-libtorch-shared "
)
bootstrap(test)
tsb_expect("status" EQUAL "${status}" 2)
tsb_expect("unknown" CONTAINS "${output}" "Nearest presets (./bootstrap.sh --list has all of them): tests tests-fast")
bootstrap(--tset)
tsb_expect("status" EQUAL "${status}" 2)
tsb_expect("option" CONTAINS "${output}" "unknown option: --tset")
bootstrap(tests cpu-libtorch-shared)
tsb_expect("status" EQUAL "${status}" 2)
tsb_expect("two" CONTAINS "${output}" "one preset at a time: tests or cpu-libtorch-shared")
bootstrap(--list cpu)
tsb_expect("status" EQUAL "${status}" 2)
tsb_expect("a list of some" CONTAINS "${output}" "--list takes no other argument")
bootstrap()
tsb_expect("status" EQUAL "${status}" 2)
tsb_expect("nothing asked" CONTAINS "${output}" "Usage:")
tsb_expect("calls" EQUAL "${calls}" "")

file(
  WRITE "${copy}/CMakeUserPresets.json"
  [[{
  "workflowPresets": [
    {
      "name": "mine",
      "steps": []
    }
  ]
}]]
)
bootstrap(--list)
tsb_expect("a preset of the user's own" CONTAINS "${output}" "mine")

set(with_backslash [[mkdir 'b\c' && cp "$1" 'b\c' && 'b\c/bootstrap.sh' --list]])
execute_process(
  COMMAND sh -c "${with_backslash}" sh "${copy}/bootstrap.sh"
  WORKING_DIRECTORY ${TSB_TEST_DIR}
  RESULT_VARIABLE status
  ERROR_VARIABLE output
)
tsb_expect("status" EQUAL "${status}" 2)
tsb_expect("a path that CMake changes" CONTAINS "${output}" "b\\c: CMake takes a backslash for a slash")
