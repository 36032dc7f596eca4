# SPDX-License-Identifier: BSD-3-Clause
# What it says to wrong and right questions; none of these may install or run anything.
include(${CMAKE_CURRENT_LIST_DIR}/machine.cmake)
bootstrap(--list)
tsb_expect_end(4 "bootstrap.sh: there is no python3 to list them bootstrap.sh: see README.md, or install it")
tool(python3)
bootstrap(--help)
tsb_expect_end(0 "Usage: ./bootstrap.sh <preset>")
bootstrap(--list)
tsb_expect_end(0 "cpu-libtorch-shared PyTorch 2.6.0, CPU: libtorch, shared, with dependencies")
tsb_expect("list" LACKS "${output}" "-check" "base")
bootstrap(cpu-libtorch-shred)
tsb_expect_end(
  2 "bootstrap.sh: unknown workflow preset: cpu-libtorch-shred
Nearest presets (./bootstrap.sh --list has all of them): cpu-libtorch-shared "
)
bootstrap(test)
tsb_expect_end(2 "Nearest presets (./bootstrap.sh --list has all of them): tests tests-fast")
bootstrap(--tset)
tsb_expect_end(2 "unknown option: --tset")
bootstrap(tests cpu-libtorch-shared)
tsb_expect_end(2 "one preset at a time: tests or cpu-libtorch-shared")
bootstrap(--list cpu)
tsb_expect_end(2 "--list takes no other argument")
bootstrap()
tsb_expect_end(2 "Usage:")
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
file(WRITE "${copy}/CMakeUserPresets.json" "{,}")
bootstrap(--list)
tsb_expect_end(1 "CMakeUserPresets.json is not JSON: Expecting property name" "bootstrap.sh: correct it")
file(REMOVE "${copy}/CMakeUserPresets.json")

# Called through a link, and with a CDPATH that has another "a copy".
file(CREATE_LINK "a copy/bootstrap.sh" ${TSB_TEST_DIR}/link SYMBOLIC)
file(MAKE_DIRECTORY "${TSB_TEST_DIR}/else/a copy")
foreach(called IN ITEMS ./link "a copy/bootstrap.sh")
  tsb_run(
    status output IN ${TSB_TEST_DIR} ${CMAKE_COMMAND} -E env PATH=${bin} CDPATH=${TSB_TEST_DIR}/else sh "${called}"
    --list
  )
  tsb_expect_end(0 "cpu-libtorch-shared PyTorch")
endforeach()

set(with_backslash [[mkdir 'b\c' && cp "$1" 'b\c' && 'b\c/bootstrap.sh' --list]])
execute_process(
  COMMAND sh -c "${with_backslash}" sh "${copy}/bootstrap.sh"
  WORKING_DIRECTORY ${TSB_TEST_DIR}
  RESULT_VARIABLE status
  ERROR_VARIABLE output
)
tsb_expect_end(2 "b\\c: CMake takes a backslash for a slash")
