# SPDX-License-Identifier: BSD-3-Clause
# What it says to wrong and right questions; none of these may install or run anything.
include(${CMAKE_CURRENT_LIST_DIR}/machine.cmake)
foreach(word IN ITEMS --list list doctor plan settings --version)
  bootstrap(${word})
  tsb_expect_end(
    4 "bootstrap.sh: there is no python3 to answer bootstrap.sh: ./bootstrap.sh --install-only installs it"
  )
endforeach()
tool(python3)
bootstrap(doctor)
tsb_expect_end(4 "bootstrap.sh: there is no cmake to answer")
bootstrap(--help)
tsb_expect_end(0 "Usage: ./bootstrap.sh <preset>")
bootstrap(doctor --help)
tsb_expect_end(0 "doctor [<preset>]")
string(REGEX MATCHALL "[^\n]+" lines "${output}")
foreach(line IN LISTS lines)
  string(LENGTH "${line}" length)
  if(length GREATER 60)
    message(FATAL_ERROR "more than 60 columns: ${line}")
  endif()
endforeach()
set(shared "cpu-libtorch-shared libtorch, shared, with dependencies")
foreach(word IN ITEMS list --list)
  bootstrap(${word})
  tsb_expect_end(0 "${shared}")
  tsb_expect("list" LACKS "${output}" "-check" "base")
endforeach()
bootstrap(list WHEEL "cu124-c*")
tsb_expect_end(0 "CPU, built cpu-wheel-py39" "cu124-conda-py39")
tsb_expect("list" LACKS "${output}" "cpu-libtorch" "cpu-conda")
bootstrap(list TSB_PYTROCH_VERSION=2.11.0)
tsb_expect_end(
  2 "bootstrap.sh: list takes no TSB_PYTROCH_VERSION bootstrap.sh: TSB_PYTORCH_VERSION and TSB_ADDITIONS decide"
)
bootstrap(list libtroch)
tsb_expect_end(2 "bootstrap.sh: no preset is called libtroch bootstrap.sh: ")
set(ENV{COLUMNS} 60)
bootstrap(list cpu)
unset(ENV{COLUMNS})
tsb_expect("a narrow terminal" CONTAINS "${output}" "shared, with\n                                    dependencies\n")
execute_process(COMMAND sh -c "PATH='${bin}' '${copy}/bootstrap.sh' list 2>'${TSB_TEST_DIR}/said' | :")
file(READ ${TSB_TEST_DIR}/said said)
tsb_expect("a closed pipe" EQUAL "${said}" "")

# docs/settings.md completes its words.
file(STRINGS "${TSB_SOURCE_DIR}/docs/settings.md" line REGEX "^complete ")
execute_process(
  COMMAND bash -c "${line} && complete -p bootstrap.sh" WORKING_DIRECTORY "${TSB_SOURCE_DIR}"
  OUTPUT_VARIABLE words COMMAND_ERROR_IS_FATAL ANY
)
tsb_expect(
  "completion" CONTAINS "${words}" "\ncpu-libtorch-static\n" "\nofficial-cpu-libtorch-shared\n" " doctor plan "
)

# What is not known, with the nearest word, in whatever case it is written.
set(all "./bootstrap.sh list shows all presets")
foreach(
  pair IN ITEMS "cpu-libtorch-shred|cpu-libtorch-shared or" "CPU-LIBTORCH-SHARED|cpu-libtorch-shared?" "flet|fleet?"
                "test|tests" "--tset|--test" "docter|doctor?" "lst|list" "setings|settings" "--versoin|--version"
)
  string(REPLACE "|" ";" pair "${pair}")
  list(GET pair 0 word)
  list(GET pair 1 meant)
  bootstrap(${word} cpu-all)
  tsb_expect_end(2 "bootstrap.sh: unknown word or preset: ${word} bootstrap.sh: did you mean ${meant}" "${all}")
endforeach()
foreach(words IN ITEMS "plan;--install-only;cpu-all" "--install-only;plan;cpu-all" "cpu-all;list")
  bootstrap(${words})
  tsb_expect_end(2 "bootstrap.sh: it is a command of its own: ./bootstrap.sh help")
endforeach()
set(build "cmake --preset cpu-all && cmake --build --preset cpu-all --target")
foreach(words IN ITEMS "explain;cpu-all" "cpu-all;explain")
  bootstrap(${words})
  tsb_expect_end(2 "unknown word or preset: explain bootstrap.sh: it is a target: ${build} explain")
endforeach()
bootstrap(cpu-all TSB_JOBS=4 check)
string(REPLACE "cmake" "TSB_JOBS=4 cmake" build "${build}")
tsb_expect_end(2 "bootstrap.sh: it is a target: ${build} check")
bootstrap(fetch)
tsb_expect_end(2 "bootstrap.sh: it is a target: cmake --preset <preset> && ")
bootstrap(qqqq)
tsb_expect_end(2 "bootstrap.sh: unknown word or preset: qqqq bootstrap.sh: ${all}")
foreach(slip IN ITEMS "TSB_JOBS" "TSB_JOBS;=;4" "TSB_JOBS;=4")
  bootstrap(cpu-all ${slip})
  tsb_expect_end(2 "word or preset: TSB_JOBS bootstrap.sh: write TSB_JOBS=<value>, without blanks")
endforeach()
bootstrap(TSB_JOBS= 4 cpu-all)
tsb_expect_end(2 "unknown word or preset: 4 bootstrap.sh: write TSB_JOBS=4, without blanks")
bootstrap(TSB_STORE= cpu-libtorch-shred)
tsb_expect_end(2 "unknown word or preset: cpu-libtorch-shred bootstrap.sh: did you mean")
foreach(slip IN ITEMS "-j;4" "-j4" "--jobs=4" "--jobs;4")
  bootstrap(${slip} cpu-all)
  list(GET slip 0 word)
  tsb_expect_end(2 "unknown word or preset: ${word} bootstrap.sh: TSB_JOBS=4 sets the number of jobs")
endforeach()
bootstrap("official-cpu*")
tsb_expect_end(2 "bootstrap.sh: ./bootstrap.sh fleet 'official-cpu*' runs several presets")
bootstrap(tests cpu-libtorch-shared)
tsb_expect_end(2 "one preset at a time: tests, cpu-libtorch-shared bootstrap.sh: ./bootstrap.sh fleet runs several")
bootstrap(cpu-all -D TSB_JOBS)
tsb_expect_end(2 "-D needs NAME=VALUE")
bootstrap(TSB_JOBS=2)
tsb_expect_end(2 "no preset is named")
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
tsb_expect_end(2 "CMakeUserPresets.json is not JSON: Expecting property name" "bootstrap.sh: correct it")
file(REMOVE "${copy}/CMakeUserPresets.json")

# One that does not run, or is another Python, would answer with words of its own, or with none.
foreach(ends IN ITEMS 1 127)
  file(WRITE ${bin}/python3 "#!/bin/sh\necho shim >&2\nexit ${ends}\n")
  foreach(word IN ITEMS list cpu-all fleet)
    bootstrap(${word})
    tsb_expect_end(
      4 "python3 on PATH, ${bin}/python3, does not run, or is older than 3.9 bootstrap.sh: put one that is 3.9"
    )
    tsb_expect("its own words" LACKS "${output}" "shim")
  endforeach()
endforeach()
tool(python3)

# Called through a link, and with a CDPATH that has another "a copy".
file(CREATE_LINK "a copy/bootstrap.sh" ${TSB_TEST_DIR}/link SYMBOLIC)
file(MAKE_DIRECTORY "${TSB_TEST_DIR}/else/a copy")
foreach(called IN ITEMS ./link "a copy/bootstrap.sh")
  tsb_run(
    status output IN ${TSB_TEST_DIR} ${CMAKE_COMMAND} -E env PATH=${bin} CDPATH=${TSB_TEST_DIR}/else sh "${called}"
    --list
  )
  tsb_expect_end(0 "cpu-libtorch-shared libtorch, shared")
endforeach()

set(with_backslash [[mkdir 'b\c' && cp "$1" 'b\c' && 'b\c/bootstrap.sh' --list]])
execute_process(
  COMMAND sh -c "${with_backslash}" sh "${copy}/bootstrap.sh"
  WORKING_DIRECTORY ${TSB_TEST_DIR}
  RESULT_VARIABLE status
  ERROR_VARIABLE output
)
tsb_expect_end(2 "b\\c: CMake takes a backslash for a slash")
